import { env } from 'cloudflare:workers'
import { getTableName } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { cacheHome } from '../../../src/platform/db/home/home.ts'
import { merchantDatabase } from '../../../src/platform/db/home/merchant-connection.ts'
import { firstPosition, splitPage } from '../../../src/platform/db/home/row-pages.ts'
import { cleanUpMoves } from '../../../src/tenancy/move/clean-up.ts'
import { movedTables, toNumberBase } from '../../../src/tenancy/move/moved-tables.ts'
import { runMove } from '../../../src/tenancy/move/run-move.ts'
import { filling } from '../../support/filled.ts'
import { findObject, queryHome } from '../../support/home.ts'
import { finishMoveOf, moveTo, startMove } from '../../support/moves.ts'
import { tables } from '../../support/tables.ts'

const merchantId = 'mer_1'
/** Columns of a product that a copy takes over. */
const columns =
  'title, price, description, visible, taxable, use_custom_tax_rate, tax_rate, calories, manage_stock, stock_quantity, type, upc, sku, images, metadata, modifiers'
const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .all()
const count = async (sql: string, ...values: unknown[]) => (await run(sql, ...values)).results.length

/** All rows of a merchant by table, with the numbers that they have after a move from object `base`. */
async function readAll(id: string, base = 0) {
  const database = merchantDatabase(env, { merchantId: id, home: undefined })
  const all: [string, unknown][] = []
  for (const table of movedTables) {
    const [found = []] = await database.run([
      table.statements.page(),
      { merchantId: id, base, ...firstPosition(table) },
    ])
    // Columns that a database numbers again, and entries of the moves themselves.
    const isNew = ({ name }: { name: string }) => ['stock_adjustments', 'orders', 'idempotency_keys'].includes(name)
    const rows = splitPage(found).rows.filter(({ operation }) => operation !== 'merchants.move')
    all.push([table.name, rows.map((row) => (isNew(table) ? { ...row, seq: 0 } : row))])
  }
  return all
}
const sorted = (all: Awaited<ReturnType<typeof readAll>>) =>
  all.map(([name, rows]) => [name, Array.isArray(rows) ? rows.map((row) => JSON.stringify(row)).sort() : rows])

beforeEach(async () => {
  cacheHome(merchantId, 'd1')
  const names = tables.map(getTableName)
  await env.DB.batch([
    env.DB.prepare('pragma defer_foreign_keys = on'),
    ...names.map((name) => env.DB.prepare(`delete from "${name}"`)),
  ])
  for (const n of [1, 2])
    await env.DB.batch(
      filling(new Set(names.concat(names.map((name) => `${name}_search`))), n).map((sql) => env.DB.prepare(sql)),
    )
  for (const table of ['idempotency_keys', 'scan_receipts'])
    await run(`update ${table} set merchant_id = 'mer_1' where id like '%1_'`)
})

