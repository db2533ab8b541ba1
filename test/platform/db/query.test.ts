import { env } from 'cloudflare:workers'
import { eq, like, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { products } from '../../../src/catalogue/resources/products.ts'
import { compile, param } from '../../../src/platform/db/database.ts'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { db, insertSelect, selectList, setColumns, typed } from '../../../src/platform/db/query.ts'
import { merchantTable as merchants } from '../../../src/platform/db/schema/merchants.ts'

const { table } = products
const database = directoryDatabase(env)

const insertMerchant = compile(
  db.insert(merchants).values({ id: param('id'), name: param('name'), timezone: 'UTC', createdAt: 1, updatedAt: 1 }),
)
const fields = {
  id: merchants.id,
  title: merchants.name,
  currency: merchants.currency,
  products: sql<number>`count(${table.id})`,
}
const find = typed(fields, (select) =>
  db
    .select(select)
    .from(merchants)
    .leftJoin(table, eq(table.merchantId, merchants.id))
    .where(eq(merchants.id, param('id')))
    .groupBy(merchants.id),
)

describe('a statement of the query builder', () => {
  test('returns rows keyed and typed as its selection', async () => {
    await database.run([insertMerchant, { id: 'mer_q', name: 'Café' }])
    const [[row], [again]] = await database.run([find, { id: 'mer_q' }], [find, { id: 'mer_none' }])
    expect(row).toEqual({ id: 'mer_q', title: 'Café', currency: null, products: 0 })
    expect(again).toBeUndefined()
    const title: string | undefined = row?.title
    const currency: string | null | undefined = row?.currency
    const count: number | undefined = row?.products
    expect([title, currency, count]).toEqual(['Café', null, 0])
  })

  test('decodes booleans and JSON as their columns store them', () => {
    const { sql: text, read } = typed({ visible: table.visible, images: table.images }, (select) =>
      db.select(select).from(table).where(eq(table.visible, true)),
    )
    expect(text).toBe(
      'select "visible" as "visible", "images" as "images" from "products" where "products"."visible" = ?',
    )
    expect(read({ visible: 1, images: '[{"url":"https://a.example"}]' })).toEqual({
      visible: true,
      images: [{ url: 'https://a.example' }],
    })
  })

  test.each([
    ['a null where the column takes none', { id: null, price: 1 }],
    ['a value of another type', { id: 'prod_1', price: 'much' }],
    ['a column that is missing', { id: 'prod_1' }],
  ])('throws on %s', (_, row) => {
    const { read } = typed({ id: table.id, price: table.price }, (select) => db.select(select).from(table))
    expect(() => read(row)).toThrow('damaged row')
  })

  test('leaves a damaged row out of the result and keeps its neighbours', async () => {
    for (const id of ['mer_r1', 'mer_r2']) await database.run([insertMerchant, { id, name: id }])
    await env.DB.prepare(`update merchants set created_at = 'once' where id = 'mer_r1'`).run()
    const created = typed({ id: merchants.id, createdAt: merchants.createdAt }, (select) =>
      db.select(select).from(merchants).where(like(merchants.id, 'mer_r%')),
    )
    expect(await database.run([created, {}])).toEqual([[{ id: 'mer_r2', createdAt: 1 }]])
  })
})

describe('SQL that the builder cannot express', () => {
  test('names its columns by the schema', () => {
    const values = {
      id: param('id'),
      name: sql`upper(${param('name')})`,
      timezone: sql`'UTC'`,
      createdAt: sql`1`,
      updatedAt: sql`2`,
    }
    const { sql: insert, parameters } = compile(insertSelect(merchants, values, sql`where changes() > 0`))
    expect(insert).toBe(
      `insert into "merchants" (id, name, timezone, created_at, updated_at) select ?, upper(?), 'UTC', 1, 2 where changes() > 0`,
    )
    expect(parameters.map(({ name }) => name)).toEqual(['id', 'name'])
    const assignments = setColumns(merchants, { orderingUrl: sql`null`, updatedAt: param('now') })
    expect(compile(assignments).sql).toBe('"ordering_url" = null, "updated_at" = ?')
  })

  test('returns rows keyed as its selection', async () => {
    const selected = { merchant: merchants.id, size: sql<number>`length(${merchants.name})` }
    const find = typed(
      selected,
      () => sql`select ${selectList(selected)} from ${merchants} where ${merchants.id} = 'mer_s'`,
    )
    const [, rows] = await database.run([insertMerchant, { id: 'mer_s', name: 'Café' }], [find, {}])
    expect(rows).toEqual([{ merchant: 'mer_s', size: 4 }])
  })

  test('requires the columns that an insert requires', () => {
    // @ts-expect-error: `timezone` and the times are missing
    insertSelect(merchants, { id: param('id'), name: param('name') }, sql``)
    // @ts-expect-error: the column does not exist
    expect(() => setColumns(merchants, { title: sql`1` })).toThrow('has no column title')
  })
})
