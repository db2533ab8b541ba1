/**
 * `npm run bench:bulk`: measures batches, imports and exports on the built Worker. `npm run bench:bulk -- files` measures files that are mapped,
 * `-- files issue` only those whose name contains "issue".
 * docs/performance.md, "Bulk work", explains the output.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureFiles } from './files.ts'
import { connect, measureNeighbour, measureSeconds } from './neighbour.ts'
import { build, migrate, type Running, start } from './platform.ts'
import { createMerchant, fullProduct, multiplyProducts } from './seed.ts'
import { table } from './table.ts'

const singleConnections = 8
const creates = 2_000
const batchSize = 500
const importedRows = 20_000
const exportedProducts = 30_000
const product = (n: number) => ({ ...fullProduct(), title: `Dish ${n}`, sku: `SKU-${n}`, modifiers: [] })

/** Seconds for the same creates as single requests and as batches. */
async function compareCreates(running: Running) {
  const alone = connect(running, await createMerchant(running))
  const numbers = Array.from({ length: creates }, (_, n) => n).values()
  const work = async () => {
    for (const n of numbers) await alone.products.create(product(n))
  }
  const single = await measureSeconds(() => Promise.all(Array.from({ length: singleConnections }, work)))
  const bulk = connect(running, await createMerchant(running))
  const batched = await measureSeconds(async () => {
    for (let from = 0; from < creates; from += batchSize) {
      await bulk.batch(
        Array.from({ length: batchSize }, (_, at) => ({
          op: 'create',
          resource: 'products',
          body: product(from + at),
        })),
      )
    }
  })
  return { single, batched }
}

async function measureImport(running: Running) {
  const neighbour = await createMerchant(running)
  const { id } = await neighbour.post('/products', fullProduct())
  const idle = await measureNeighbour(running, neighbour, id)
  const client = connect(running, await createMerchant(running))
  const lines = Array.from({ length: importedRows }, (_, n) => JSON.stringify({ externalId: `A${n}`, ...product(n) }))
  const before = await running.memory()
  let most = before
  const states = new Set<number>()
  const memory = setInterval(async () => {
    most = Math.max(most, await running.memory())
  }, 250)
  let loaded = 0
  const importing = measureSeconds(async () => {
    const { state, created } = await client.import('products', lines.join('\n'), {
      apply: true,
      onProgress: ({ checked, applied }) => states.add(checked + applied),
    })
    if (state !== 'done') throw new Error(`the import ended as ${state}`)
    loaded = created
  })
  const during = await measureNeighbour(running, neighbour, id, importing)
  const seconds = await importing
  clearInterval(memory)
  return { idle, during, seconds, loaded, progress: states.size, growth: most - before }
}

async function measureExport(running: Running) {
  const merchant = await createMerchant(running)
  const { id } = await merchant.post('/products', fullProduct())
  await multiplyProducts(running, merchant.id, id, exportedProducts - 1)
  const startMs = performance.now()
  const before = await running.memory()
  let most = before
  const response = await fetch(`http://127.0.0.1:${running.port}/merchants/${merchant.id}/export?resources=products`, {
    headers: { authorization: `Bearer ${merchant.key}` },
  })
  let firstByteMs = 0
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    firstByteMs ||= performance.now() - startMs
    bytes += chunk.byteLength
    most = Math.max(most, await running.memory())
  }
  return {
    firstByteMs,
    seconds: (performance.now() - startMs) / 1_000,
    megabytes: bytes / 2 ** 20,
    growth: most - before,
  }
}

async function measureAll(running: Running) {
  const made = await compareCreates(running)
  const imported = await measureImport(running)
  const exported = await measureExport(running)
  const seconds = (value: number) => `${value.toFixed(2)} s`
  table(
    ['', 'figure'],
    [
      [`${creates} creates, one by one, ${singleConnections} connections`, seconds(made.single)],
      [`${creates} creates, in batches of ${batchSize}`, seconds(made.batched)],
      ['ratio', (made.single / made.batched).toFixed(1)],
      [`import of ${imported.loaded} rows`, seconds(imported.seconds)],
      ['states that a client saw', String(imported.progress)],
      ['memory while it runs', `+${imported.growth.toFixed(0)} MB`],
      ['p50 of another merchant, idle', `${imported.idle.toFixed(1)} ms`],
      ['p50 of another merchant, during the import', `${imported.during.toFixed(1)} ms`],
      [`export of ${exportedProducts} products`, seconds(exported.seconds)],
      ['size', `${exported.megabytes.toFixed(1)} MB`],
      ['first byte', `${exported.firstByteMs.toFixed(0)} ms`],
      ['memory while it runs', `+${exported.growth.toFixed(0)} MB`],
    ],
  )
}

const folder = await mkdtemp(join(tmpdir(), 'bulk-'))
try {
  const code = await build('src/index.ts')
  const running = await start(code, join(folder, 'data'), { consumers: ['imports'] })
  try {
    await migrate(running)
    const [what, wanted = ''] = process.argv.slice(2)
    if (what === 'files') {
      table(
        ['20,000 rows', 'rows/s', 'memory', 'p50 of another merchant', 'before, after'],
        await measureFiles(running, wanted),
      )
    } else await measureAll(running)
  } finally {
    await running.stop()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