describe('every row of a merchant', () => {
  test('is in the object after a move, with its number, and those of others are not touched', async () => {
    const [own, other] = [await readAll('mer_1'), await readAll('mer_2')]
    // Deliveries to platform webhooks: test/webhooks/platform.
    const empty = own.filter(([, rows]) => Array.isArray(rows) && rows.length === 0).map(([name]) => name)
    expect(empty).toEqual(['tag_names', 'deliveries'])
    expect(await moveTo(merchantId, 'object')).toMatchObject({ state: 'done', home: 'object' })
    expect(await findObject(merchantId)).toBeDefined()
    // Names of earlier releases are given to their merchant.
    const named = own.map(([name, rows]) =>
      name === 'tag_names' && Array.isArray(rows)
        ? [name, rows.map((row) => ({ ...row, merchant_id: 'mer_1' }))]
        : [name, rows],
    )
    expect(await readAll('mer_1')).toEqual(named)
    expect(await readAll('mer_2')).toEqual(other)
  })

  test('is back after a move back, with numbers that no other merchant has', async () => {
    await moveTo(merchantId, 'object')
    const object = await findObject(merchantId)
    const before = await readAll('mer_1', toNumberBase(object?.home.object ?? 0))
    const other = await readAll('mer_2')
    expect(await moveTo(merchantId, 'd1')).toMatchObject({ state: 'done', home: 'd1' })
    expect(await findObject(merchantId)).toBeUndefined()
    expect(sorted(await readAll('mer_1'))).toEqual(sorted(before))
    expect(await readAll('mer_2')).toEqual(other)
    const seqs = (await run('select seq from products where merchant_id = ? order by seq', merchantId)).results
    expect(seqs).toEqual([13, 12, 11].map((n) => ({ seq: -(toNumberBase(object?.home.object ?? 0) + n) })))
    await run(
      `insert into products (seq, id, merchant_id, test_mode, created_at, updated_at, version, ${columns})
       select 1 + max(seq), 'x', merchant_id, 0, 1, 1, 1, ${columns} from products where merchant_id = 'mer_2'`,
    )
    expect(await moveTo(merchantId, 'object')).toMatchObject({ state: 'done' })
    expect(sorted(await readAll('mer_1'))).toEqual(sorted(before))
  })

  test('is removed from the shared database a week later, but names and audit entries stay', async () => {
    await moveTo(merchantId, 'object')
    const directory = directoryDatabase(env)
    const now = Math.floor(Date.now() / 1000)
    await cleanUpMoves(env, directory, now)
    expect(await count(`select 1 from products where merchant_id = 'mer_1'`)).toBe(3)
    await cleanUpMoves(env, directory, now + 8 * 86_400)
    const left: Record<string, number> = {}
    for (const { name, table } of movedTables)
      if ('merchantId' in table) left[name] = await count(`select 1 from ${name} where merchant_id = 'mer_1'`)
    expect(Object.entries(left).filter(([, rows]) => rows > 0)).toEqual([
      ['tag_names', 3],
      ['audit', 4],
      ['idempotency_keys', 3],
      ['scan_receipts', 3],
      // Calls of guests and staged values expire within the hour, whatever home they were stored at.
      ['tag_requests', 3],
      ['staged_values', 3],
    ])
    expect(await count(`select 1 from products where merchant_id = 'mer_2'`)).toBe(3)
    expect((await queryHome(merchantId, 'select id from products')).length).toBe(3)
  })
})

test('a change of each table while rows are copied arrives', async () => {
  await startMove(merchantId, { home: 'object' })
  // The move waits until all isolates use the new home.
  expect(await runMove(env, merchantId)).toBeGreaterThan(0)
  const changes = [
    `update products set title = 'Changed', version = version + 1 where id = 'prod_11'`,
    `delete from product_modifiers where owner = 12`,
    `delete from menu_products where target = 13`,
    `delete from coupon_products where target = 13`,
    `delete from products where id = 'prod_13'`,
    `update coupons set code_key = 'x' where id = 'coup_11'`,
    `update coupons set code_key = 'ten11' where id = 'coup_12'`,
    `update coupon_limits set max_redemptions = 6 where coupon = 11`,
    `update customers set last_name = 'Changed', version = version + 1 where id = 'cus_11'`,
    `update deliveries set state = 'delivered', attempt = 1 where webhook = 11`,
    `delete from external_ids where external_id = 'ART-11'`,
    `insert into external_ids (merchant_id, test_mode, resource, external_id, object) values ('mer_1', 1, 'products', 'NEW', 11)`,
    `update scan_counts set count = count + 1 where tag = 'tag_11'`,
    `update redemptions set state = 'released' where id = 'red_11'`,
    `delete from events where id = 'evt_11'`,
    `delete from tags where id = 'tag_12'`,
    `update products set title = 'Not moved' where id = 'prod_21'`,
  ]
  await env.DB.batch(changes.map((sql) => env.DB.prepare(sql)))
  const own = await readAll('mer_1')
  expect(await finishMoveOf(merchantId)).toMatchObject({ state: 'done' })
  expect(sorted(await readAll('mer_1'))).toEqual(sorted(own))
  expect(
    await count('select 1 from move_changes where merchant_id <> ? and json_array_length(key) > 0', merchantId),
  ).toBe(0)
})
