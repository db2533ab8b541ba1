import * as z from 'zod'
import { indexTerms } from '../src/platform/lib/search-terms.ts'
import { adminToken, type Running } from './platform.ts'

/** SQL that counts rows: creating a million over HTTP would take too long. */
const counter = (count: number, first = 1) =>
  `with recursive counter(n) as (select ${first} union all select n + 1 from counter where n < ${first + count - 1})`
/** Maximum number of rows that one statement inserts. */
const batchSize = 50_000

/** Id of the product with a number. */
export const productId = (n: number | string) => `prod_00${String(n).padStart(24, '0')}`
/** Products with this number or a higher one exist to be deleted. */
export const deletable = 100_000_000

const text = z.string().default('')
/** Fields that are read of a response; missing ones are empty. */
const responseShape = z.looseObject({ id: text, key: text, url: text })
type ResponseBody = z.output<typeof responseShape>

export async function call(running: Running, method: string, path: string, token: string, json?: object) {
  const response = await fetch(`http://127.0.0.1:${running.port}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const body = responseShape.parse(await response.json())
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`)
  return body
}

export interface Merchant {
  id: string
  key: string
}

export async function createMerchant(
  running: Running,
  fields: { home?: 'd1' | 'object' } = {},
): Promise<Merchant & { post: Poster }> {
  const { id } = await call(running, 'POST', '/admin/merchants', adminToken, {
    name: 'Venue',
    currency: 'EUR',
    orderingUrl: 'https://order.example.com/',
    ...fields,
  })
  const { key } = await call(running, 'POST', `/admin/merchants/${id}/keys`, adminToken, { mode: 'live' })
  const post: Poster = (path, json) => call(running, 'POST', `/merchants/${id}${path}`, key, json)
  return { id, key, post }
}
export type Poster = (path: string, json: object) => Promise<ResponseBody>

/** A product with all fields that venues commonly use. */
export const fullProduct = (modifiers: readonly string[] = []) => ({
  title: 'Flat white',
  description: 'Two ristretti under finely foamed milk, from beans of two farms.',
  price: 4.5,
  sku: 'COFFEE-{n}',
  upc: '4012345678901',
  calories: 120,
  taxRate: 7,
  images: [{ url: 'https://images.example.com/flat-white.jpg' }],
  metadata: [{ key: 'station', value: 'bar' }],
  modifiers,
})

/** Copies a product, each copy with words in the full-text index; one in `rarity` copies contains `needle`. */
export async function multiplyProducts(
  running: Running,
  merchant: string,
  template: string,
  count: number,
  { first = 1, rarity = 0 }: { first?: number; rarity?: number } = {},
) {
  const db = await running.database()
  const { results } = await db.prepare(`select name from pragma_table_info('products')`).all<{ name: string }>()
  const values: Record<string, string> = {
    seq: 'null',
    id: `printf('prod_00%024d', n)`,
    title: `'Dish ' || n`,
    sku: `'S' || n`,
    upc: `'U' || n`,
    updated_at: 'updated_at + n % 1000',
  }
  const [columns, selected] = [
    results.map(({ name }) => `"${name}"`),
    results.map(({ name }) => values[name] ?? `"${name}"`),
  ]
  const [usual, special] = [['hay'], ['hay', 'needle']].map((words) => indexTerms(merchant, 'l', { names: words }))
  for (let from = first; from < first + count; from += batchSize) {
    const size = Math.min(batchSize, first + count - from)
    const [low, high] = [from, from + size - 1].map(productId)
    await db
      .prepare(
        `${counter(size, from)} insert into products (${columns}) select ${selected} from products cross join counter where id = ? order by n`,
      )
      .bind(template)
      .run()
    await db
      .prepare(
        `insert into products_search (rowid, terms) select seq, case when seq % nullif(${rarity}, 0) = 0 then ? else ? end from products where id between ? and ?`,
      )
      .bind(special, usual, low, high)
      .run()
  }
}

/** Creates tags that no isolate has cached, and their copies in KV. */
export async function createTags(running: Running, merchant: string, count: number) {
  const db = await running.database()
  await db
    .prepare(
      `${counter(count)} insert into tags (id, merchant_id, test_mode, created_at, updated_at, version, nfc, metadata, code)
       select printf('tag_00%024d', n), ?, 0, 1, 1, 1, 0, '[]', printf('%016d', n) from counter`,
    )
    .bind(merchant)
    .run()
  await db
    .prepare(
      `insert into tag_names (name, tag) select code, seq from tags where merchant_id = ? and id < 'tag_01' order by code`,
    )
    .bind(merchant)
    .run()
  const names = await running.names()
  for (let n = 1; n <= count; ) {
    const puts: Promise<void>[] = []
    for (; n <= count && puts.length < 50; n++) {
      const code = String(n).padStart(16, '0')
      const entry = {
        version: 1,
        merchantId: merchant,
        id: `tag_00${String(n).padStart(24, '0')}`,
        code,
        testMode: false,
        nfc: false,
        shown: [],
        gone: false,
      }
      puts.push(names.put(`t:${code}`, JSON.stringify(entry)))
    }
    await Promise.all(puts)
  }
}

/** Creates further merchants, each with the given number of products. */
export async function multiplyMerchants(running: Running, merchant: string, count: number, products: number) {
  const db = await running.database()
  const copy = `printf('mer_00%024d', n)`
  const columnsOf = async (name: string) =>
    (await db.prepare(`select name from pragma_table_info('${name}')`).all<{ name: string }>()).results
  const merchantColumns = (await columnsOf('merchants')).map(({ name }) => `"${name}"`)
  await db
    .prepare(
      `${counter(count)} insert into merchants (${merchantColumns})
       select ${merchantColumns.map((name) => (name === '"id"' ? copy : name))} from merchants cross join counter where id = ?`,
    )
    .bind(merchant)
    .run()
  const results = await columnsOf('products')
  const others: Record<string, string> = {
    seq: 'null',
    id: `printf('prod_0%05d%020d', n, products.seq)`,
    merchant_id: copy,
  }
  await db
    .prepare(
      `${counter(count)} insert into products (${results.map(({ name }) => `"${name}"`)})
       select ${results.map(({ name }) => others[name] ?? `products."${name}"`)}
       from (select * from products where merchant_id = ? order by id limit ?) as products cross join counter`,
    )
    .bind(merchant, products)
    .run()
}
