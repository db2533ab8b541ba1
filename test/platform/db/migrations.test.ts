import { env } from 'cloudflare:workers'
import { getTableName } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { applyCopy, readCopy } from '../../support/create-tables.ts'
import { dropTables, listTables } from '../../support/drop-tables.ts'
import { filling } from '../../support/filled.ts'
import { tables } from '../../support/tables.ts'

type Row = Record<string, unknown>
/** Runs statements as one transaction and returns the rows of each. */
type Run = (...statements: string[]) => Promise<Row[][]>

const inD1: Run = async (...statements) => {
  const results = await env.BLANK.batch<Row>(statements.map((sql) => env.BLANK.prepare(sql)))
  return results.map((result) => result.results)
}
const inObject =
  (name: string): Run =>
  async (...statements) => {
    const request = { method: 'POST', body: JSON.stringify(statements) }
    const response = await env.SQLITE_OBJECT.fetch(`https://object/${name}`, request)
    if (!response.ok) throw new Error(await response.text())
    return response.json()
  }

beforeEach(() => dropTables(inD1))

const queries = (tag: string) => env.MIGRATIONS.find(({ name }) => name.startsWith(tag))?.queries ?? []
const numbers = env.MIGRATIONS.map(({ name }) => name.slice(0, 4))
const isSearch = (name: string) => name.endsWith('_search')

/** Everything that a migration has to keep: rows, triggers, indexes, sequences and what a search finds. */
async function contentsOf(run: Run) {
  const names = await listTables(run)
  const [data, search] = [names.filter((name) => !isSearch(name)), names.filter(isSearch)]
  // SQLite creates this table with the first table that needs it.
  const [sequence] = await run(`select name from sqlite_master where name = 'sqlite_sequence'`)
  const [schema = [], sequences = [], broken = [], ...rest] = await run(
    `select type, name, tbl_name, sql from sqlite_master where type in ('trigger', 'index') and sql is not null order by 1, 2`,
    sequence?.length === 1 ? 'select name, seq from sqlite_sequence order by name' : 'select 1 where false',
    'pragma foreign_key_check',
    ...data.map((name) => `select * from "${name}"`),
    ...search.flatMap((name) => [
      `select rowid from ${name} where ${name} match 'all' order by rowid`,
      `select rowid from ${name} where ${name} match '"word1"*' order by rowid`,
    ]),
  )
  expect(broken).toEqual([])
  const of = (type: string) =>
    Object.fromEntries(schema.filter((each) => each['type'] === type).map((each) => [each['name'], each['sql']]))
  return {
    rows: Object.fromEntries(data.map((name, index) => [name, rest[index] ?? []])),
    found: Object.fromEntries(
      search.map((name, index) => [
        name,
        rest.slice(data.length + 2 * index, data.length + 2 * index + 2).map((rows) => rows.map(({ rowid }) => rowid)),
      ]),
    ),
    triggers: of('trigger'),
    indexes: of('index'),
    sequences,
  }
}
type Contents = Awaited<ReturnType<typeof contentsOf>>

/** Rows as they were, by the columns that they had. */
const like = (rows: readonly Row[] = [], before: readonly Row[] = []) => {
  const [first = {}] = before
  const text = (row: Row) => JSON.stringify(Object.keys(first).map((column) => row[column]))
  return rows.map(text).sort()
}

/** Fails unless everything that there was is there still; indexes may go where a migration drops them by name. */
function expectAll(before: Contents, after: Contents, migration: readonly string[]) {
  for (const [name, rows] of Object.entries(before.rows)) {
    // A migration may add rows, for what is kept from then on.
    const kept = new Set(like(after.rows[name], rows))
    expect([name, like(rows, rows).filter((row) => !kept.has(row))]).toEqual([name, []])
  }
  expect(after.found).toMatchObject(before.found)
  expect(after.triggers).toMatchObject(before.triggers)
  const dropped = migration.flatMap((sql) => /DROP INDEX `(\w+)`/.exec(sql)?.[1] ?? [])
  const kept = Object.entries(before.indexes).filter(([name]) => !dropped.includes(name))
  expect(Object.keys(after.indexes)).toEqual(expect.arrayContaining(kept.map(([name]) => name)))
  expect(after.sequences).toEqual(before.sequences)
}

const places: [string, (name: string) => Run][] = [
  ['D1', () => inD1],
  ['the SQLite of a Durable Object', inObject],
]

