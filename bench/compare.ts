import { setTimeout as wait } from 'node:timers/promises'
import type { Arms, Case } from './cases.ts'
import type { Job, Load, Result } from './load.ts'
import { deletable } from './seed.ts'
import { type Figure, median, spread } from './table.ts'

/** Enough connections to keep one thread busy. */
export const connections = 8
/** Requests a second that leave a Worker idle most of the time. */
const lightRate = 20
const unlimited = Number.MAX_SAFE_INTEGER

type Arm = keyof Arms
interface Measured extends Result {
  /** CPU time of a request, in microseconds, storages included. */
  cpuUs: number
}
const arms = ['service', 'control'] as const

/** Duration of the measurement. */
export interface Effort {
  /** Restarts of both arms: two processes of the same code differ by a few percent for their whole life. */
  sittings: number
  /** Rounds of each sitting. */
  rounds: number
  /** Seconds of each arm in each round. */
  seconds: number
  /** Requests at the light rate in each sitting. */
  lightCount: number
}

/** Creates a sitting: one pair of processes, which measures every case. */
function createSitting([one, other]: readonly [Load, Load], running: Arms) {
  /** Request numbers continue across jobs: each deletes another row. */
  const used = new Map<string, number>()

  async function measure(load: Load, each: Case, arm: Arm, job: Pick<Job, 'count' | 'seconds' | 'rate'>) {
    const key = `${arm} ${each.name}`
    const from = used.get(key) ?? 1
    const left = (each.maxRequests ?? Number.POSITIVE_INFINITY) - from
    const { method, ...request } = each[arm]
    const before = await running[arm].cpuSeconds()
    const result = await load.run({
      ...request,
      ...job,
      method,
      count: Math.min(job.count, left),
      port: running[arm].port,
      connections,
      first: method === 'DELETE' ? deletable + from - 1 : from,
    })
    if (result.count === 0) throw new Error(`${each.name}: all rows are used up`)
    used.set(key, from + result.count)
    const cpuUs = (((await running[arm].cpuSeconds()) - before) / result.count) * 1e6
    return { ...result, cpuUs }
  }

  return {
    /** Measures the highest rate of each arm. */
    async play(each: Case, order: readonly Arm[], seconds: number) {
      const measured: Partial<Record<Arm, Measured>> = {}
      for (const arm of order) measured[arm] = await measure(one, each, arm, { count: unlimited, seconds })
      return measured
    },

    /** Measures the latency at a low rate, of both arms at the same time so that conditions are equal. */
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
      // The arms alternate, also in who goes first, so that other load affects both.
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
  return all.map(({ each: { name, minRatio, service, control }, full, light }): Figure => {
    const ratios = full.service.map(({ perSecond }, round) => perSecond / (full.control[round]?.perSecond ?? 1))
    const medianOf = (samples: readonly Measured[], key: 'perSecond' | 'cpuUs' | 'p50') =>
      median(samples.map((sample) => sample[key]))
    return {
      name,
      minRatio,
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
