import { env } from 'cloudflare:workers'
import { getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { sqlName } from '../../../src/platform/db/sql-name.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { samples } from '../../support/samples.ts'
import { tables } from '../../support/tables.ts'

/** For each table and check the values, as SQL, of a column that no handler may ever store. */
type Refused = Record<string, [column: string, ...values: string[]][]>
const base: Refused = {
  times: [['updated_at', 'created_at - 1', '-1']],
  version: [['version', '0', '-1']],
}
const refused: Record<string, Refused> = {
  merchants: {
    prices_include_tax: [['prices_include_tax', '2', "'true'"]],
    tax_rate: [['tax_rate', "'half'", "x'00'"]],
    tax_rounding: [['tax_rounding', "'total'", "''"]],
    day_starts_at: [['day_starts_at', "'2400'", "'960'", "'0960'", "'4:00'"]],
    address: [['address', "'[]'", "'1'", "'null'"]],
    opening_hours: [['opening_hours', "'{}'", "'1'", "'null'"]],
    closures: [['closures', "'{}'", "'1'", "'null'"]],
    special_hours: [['special_hours', "'{}'", "'1'", "'null'"]],
    destination_hosts: [['destination_hosts', "'{}'", "'1'", "'null'"]],
    hours_close: [['hours_close', '2', "'true'"]],
    menu_bar: [['menu_bar', "'[]'", "'1'", "'null'"]],
    notes: [['notes', "'{}'", "'1'", "'null'"]],
    tax_rates: [['tax_rates', "'[]'", "'1'", "'null'"]],
    cash_rounding: [['cash_rounding', "'much'", "x'00'"]],
  },
  keys: {
    scopes: [['scopes', "'{}'", "'1'", "'null'"]],
    allowed_ips: [['allowed_ips', "'{}'", "'1'", "'null'"]],
  },
  products: {
    ...base,
    price: [['price', "'free'", "''", "x'00'"]],
    tax_rate: [['tax_rate', "'half'"]],
    calories: [['calories', "'none'"]],
    type: [['type', "'VARIABLE'", "''"]],
    flags: ['visible', 'taxable', 'use_custom_tax_rate', 'manage_stock'].map((flag) => [flag, '2', '-1', "'true'"]),
    images: [['images', "'{}'", "'1'"]],
    metadata: [['metadata', "'{}'", "'null'"]],
    modifiers: [['modifiers', "'{}'", `'"mod_1"'`]],
  },
  modifiers: {
    ...base,
    type: [['type', "'SELECT'", "'radio'"]],
    rules: [['rules', "'[]'", "'true'"]],
    options: [['options', "'{}'"]],
  },
  menus: {
    ...base,
    flags: ['show_section_navigation', 'visible', 'all_day_menu'].map((flag) => [flag, '2', '-1']),
    window: [
      ['begin', "'0900'"],
      ['end', "'0900'"],
      ['all_day_menu', '0'],
      ['"begin", "end"', "('0900', '0900')"],
    ],
    begin: [['"begin", "end"', "('2400', '1000')", "('960', '1000')", "('0960', '1000')", "('9:00', '1000')"]],
    end: [['"begin", "end"', "('1000', '2401')", "('1000', '1060')", "('1000', 'noon')"]],
    branding: [['branding', "'[]'"]],
    sections: [['sections', "'{}'"]],
  },
  coupons: {
    ...base,
    value: [['value', "'half'"]],
    type: [['type', "'percentage'", "'FREE'"]],
    minimum: [['minimum_order_amount', "'much'"]],
    redeemed: [['times_redeemed', "'often'"]],
    flags: ['active', 'individual_use', 'apply_to_all_products'].map((flag) => [flag, '2']),
    products: [['products', "'{}'"]],
  },
  customers: base,
  tags: {
    ...base,
    flags: [
      ['nfc', '2'],
      ['test_mode', '2', '-1'],
    ],
    metadata: [['metadata', "'{}'"]],
  },
  webhooks: {
    ...base,
    events: [['events', "'{}'", `'"*"'`]],
    flags: [['active', '2']],
    secrets: [['secrets', "'{}'"]],
  },
}

const run = (sql: string) => env.DB.prepare(sql).run()
const idOf = async (venue: Venue, collection: string, body: object): Promise<string> =>
  (await venue.post(`/${collection}`, body)).body.id

const known = new Map<string, string>()
let venue: Venue
let modifier: string
beforeAll(async () => {
  venue = await createVenue()
  modifier = await idOf(venue, 'modifiers', { title: 'x', instructions: '' })
  const product = await idOf(venue, 'products', { title: 'x', price: 1, modifiers: [modifier] })
  known
    .set('merchants', venue.id)
    .set('keys', venue.keyId)
    .set('modifiers', modifier)
    .set('products', product)
    .set('menus', await idOf(venue, 'menus', { title: 'x', sections: [{ items: [product] }] }))
    .set(
      'coupons',
      await idOf(venue, 'coupons', { title: 'x', code: 'X', type: 'PERCENTAGE', value: 1, products: [product] }),
    )
    .set('customers', await idOf(venue, 'customers', { firstName: 'x', lastName: 'y' }))
    .set('tags', await idOf(venue, 'tags', {}))
    .set('webhooks', await idOf(venue, 'webhooks', { title: 'x', url: 'https://hooks.example.com/' }))
  for (const { collection, body } of samples)
    if (!known.has(collection)) known.set(collection, await idOf(venue, collection, body('x')))
})

const isObject = (table: SQLiteTable) =>
  getTableName(table) === 'merchants' || getTableName(table) === 'keys' || 'seq' in getTableColumns(table)
/** These rows are numbered like objects, but are not objects. */
const records: ReadonlySet<string> = new Set([
  'events',
  'idempotency_keys',
  'stock_adjustments',
  'orders',
  'platform_webhooks',
])
const objects = tables.filter((table) => isObject(table) && !records.has(getTableName(table)))

describe.each(objects.map((table) => [getTableName(table), table] as const))('a row of %s', (name, table) => {
  const set = (column: string, value: string) =>
    run(
      `update ${name} set ${column.includes(',') ? `(${column})` : `"${column}"`} = ${value} where id = '${known.get(name)}'`,
    )

  test('passes no check with a value that breaks it', async () => {
    const checks = refused[name] ?? ('version' in getTableColumns(table) ? base : {})
    for (const [check, columns] of Object.entries(checks)) {
      for (const [column, ...values] of columns) {
        for (const value of values) {
          await expect(set(column, value), `${column} = ${value}`).rejects.toThrow(
            `CHECK constraint failed: ${name}_${check}`,
          )
        }
      }
    }
    const declared = getTableConfig(table).checks.map((check) => check.name)
    expect(
      Object.keys(checks)
        .map((check) => `${name}_${check}`)
        .sort(),
    ).toEqual(declared.sort())
  })

  test('holds JSON where it says so', async () => {
    for (const [key, column] of Object.entries(getTableColumns(table))) {
      // The fields of imported tags are written by one route, and read back unchanged.
      if (column.columnType !== 'SQLiteTextJson' || key === 'legacy') continue
      await expect(set(sqlName(key), "'{'"), key).rejects.toThrow(/malformed JSON|CHECK constraint failed/)
    }
  })

  test('lacks nothing that must be there', async () => {
    for (const [key, column] of Object.entries(getTableColumns(table))) {
      if (key === 'seq') continue
      const changed = set(sqlName(key), 'null')
      if (column.notNull)
        await expect(changed, key).rejects.toThrow(`NOT NULL constraint failed: ${name}.${sqlName(key)}`)
      else await changed
    }
  })

  test('belongs to a merchant that exists', async () => {
    if (name === 'merchants') {
      await expect(run(`delete from merchants where id = '${venue.id}'`)).rejects.toThrow(
        'FOREIGN KEY constraint failed',
      )
    } else {
      await expect(set('merchant_id', "'mer_1'")).rejects.toThrow('FOREIGN KEY constraint failed')
    }
  })

  test('cannot be inserted twice', async () => {
    const columns = Object.keys(getTableColumns(table))
      .filter((key) => key !== 'seq')
      .map(sqlName)
    /** A copy of the row in which some columns differ. */
    const copy = (different: Record<string, string>) =>
      run(
        `insert into ${name} (${columns.map((column) => `"${column}"`)})
         select ${columns.map((column) => different[column] ?? `"${column}"`)} from ${name} where id = '${known.get(name)}'`,
      )
    const another = {
      id: "id || 'x'",
      code: 'upper(hex(randomblob(8)))',
      code_key: "code_key || 'x'",
      hash: "hash || 'x'",
    }
    for (const { config } of getTableConfig(table).indexes.filter((index) => index.config.unique)) {
      const indexed = config.columns.map((column) => sqlName(String(Reflect.get(column, 'name'))))
      const rest = Object.fromEntries(Object.entries(another).filter(([column]) => !indexed.includes(column)))
      // Two unique indexes of tags contain their id; the message may name either.
      const own = `${name}.${indexed.at(-1)}`
      await expect(copy(rest), config.name).rejects.toThrow(new RegExp(`UNIQUE constraint failed: .*${own}`))
    }
    if (name === 'merchants') await expect(copy({})).rejects.toThrow('UNIQUE constraint failed: merchants.id')
    const { meta } = await copy(another)
    // A trigger on merchants inserts two rows.
    expect(meta.changes).toBe(name === 'merchants' ? 3 : 1)
    await run(`delete from ${name} where id = '${known.get(name)}x'`)
  })
})

describe('a link', () => {
  test.each([
    ['menu_products', 'menus', 'products'],
    ['coupon_products', 'coupons', 'products'],
    ['product_modifiers', 'products', 'modifiers'],
  ])('of %s needs both ends, once', async (links, owners, targets) => {
    const [owner, target] = [owners, targets].map((name) => `(select seq from ${name} where id = '${known.get(name)}')`)
    const insert = (from: string, to: string) => run(`insert into ${links} (owner, target) values (${from}, ${to})`)
    await expect(insert(`${owner}`, `${target}`)).rejects.toThrow(
      `UNIQUE constraint failed: ${links}.owner, ${links}.target`,
    )
    await expect(insert(`${owner}`, '-1')).rejects.toThrow('FOREIGN KEY constraint failed')
    await expect(insert('-1', `${target}`)).rejects.toThrow('FOREIGN KEY constraint failed')
    await expect(insert('null', `${target}`)).rejects.toThrow('NOT NULL constraint failed')
    await expect(run(`delete from ${targets} where seq = ${target}`)).rejects.toThrow('FOREIGN KEY constraint failed')
  })

  test('is deleted with its owner', async () => {
    const { id } = (await venue.post('/products', { title: 'x', price: 1, modifiers: [modifier] })).body
    const count = async () =>
      (await env.DB.prepare('select count(*) as n from product_modifiers').first<number>('n')) ?? 0
    const before = await count()
    await venue.remove(`/products/${id}`)
    expect(await count()).toBe(before - 1)
    expect((await env.DB.prepare('pragma foreign_key_check').all()).results).toEqual([])
  })
})
