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

/** Numbers go on from one job to the next: what was deleted is gone. */
const used = new Map<string, number>()

async function measure(load: Load, running: Arms, each: Case, arm: Arm, job: Pick<Job, 'count' | 'seconds' | 'rate'>) {
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
  used.set(key, from + result.count)
  const cpuUs = (((await running[arm].cpuSeconds()) - before) / result.count) * 1e6
  return { ...result, cpuUs }
}

/** What each arm does with as many requests as it takes, round by round. */
async function playRound(load: Load, running: Arms, each: Case, order: readonly Arm[], seconds: number) {
  const measured: Partial<Record<Arm, Measured>> = {}
  for (const arm of order) measured[arm] = await measure(load, running, each, arm, { count: unlimited, seconds })
  return measured
}

/** How long an answer takes while there is little to do: both arms at the same time, so that both meet the same machine. */
async function compareLight([one, other]: readonly [Load, Load], running: Arms, each: Case, count: number) {
  const light = { rate: lightRate, count }
  const [service, control] = await Promise.all([
    measure(one, running, each, 'service', light),
    wait(500 / lightRate).then(() => measure(other, running, each, 'control', light)),
  ])
  return { p50: service.p50, p50Control: control.p50 }
}

/** How long to measure. */
export interface Effort {
  rounds: number
  /** Of each arm in each round. */
  seconds: number
  /** Requests at the light rate. */
  lightCount: number
}

/** Measures the service and the control, case by case and round by round. */
export async function compare(
  loads: readonly [Load, Load],
  running: Arms,
  cases: readonly Case[],
  { rounds, seconds, lightCount }: Effort,
): Promise<Figure[]> {
  const [one] = loads
  const measured = new Map<string, Record<Arm, Measured[]>>(
    cases.map(({ name }) => [name, { service: [], control: [] }]),
  )
  for (const each of cases) await playRound(one, running, each, arms, seconds)
  for (let round = 0; round < rounds; round++) {
    // Whatever else the machine does meets both: they take turns, and turns at going first.
    const order = round % 2 === 0 ? arms : [...arms].reverse()
    for (const each of cases) {
      const { service, control } = await playRound(one, running, each, order, seconds)
      if (service) measured.get(each.name)?.service.push(service)
      if (control) measured.get(each.name)?.control.push(control)
    }
  }
  const figures: Figure[] = []
  for (const each of cases) {
    const { name, bar } = each
    const { service, control } = measured.get(name) ?? { service: [], control: [] }
    const ratios = service.map(({ perSecond }, round) => perSecond / (control[round]?.perSecond ?? 1))
    figures.push({
      name,
      bar,
      isAlone: each.service.expected !== each.control.expected,
      perSecond: median(service.map(({ perSecond }) => perSecond)),
      control: median(control.map(({ perSecond }) => perSecond)),
      ratio: median(ratios),
      spread: spread(ratios),
      cpuUs: median(service.map(({ cpuUs }) => cpuUs)),
      cpuUsControl: median(control.map(({ cpuUs }) => cpuUs)),
      ...(await compareLight(loads, running, each, lightCount)),
    })
  }
  return figures
}
