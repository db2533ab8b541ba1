import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { retainedTables } from '../../src/app/maintenance/retained-tables.ts'
import type { BenchRequest } from '../cases.ts'
import { type Counts, countRequest } from '../costs.ts'
import { consumedPath } from '../paths.ts'
import { type Bundle, migrate, type Running, start } from '../platform.ts'
import { createMerchant, fullProduct, multiplyProducts, productId } from '../seed.ts'
import type { Day } from './day.ts'
import { workload } from './workload.ts'

/** Days of which each table keeps rows. */
const keptDays: ReadonlyMap<string, number> = new Map(
  retainedTables.map(({ name, seconds }) => [name, Math.max(1, seconds / 86_400)]),
)
/** Days of scans whose counts are included. */
const countedDays = 365

const add = (sum: Counts, more: Counts): Counts => ({
  trips: sum.trips + more.trips,
  rowsRead: sum.rowsRead + more.rowsRead,
  rowsWritten: sum.rowsWritten + more.rowsWritten,
  kvReads: sum.kvReads + more.kvReads,
  kvWrites: sum.kvWrites + more.kvWrites,
  messages: sum.messages + more.messages,
  points: sum.points + more.points,
})

/** Bytes of each table with its indexes. `compact`: without the free space in pages, which later rows use. Changes the files. */
async function measureTables(folder: string, { compact = false } = {}): Promise<ReadonlyMap<string, number>> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.sqlite'))
  for (const file of files) {
    const database = new DatabaseSync(join(folder, file), { readOnly: !compact })
    try {
      if (compact) database.exec('vacuum')
      const rows = database
        .prepare(
          'select tbl_name as name, sum(pgsize) as bytes from dbstat join sqlite_schema using (name) group by tbl_name',
        )
        .all()
      const tables = new Map(rows.map(({ name, bytes }) => [String(name), Number(bytes)]))
      if (tables.has('products')) return tables
    } finally {
      database.close()
    }
  }
  throw new Error(`no database in ${folder}`)
}

/** Waits until the queues are empty, and returns what their consumers used since the start. */
async function drain(running: Running): Promise<Counts> {
  const read = () => countRequest(running, { method: 'GET', path: consumedPath, headers: {}, expected: 200 })
  let counts = await read()
  for (let quiet = 0; quiet < 5; ) {
    await setTimeout(1_000)
    const next = await read()
    quiet = JSON.stringify(next) === JSON.stringify(counts) ? quiet + 1 : 0
    counts = next
  }
  return counts
}

/** Daily counts of scans, which are kept for good. Only their receipts expire. */
const scanCounts = 'scan_counts'

/** Deletes everything that expires. Returns the number of written rows that D1 bills. */
async function purge(running: Running): Promise<number> {
  const database = await running.database()
  let rows = 0
  for (const { name } of retainedTables) {
    const statement =
      name === scanCounts
        ? `update ${name} set receipts = '', keeps_receipts = 0, hours = null where keeps_receipts`
        : `delete from ${name}`
    rows += (await database.prepare(statement).run()).meta.rows_written
  }
  return rows
}

async function createCatalogue(running: Running, endpoint: string) {
  const shop = await createMerchant(running)
  const product = { ...fullProduct(), manageStock: true, stockQuantity: 1_000_000 }
  const { id: template } = await shop.post('/products', product)
  await multiplyProducts(running, shop.id, template, workload.products - 1)
  const dishes = Array.from({ length: 60 }, (_, n) => productId(n + 1))
  await shop.post('/menus', { title: 'All day', sections: [{ title: 'Dishes', items: dishes }] })
  const tags: string[] = []
  for (let n = 0; n < workload.tags; n++) tags.push(new URL((await shop.post('/tags', {})).url).pathname)
  await shop.post('/webhooks', { title: 'Till', url: endpoint, events: ['order.created', 'product.updated'] })
  return { ...shop, tags, dishes }
}
type Catalogue = Awaited<ReturnType<typeof createCatalogue>>

/** Connections that send writes at once. Scans are sent one at a time: a venue has one in 6 seconds of its busiest hour. */
const connections = 4

const phone = { 'User-Agent': 'Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile' }

/** Changes of products, quotes and orders of a day. */
function* listWrites({ id, key, dishes }: Catalogue): Generator<BenchRequest> {
  const headers = { Authorization: `Bearer ${key}` }
  const write = (path: string, body: object, expected: number): BenchRequest => ({
    method: 'POST',
    path: `/merchants/${id}${path}`,
    headers,
    body: JSON.stringify(body),
    expected,
  })
  for (let n = 1; n <= workload.changes; n++) yield write(`/products/${productId(n)}`, { price: n / 4 }, 200)
  for (let n = 1; n <= workload.orders; n++) {
    const products = Array.from({ length: workload.lines }, (_, line) => dishes[(n + line) % dishes.length] ?? '')
    const items = products.map((product) => ({ product, quantity: 1 }))
    yield write('/quotes', { items }, 200)
    const changes = products.map((product) => ({ product, delta: -1 }))
    const effects = { stock: { reference: `order-${n}`, changes } }
    yield write('/events', { type: 'order.created', data: { orderId: `order-${n}`, items }, effects }, 202)
  }
}

/** Scans of a day, each with the menu that it opens. */
function* listScans({ id, tags }: Catalogue): Generator<BenchRequest> {
  for (let n = 0; n < workload.scans; n++) {
    yield { method: 'GET', path: tags[n % tags.length] ?? '', headers: phone, expected: 302 }
    yield { method: 'GET', path: `/m/${id}`, headers: phone, expected: 200 }
  }
}

/** Runs a day of one merchant on the built Worker, and counts. */
export async function measureDay(bundle: Bundle, folder: string): Promise<Day> {
  const endpoint = createServer((_, response) => void response.end()).listen(0, '127.0.0.1')
  await once(endpoint, 'listening')
  const address = endpoint.address()
  if (address === null || typeof address === 'string') throw new Error('the endpoint has no port')
  let running = await start(bundle, folder)
  try {
    await migrate(running)
    const catalogue = await createCatalogue(running, `http://127.0.0.1:${address.port}/`)
    await purge(running)
    await running.stop()
    const before = await measureTables(folder)
    running = await start(bundle, folder, { consumers: ['deliveries', 'scans'] })
    let [counts, requests] = [await drain(running), 0]
    const send = async (pending: Iterable<BenchRequest>) => {
      for (const request of pending) {
        const counted = await countRequest(running, request)
        counts = add(counts, counted)
        requests++
      }
    }
    const writes = listWrites(catalogue)
    await Promise.all(Array.from({ length: connections }, () => send(writes)))
    await send(listScans(catalogue))
    counts = add(counts, await drain(running))
    await running.stop()
    const after = await measureTables(folder)
    running = await start(bundle, folder)
    const rowsPurged = await purge(running)
    await running.stop()
    const purged = await measureTables(folder, { compact: true })
    const catalogueBytes = [...before.values()].reduce((sum, bytes) => sum + bytes, 0)
    const growth = (from: ReadonlyMap<string, number>, to: ReadonlyMap<string, number>, name: string) =>
      (to.get(name) ?? 0) - (from.get(name) ?? 0)
    const historyBytes = Object.fromEntries(
      [...keptDays].map(([name, days]) => [
        name,
        name === scanCounts
          ? days * growth(purged, after, name) + countedDays * growth(before, purged, name)
          : days * growth(before, after, name),
      ]),
    )
    return { requests, counts, rowsPurged, catalogueBytes, historyBytes }
  } finally {
    await running.stop()
    endpoint.close()
  }
}
