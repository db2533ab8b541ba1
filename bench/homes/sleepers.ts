import { createHash } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import { createKey } from '../../src/platform/auth/key-format.ts'
import { createId } from '../../src/platform/lib/ids.ts'
import type { Running } from '../platform.ts'
import { createMerchant, type Merchant } from '../seed.ts'
import { median } from '../table.ts'

const asked = 200
/** Merchants that the service itself creates, to measure that. */
const made = 20
/** Rows that one statement inserts. */
const rowsAtOnce = 1_000

const retrieve = async ({ port }: Running, { id, key }: Merchant) => {
  const startMs = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}/merchants/${id}/products`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const products: unknown = await response.json()
  if (!response.ok || !Array.isArray(products) || products.length !== 1)
    throw new Error(`${response.status}: ${JSON.stringify(products)}`)
  return performance.now() - startMs
}

/** Inserts merchants with the home and the key of their own, as the service does. */
async function insertMerchants({ database }: Running, template: Merchant, count: number): Promise<Merchant[]> {
  const db = await database()
  const merchants = Array.from({ length: count }, () => ({ id: createId('mer'), key: createKey(false) }))
  const inserts = [
    `insert into merchants select :columns from (select * from merchants where id = ?1) as template, json_each(?2)`,
    `insert into home_objects (merchant_id, created_at) select value ->> 'id', unixepoch() from json_each(?2) where ?1 <> ''`,
    `insert into homes (merchant_id, kind, object) select merchant_id, 'object', object from home_objects
      where merchant_id in (select value ->> 'id' from json_each(?2)) and ?1 <> ''`,
    `insert into keys (id, merchant_id, hash, test_mode, last4, created_at, last_used_at)
      select value ->> 'keyId', value ->> 'id', value ->> 'hash', 0, value ->> 'last4', unixepoch(), unixepoch() from json_each(?2) where ?1 <> ''`,
  ]
  const { results } = await db.prepare(`select name from pragma_table_info('merchants')`).all<{ name: string }>()
  const columns = results.map(({ name }) => (name === 'id' ? `value ->> 'id'` : `template."${name}"`)).join(', ')
  for (let from = 0; from < count; from += rowsAtOnce) {
    const rows = merchants.slice(from, from + rowsAtOnce).map(({ id, key }) => {
      const hash = createHash('sha256').update(key).digest('hex')
      return { id, keyId: createId('key'), hash, last4: key.slice(-4) }
    })
    const values = [template.id, JSON.stringify(rows)]
    await db.batch(inserts.map((sql) => db.prepare(sql.replace(':columns', columns)).bind(...values)))
  }
  return merchants
}

/** The database files of the merchants' objects, by merchant. */
async function findFiles(running: Running, merchants: readonly Merchant[], folder: string) {
  const db = await running.database()
  const { results } = await db
    .prepare('select merchant_id as id, object from homes')
    .all<{ id: string; object: number }>()
  const names = new Map(results.map(({ id, object }) => [id, `${id}.${object}`]))
  return Promise.all(
    merchants.map(async ({ id }) =>
      join(folder, `${(await running.objects()).idFromName(names.get(id) ?? '')}.sqlite`),
    ),
  )
}

/** Size of a file and of its write-ahead log, in bytes. */
async function getBytes(file: string): Promise<number> {
  const sizes = await Promise.all(
    [file, `${file}-wal`].map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Replaces a text by another one of the same length. */
function replaceAll(bytes: Buffer, from: string, to: string): Buffer {
  const copy = Buffer.from(bytes)
  for (let at = copy.indexOf(from); at >= 0; at = copy.indexOf(from, at)) copy.write(to, at)
  return copy
}

/**
 * Creates merchants in objects, starts the Worker again, so that all of them sleep, and reads some of them. The service creates the first
 * ones. The others are copies of the file of one of them, with the ids of their own: the service would need half an hour.
 */
export async function measureSleepers(folder: string, begin: (folder: string) => Promise<Running>, count: number) {
  const objects = join(folder, 'do', 'bench-MerchantHome')
  const first = await begin(folder)
  const own: Merchant[] = []
  const startMs = performance.now()
  for (let n = 0; n < made; n++) {
    const merchant = await createMerchant(first, { home: 'object' })
    await merchant.post('/products', { title: 'Tea', price: 1 })
    own.push(merchant)
  }
  const createdMs = (performance.now() - startMs) / made
  const [template] = own
  if (!template) throw new Error('no merchant')
  const others = await insertMerchants(first, template, count - made)
  const [ownFiles, files] = [await findFiles(first, own, objects), await findFiles(first, others, objects)]
  await first.stop()

  const [source = ''] = ownFiles
  const sizes = await Promise.all(ownFiles.map(getBytes))
  const bytesWithLog = median(sizes)
  const database = new DatabaseSync(source)
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
  const bytes = await readFile(source)
  for (const [index, { id }] of others.entries())
    await writeFile(files[index] ?? '', replaceAll(bytes, template.id, id))

  const second = await begin(folder)
  try {
    const all = [...own, ...others]
    const chosen = Array.from({ length: asked }, (_, n) => all[made + Math.floor((n * (count - made)) / asked)]).filter(
      (merchant) => merchant !== undefined,
    )
    await retrieve(second, template)
    const memory = await second.memory()
    const [asleep, awake]: [number[], number[]] = [[], []]
    for (const merchant of chosen) asleep.push(await retrieve(second, merchant))
    const memoryAwake = await second.memory()
    for (const merchant of chosen) awake.push(await retrieve(second, merchant))
    const top = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0
    return {
      count,
      createdMs,
      bytesEach: bytes.length,
      bytesWithLog,
      memory,
      bytesAwake: ((memoryAwake - memory) / chosen.length) * 2 ** 20,
      asleep: { p50: median(asleep), p99: top(asleep) },
      awake: { p50: median(awake), p99: top(awake) },
    }
  } finally {
    await second.stop()
  }
}
