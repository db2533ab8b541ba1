import { setTimeout as wait } from 'node:timers/promises'
import type { Arms, Case } from './cases.ts'
import type { Job, Load, Result } from './load.ts'
import { deletable } from './seed.ts'
import { type Figure, median, spread } from './table.ts'

/** As many as keep one thread busy. */
export const connections = 8
/** Requests a second that leave a Worker idle most of the time. */
const lightRate = 20
const unlimited = Number.MAX_SAFE_INTEGER

type Arm = keyof Arms
interface Measured extends Result {
  /** Microseconds of processor time for each request, the storages' included. */
  cpuUs: number
}
const arms = ['service', 'control'] as const

/** How long to measure. */
export interface Effort {
  /** How often both arms start anew: two processes that run the same differ by a few in a hundred for as long as they live. */
  sittings: number
  /** In each sitting. */
  rounds: number
  /** Of each arm in each round. */
  seconds: number
  /** Requests at the light rate, in each sitting. */
  lightCount: number
}

/** One pair of processes, which runs every case some rounds long. */
function createSitting([one, other]: readonly [Load, Load], running: Arms) {
  /** Numbers go on from one job to the next: what was deleted is gone. */
  const used = new Map<string, number>()

  async function measure(load: Load, each: Case, arm: Arm, job: Pick<Job, 'count' | 'seconds' | 'rate'>) {
    const key = `${arm} ${each.name}`
    const from = used.get(key) ?? 1
    const left = (each.most ?? Number.POSITIVE_INFINITY) - from
    const { method, ...ask } = each[arm]
    const before = await running[arm].cpuSeconds()
    const result = await load.run({
      ...ask,
      ...job,
      method,
      count: Math.min(job.count, left),
      port: running[arm].port,
      connections,
      first: method === 'DELETE' ? deletable + from - 1 : from,
    })
    if (result.count === 0) throw new Error(`${each.name}: nothing is left to ask for`)
    used.set(key, from + result.count)
    const cpuUs = (((await running[arm].cpuSeconds()) - before) / result.count) * 1e6
    return { ...result, cpuUs }
  }

  return {
    /** What each arm does with as many requests as it takes. */
    async play(each: Case, order: readonly Arm[], seconds: number) {
      const measured: Partial<Record<Arm, Measured>> = {}
      for (const arm of order) measured[arm] = await measure(one, each, arm, { count: unlimited, seconds })
      return measured
    },

    /** How long an answer takes while there is little to do: both arms at the same time, so that both meet the same machine. */
    async playLight(each: Case, count: number) {
      const light = { rate: lightRate, count }
      const [service, control] = await Promise.all([
        measure(one, each, 'service', light),
        wait(500 / lightRate).then(() => measure(other, each, 'control', light)),
      ])
      return { service, control }
    },
  }
}

const createSamples = (): Record<Arm, Measured[]> => ({ service: [], control: [] })

/** Measures the service and the control, case by case and round by round. `begin` starts a pair of them. */
export async function compare(
  loads: readonly [Load, Load],
  begin: () => Promise<Arms>,
  cases: readonly Case[],
  { sittings, rounds, seconds, lightCount }: Effort,
): Promise<Figure[]> {
  const all = cases.map((each) => ({ each, full: createSamples(), light: createSamples() }))
  for (let number = 0; number < sittings; number++) {
    const running = await begin()
    const sitting = createSitting(loads, running)
    for (const { each } of all) await sitting.play(each, arms, seconds)
    for (let round = 0; round < rounds; round++) {
      // Whatever else the machine does meets both: they take turns, and turns at going first.
      const order = (number + round) % 2 === 0 ? arms : [...arms].reverse()
      for (const { each, full } of all) {
        const { service, control } = await sitting.play(each, order, seconds)
        if (service) full.service.push(service)
        if (control) full.control.push(control)
      }
    }
    for (const { each, light } of all) {
      const { service, control } = await sitting.playLight(each, lightCount)
      light.service.push(service)
      light.control.push(control)
    }
    await Promise.all([running.service.stop(), running.control.stop()])
  }
  return all.map(({ each: { name, bar, service, control }, full, light }): Figure => {
    const ratios = full.service.map(({ perSecond }, round) => perSecond / (full.control[round]?.perSecond ?? 1))
    const medianOf = (samples: readonly Measured[], key: 'perSecond' | 'cpuUs' | 'p50') =>
      median(samples.map((sample) => sample[key]))
    return {
      name,
      bar,
      isAlone: service.expected !== control.expected,
      perSecond: medianOf(full.service, 'perSecond'),
      control: medianOf(full.control, 'perSecond'),
      ratio: median(ratios),
      spread: spread(ratios),
      cpuUs: medianOf(full.service, 'cpuUs'),
      cpuUsControl: medianOf(full.control, 'cpuUs'),
      p50: medianOf(light.service, 'p50'),
      p50Control: medianOf(light.control, 'p50'),
    }
  })
}
