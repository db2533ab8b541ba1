/**
 * `npm run bench`: compares the service with a handwritten Worker on the same machine, counts the costs of each operation, and shows
 * which of them grow with the data. docs/performance.md explains the output.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { limits } from '../src/platform/http/fields.ts'
import { createCatalogue, startArms } from './cases.ts'
import { compare, connections, type Effort } from './compare.ts'
import { measureCosts, printCosts } from './costs.ts'
import { measureRowsRead, printGrowth, type Size } from './growth.ts'
import { createLoad } from './load.ts'
import { build, copy, getStartBytes, start } from './platform.ts'
import { printSoak, soak } from './soak.ts'
import { compareStarts, countCreatedAtStart, printStart } from './startup.ts'
import { print } from './table.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    /** Regular expression for the names of cases. */
    only: { type: 'string', default: '' },
    /** Also measures a database with a million products. */
    million: { type: 'boolean', default: false },
    /** Runs all cases in turn for this number of minutes and measures memory; nothing else. */
    soak: { type: 'string' },
    json: { type: 'string', default: 'bench/results.json' },
  },
})
const effort: Effort = options.quick
  ? { sittings: 1, rounds: 3, seconds: 0.4, lightCount: 24 }
  : { sittings: 4, rounds: 4, seconds: 1, lightCount: 60 }
/** Rows and tags that a sitting can use up. */
const scale = options.quick ? { deletes: 4_000, tags: 4_000 } : { deletes: 10_000, tags: 12_000 }
const small = { products: 1_000, merchants: 1, webhooks: 0 }
const sizes: Size[] = [
  small,
  { ...small, products: 30_000 },
  { ...small, merchants: 1_000 },
  { ...small, webhooks: limits.webhooks },
  ...(options.million ? [{ ...small, products: 1_000_000 }] : []),
]

const folder = await mkdtemp(join(tmpdir(), 'bench-'))
const loads = [createLoad(), createLoad()] as const
/** Cleanup functions; run at the end even after an error. */
const stops: (() => Promise<void>)[] = []

async function bench() {
  const service = await build('src/index.ts')
  const control = await build('bench/control.ts')
  const counting = await build('bench/counter.ts')
  const catalogue = await createCatalogue(service, join(folder, 'data'), scale)
  const cases = catalogue.cases.filter(({ name }) => new RegExp(options.only).test(name))
  const begin = async () => {
    const arms = await startArms(catalogue, { service, control }, { isInspected: options.soak !== undefined })
    stops.push(arms.service.stop, arms.control.stop)
    return arms
  }
  if (options.soak !== undefined) {
    const samples = await soak(loads[0], await begin(), cases, Number(options.soak))
    printSoak(samples)
    return { soak: samples }
  }
  const report = {
    machine: { processor: cpus()[0]?.model, cores: cpus().length, node: process.version, load: loadavg()[0] },
    effort,
    connections,
    bundleGzip: getStartBytes(service),
    figures: await compare(loads, begin, cases, effort),
  }
  print(report)
  const counted = await start(counting, await copy(catalogue.folder, join(folder, 'counted')))
  stops.push(counted.stop)
  const costs = await measureCosts(counted, cases)
  printCosts(costs)
  const startup = {
    created: await countCreatedAtStart(counted),
    cpuMs: await compareStarts({ service, control }, folder, 9),
  }
  printStart(startup.created, startup.cpuMs)
  const growth = []
  for (const [index, size] of sizes.entries()) {
    growth.push({ ...size, rows: await measureRowsRead(counting, join(folder, `size-${index}`), size) })
  }
  printGrowth(growth)
  return { ...report, costs, startup, growth }
}

try {
  await writeFile(options.json, `${JSON.stringify(await bench(), null, 2)}\n`)
} finally {
  for (const load of loads) load.close()
  await Promise.all(stops.map((stop) => stop()))
  await rm(folder, { recursive: true, force: true })
}
