import { env } from 'cloudflare:workers'
import { getTableName, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  derivedTables,
  directoryTables,
  merchantTables,
  transientTables,
} from '../../../src/catalogue/resources/merchant-tables.ts'
import { compile } from '../../../src/platform/db/database.ts'
import { filling } from '../../support/filled.ts'
import { tables } from '../../support/tables.ts'

const names = merchantTables.map(({ table }) => getTableName(table))

test('every table is in exactly one list', () => {
  const listed = [...names, ...[derivedTables, directoryTables, transientTables].flat().map(getTableName)]
  expect(listed.toSorted()).toEqual([...new Set(tables.map(getTableName))].sort())
})

test('a table refers only to tables before it', async () => {
  const known = new Set(directoryTables.map(getTableName))
  for (const name of names) {
    const { results } = await env.DB.prepare(`select "table" as target from pragma_foreign_key_list('${name}')`).all()
    expect([name, results.filter(({ target }) => !known.has(String(target)))]).toEqual([name, []])
    known.add(name)
  }
})

test('the rows of a merchant are its own, and the key orders them by an index', async () => {
  const every = new Set(tables.map(getTableName))
  for (const n of [1, 2]) await env.DB.batch(filling(every, n).map((statement) => env.DB.prepare(statement)))
  for (const { table, rows, key } of merchantTables) {
    const order = sql.join([...key], sql`, `)
    const { sql: text } = compile(sql`select ${order} from ${rows} order by ${order}`)
    const found = await env.DB.prepare(text).bind('mer_1').raw()
    const { results: plan } = await env.DB.prepare(`explain query plan ${text}`).bind('mer_1').all()
    expect([getTableName(table), found.length]).toEqual([getTableName(table), expect.toBeOneOf([2, 3])])
    expect(new Set(found.map((row) => JSON.stringify(row))).size).toBe(found.length)
    expect(JSON.stringify(found)).not.toMatch(/[a-z]_2\d|(?:ART|order|alias)-2\d|\b2\d,/)
    expect(plan.map(({ detail }) => String(detail)).filter((step) => /TEMP B-TREE|SCAN/.test(step))).toEqual([])
  }
})
