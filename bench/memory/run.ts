/**
 * `npm run bench:memory`: the memory of one isolate while it handles many large requests at once, and what other merchants notice of it.
 * Fails where it is more than allowed. docs/performance.md, "Memory under large requests", explains the output.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openHeap } from '../heap.ts'
import { build, migrate, type Running, start } from '../platform.ts'
import { createMerchant, fullProduct, multiplyProducts } from '../seed.ts'
import { median, table } from '../table.ts'
import { countAnswers, type Merchant, toUrl } from './answers.ts'
import { cases, exportedDescription, exportedProducts } from './cases.ts'

/** Maximum memory of the large requests, without that of the idle isolate. */
const maxMegabytes = 64
const sampleMs = 300
/** Pause between two runs. */
const pauseMs = 2_000
const neighbourMs = 50
const idleMs = 5_000

/** Latencies of another merchant's retrieves in milliseconds, until `isOver` returns true. */
async function listLatencies(running: Running, { id, key, product }: Merchant, isOver: () => boolean) {
  const latencies: number[] = []
  do {
    const startMs = performance.now()
    const response = await fetch(toUrl(running, `/merchants/${id}/products/${product}`), {
      headers: { authorization: `Bearer ${key}` },
    })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`a neighbour got ${response.status}`)
    latencies.push(performance.now() - startMs)
    await setTimeout(neighbourMs)
  } while (!isOver())
  return latencies
}

/** Becomes true after some time. */
function passed(ms: number) {
  const endMs = performance.now() + ms
  return () => performance.now() > endMs
}

const load = () => (loadavg()[0] ?? 0).toFixed(1)

const folder = await mkdtemp(join(tmpdir(), 'bench-memory-'))
const running = await start(await build('src/index.ts'), folder, { isInspected: true })
try {
  await migrate(running)
  const create = async (fields: object = {}): Promise<Merchant> => {
    const { id, key, post } = await createMerchant(running)
    return { id, key, product: (await post('/products', { ...fullProduct(), ...fields })).id }
  }
  const large = { description: exportedDescription }
  const merchants = [await create(large), await create(large)]
  for (const [index, { id, product }] of merchants.entries()) {
    await multiplyProducts(running, id, product, exportedProducts, { first: 1 + index * exportedProducts })
  }
  const neighbour = await create()
  await listLatencies(running, neighbour, passed(pauseMs))
  const heap = await openHeap(await running.inspector(), 'bench')
  const idleMegabytes = await heap.live()
  const idleLoad = load()
  const idleMedian = median(await listLatencies(running, neighbour, passed(idleMs)))
  const rows: string[][] = [['idle', idleMegabytes.toFixed(1), '', idleMedian.toFixed(1), '', idleLoad, '']]
  for (const { name, begin } of cases) {
    const run = async <Result>(measure: (isOver: () => boolean) => Promise<Result>) => {
      let isOver = false
      const send = begin(running, merchants)
      const sending = send().finally(() => {
        isOver = true
      })
      const [answers, measured] = await Promise.all([sending, measure(() => isOver)])
      const counts = await countAnswers(answers)
      await setTimeout(pauseMs)
      return { measured, counts }
    }
    // A measurement of memory stops the isolate, so latencies are measured in a run of their own.
    const { measured: latencies, counts } = await run((isOver) => listLatencies(running, neighbour, isOver))
    const latency = median(latencies)
    const loadBehind = load()
    const { measured: live, counts: others } = await run((isOver) => heap.most(sampleMs, isOver))
    const beside = live - idleMegabytes
    rows.push([
      name,
      live.toFixed(1),
      beside.toFixed(1),
      latency.toFixed(1),
      (latency / idleMedian).toFixed(2),
      loadBehind,
      `${counts}; ${others}`,
    ])
    console.error(rows.at(-1)?.join('  '))
    if (beside > maxMegabytes) process.exitCode = 1
  }
  console.log(`${availableParallelism()} cores`)
  table(['', 'live, MB', 'beside idle, MB', 'neighbour p50, ms', 'to idle', 'load', 'responses'], rows)
  heap.close()
} finally {
  await running.stop()
  await rm(folder, { recursive: true, force: true })
}