describe.each(places)('in %s', (_, open) => {
  test('every migration keeps what the tables held before it: rows, links, triggers, indexes, sequences, search', async () => {
    const run = open('every')
    let before = await contentsOf(run)
    let rounds = 0
    let filled = 0
    for (const [index, { queries }] of env.MIGRATIONS.entries()) {
      await run(...queries)
      const after = await contentsOf(run)
      expectAll(before, after, queries)
      before = after
      const names = await listTables(run)
      if (names.length === filled && index % 8 > 0) continue
      // New tables, and sometimes more rows of all.
      await run(...filling(new Set(names), ++rounds))
      filled = names.length
      before = await contentsOf(run)
    }
    // The comparison is of something: every table there is was filled, and kept three rows of every round before.
    const rows = (table: string) => before.rows[table]?.length
    for (const table of tables.map(getTableName)) expect([table, rows(table) ?? 0]).not.toEqual([table, 0])
    expect(rounds).toBeGreaterThan(20)
    expect(rows('menu_products')).toBe(3 * rounds)
  })

  test('the comparison notices what a replaced table takes along', async () => {
    const run = open('lossy')
    for (const { queries } of env.MIGRATIONS) await run(...queries)
    await run(...filling(new Set(await listTables(run)), 1))
    const before = await contentsOf(run)
    const [{ sql } = {}] = (await run(`select sql from sqlite_master where name = 'menus'`))[0] ?? []
    const naive = [
      'PRAGMA defer_foreign_keys = ON',
      // SQLite renames no table while a view names a table that is not there.
      'DROP VIEW subscribed_events',
      String(sql).replaceAll('menus', '__new_menus'),
      'INSERT INTO __new_menus SELECT * FROM menus',
      'DROP TABLE menus',
      'ALTER TABLE __new_menus RENAME TO menus',
    ]
    await run(...naive)
    const after = await contentsOf(run)
    expect([before.rows['menu_products']?.length, after.rows['menu_products']?.length]).toEqual([3, 0])
    expect(() => expectAll(before, after, naive)).toThrow('menu_products')
  })
})

test('test files start with a copy of what the migrations create', async () => {
  const copy = await readCopy(env.DB)
  await applyCopy(env.BLANK, copy)
  const byKind = (a: { sql: string }, b: { sql: string }) => (a.sql < b.sql ? -1 : 1)
  expect((await readCopy(env.BLANK)).toSorted(byKind)).toEqual(copy.toSorted(byKind))
  expect(copy.some(({ values }) => values.includes('signing'))).toBe(true)
})

describe('a limit', () => {
  const titles = ['products', 'modifiers', 'menus', 'coupons', 'webhooks'].map((table) => `${table}.title`)

  test('is raised without a migration, also in a database that is older than this rule', async () => {
    for (const number of numbers.filter((number) => number <= '0005')) await inD1(...queries(number))
    await inD1(...filling(new Set(await listTables(inD1)), 1))
    for (const number of numbers.filter((number) => number > '0005')) await inD1(...queries(number))
    const long = 't'.repeat(10_000)
    for (const column of ['merchants.name', 'customers.first_name', 'customers.last_name', ...titles]) {
      const [table = '', name = ''] = column.split('.')
      const [, rows = []] = await inD1(
        `update ${table} set ${name} = '${long}'`,
        `select distinct ${name} as text from ${table}`,
      )
      expect([column, ...rows]).toEqual([column, { text: long }])
    }
  })

  test('is in no CHECK', async () => {
    const { results } = await env.DB.prepare(`select sql from sqlite_master where type = 'table'`).all<{
      sql: string
    }>()
    const checks = results.flatMap(({ sql }) => [...sql.matchAll(/CHECK\((.*)\)/g)].map(([, rule]) => rule))
    expect(checks.length).toBeGreaterThan(20)
    expect(checks.filter((rule) => /\blength\(|\d{2,}(?!'|\d)/.test(rule ?? ''))).toEqual([])
  })
})

test('an optional column with a CHECK is added to a filled table', async () => {
  for (const { queries } of env.MIGRATIONS) await inD1(...queries)
  await inD1(...filling(new Set(await listTables(inD1)), 1))
  const before = await contentsOf(inD1)
  const added = [
    `ALTER TABLE \`products\` ADD \`allergens\` text CONSTRAINT "products_allergens" CHECK(json_type("products"."allergens") = 'array')`,
  ]
  await inD1(...added)
  expectAll(before, await contentsOf(inD1), added)
  await inD1(`update products set allergens = '["nuts"]' where seq = 11`)
  await expect(inD1(`update products set allergens = '{}' where seq = 11`)).rejects.toThrow(
    'CHECK constraint failed: products_allergens',
  )
})
