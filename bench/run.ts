/** `npm run bench`: how fast the service is beside a Worker that does the same by hand, in one run on one machine. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { type Arms, type Case, createCatalogue, startArms } from './cases.ts'
import { createLoad, type Job, type Load, type Result } from './load.ts'
import { build } from './platform.ts'
import { deletable } from './seed.ts'
import { median, print, spread } from './table.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string' },
    json: { type: 'string', default: 'bench/results.json' },
  },
})
const rounds = Number(options.rounds ?? (options.quick ? 3 : 9))
const roundSeconds = options.quick ? 0.4 : 2
const unlimited = Number.MAX_SAFE_INTEGER
const light = { rate: 20, count: options.quick ? 24 : 200 }
/** As many as keep one thread busy. */
const connections = 8

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
async function compare(load: Load, running: Arms, each: Case, order: readonly Arm[], seconds: number) {
  const measured: Partial<Record<Arm, Measured>> = {}
  for (const arm of order) measured[arm] = await measure(load, running, each, arm, { count: unlimited, seconds })
  return measured
}

/** How long an answer takes while there is little to do: both arms at the same time, so that both meet the same machine. */
async function compareLight([one, other]: readonly [Load, Load], running: Arms, each: Case) {
  const [service, control] = await Promise.all([
    measure(one, running, each, 'service', light),
    wait(500 / light.rate).then(() => measure(other, running, each, 'control', light)),
  ])
  return { p50: service.p50, p50Control: control.p50 }
}

const folder = await mkdtemp(join(tmpdir(), 'bench-'))
const [load, other] = [createLoad(), createLoad()]
let running: Arms | undefined
try {
  const service = await build('src/index.ts', join(folder, 'service'))
  const control = await build('bench/control.ts', join(folder, 'control'))
  const scale = options.quick ? { deletes: 4_000, tags: 4_000 } : { deletes: 40_000, tags: 20_000 }
  const catalogue = await createCatalogue(service, join(folder, 'data'), scale)
  running = await startArms(catalogue, { service, control })
  const only = options.only === undefined ? undefined : new RegExp(options.only)
  const cases = catalogue.cases.filter(({ name }) => only?.test(name) ?? true)
  const measured = new Map<string, Record<Arm, Measured[]>>(
    cases.map(({ name }) => [name, { service: [], control: [] }]),
  )
  for (const each of cases) await compare(load, running, each, arms, roundSeconds)
  for (let round = 0; round < rounds; round++) {
    // Whatever else the machine does meets both: they take turns, and turns at going first.
    const order = round % 2 === 0 ? arms : [...arms].reverse()
    for (const each of cases) {
      const { service, control } = await compare(load, running, each, order, roundSeconds)
      if (service) measured.get(each.name)?.service.push(service)
      if (control) measured.get(each.name)?.control.push(control)
    }
  }
  const figures = []
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
      ...(await compareLight([load, other], running, each)),
    })
  }
  const report = {
    machine: { processor: cpus()[0]?.model, cores: cpus().length, node: process.version, load: loadavg()[0] },
    rounds,
    connections,
    bundleGzip: gzipSync(service, { level: 9 }).length,
    figures,
  }
  print(report)
  await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`)
} finally {
  load.close()
  other.close()
  await running?.service.stop()
  await running?.control.stop()
  await rm(folder, { recursive: true, force: true })
}
