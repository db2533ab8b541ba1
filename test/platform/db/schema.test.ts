import { env } from 'cloudflare:workers'
import { getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig, getViewConfig } from 'drizzle-orm/sqlite-core'
import { describe, expect, test } from 'vitest'
import { resourceList } from '../../../src/catalogue/resources/registry.ts'
import { compile } from '../../../src/platform/db/database.ts'
import { subscribedEventView } from '../../../src/platform/db/schema/subscribed-events.ts'
import { sqlName } from '../../../src/platform/db/sql-name.ts'
import { tables } from '../../support/tables.ts'

const request = async (sql: string) => (await env.DB.prepare(sql).all<Record<string, unknown>>()).results
const namesOf = (columns: readonly unknown[]) =>
  columns.map((column) => sqlName(String(Reflect.get(Object(column), 'name'))))

const byName = (a: { name: unknown }, b: { name: unknown }) => (String(a.name) < String(b.name) ? -1 : 1)

/** The named CHECKs of a CREATE TABLE, at the end, or with a column that ALTER TABLE added. */
function checksIn(sql: string) {
  return [...sql.matchAll(/CONSTRAINT "(\w+)" CHECK\(/g)].map(({ 0: start, 1: name, index }) => {
    const from = index + start.length
    let [depth, end, isText] = [1, from, false]
    for (; depth > 0 && end < sql.length; end++) {
      const character = sql.charAt(end)
      if (character === "'") isText = !isText
      else if (!isText) depth += character === '(' ? 1 : character === ')' ? -1 : 0
    }
    return { name, rule: sql.slice(from, end - 1) }
  })
}

test('a CHECK is found at every position', () => {
  const sql = `CREATE TABLE t (a text, CONSTRAINT "t_a" CHECK(a in ('(', 'x'))
, b text CONSTRAINT "t_b" CHECK(json_type(b) = 'array'), c text)`
  expect(checksIn(sql)).toEqual([
    { name: 't_a', rule: "a in ('(', 'x')" },
    { name: 't_b', rule: "json_type(b) = 'array'" },
  ])
})

describe.each(tables.map((table) => [getTableName(table), table] as const))('the table %s', (name, table) => {
  const config = getTableConfig(table)

  test('has the declared columns', async () => {
    const found = await request(
      `select name, lower(type) as type, "notnull", pk from pragma_table_info('${name}') order by name`,
    )
    const primary = config.primaryKeys.flatMap(({ columns }) => namesOf(columns))
    const declared = Object.entries(getTableColumns(table)).map(([key, column]) => ({
      name: sqlName(key),
      type: column.getSQLType(),
      notnull: Number(column.notNull),
      pk: column.primary ? 1 : primary.indexOf(sqlName(key)) + 1,
    }))
    expect(found).toEqual(declared.sort(byName))
  })

  test('has the declared indexes', async () => {
    const found = await request(
      `select list.name, list."unique", partial, group_concat(info.name) as columns
       from pragma_index_list('${name}') as list join pragma_index_info(list.name) as info
       where origin = 'c' group by list.name order by list.name`,
    )
    const declared = config.indexes.map(({ config: { name: index, unique, columns, where } }) => ({
      name: index,
      unique: Number(unique),
      partial: Number(where !== undefined),
      columns: `${namesOf(columns)}`,
    }))
    expect(found).toEqual(declared.sort(byName))
  })

  test('has the declared foreign keys and checks', async () => {
    const found = await request(
      `select "from", "table", "to", lower(on_delete) as on_delete from pragma_foreign_key_list('${name}') order by "from"`,
    )
    const declared = config.foreignKeys.map(({ reference, onDelete }) => {
      const { columns, foreignTable, foreignColumns } = reference()
      const [from, to] = [namesOf(columns)[0], namesOf(foreignColumns)[0]]
      return { from, table: getTableName(foreignTable), to, on_delete: onDelete ?? 'no action' }
    })
    expect(found).toEqual(declared.sort((a, b) => (`${a.from}` < `${b.from}` ? -1 : 1)))

    const [{ sql = '' } = {}] = await request(`select sql from sqlite_master where type = 'table' and name = '${name}'`)
    const declaredChecks = config.checks.map(({ name: check, value }) => ({ name: check, rule: compile(value).sql }))
    expect(checksIn(String(sql)).sort(byName)).toEqual(declaredChecks.sort(byName))
  })
})

test('the database has only the declared tables and those of full-text search', async () => {
  const found = await request(
    `select name from sqlite_master where type = 'table' and sql not like '%VIRTUAL%'
     and name not glob '*_search_*' and name not glob 'd1_*' and name not glob '_cf*' and name not glob 'sqlite*' order by name`,
  )
  expect(found.map(({ name }) => name)).toEqual(tables.map(getTableName).sort())
})

/** Keywords that SQLite does not accept as a name without quotes: https://www.sqlite.org/lang_keywords.html, without those that it does. */
const keywords = new Set(
  'add all alter and as autoincrement between case check collate commit constraint create default deferrable delete distinct drop else escape except exists foreign from group having in index insert intersect into is isnull join limit not nothing notnull null on or order primary references returning select set table then to transaction union unique update using values when where'.split(
    ' ',
  ),
)

test('no column has the name of a keyword, because statements write the names without quotes', async () => {
  for (const keyword of ['order', 'index', 'group'])
    await expect(request(`select 1 as x, ${keyword}`)).rejects.toThrow()
  const names = tables.flatMap((table) => Object.keys(getTableColumns(table)).map(sqlName))
  expect(names.filter((name) => keywords.has(name) || !/^[a-z]\w*$/.test(name))).toEqual([])
})

test('the database has the declared view', async () => {
  const { name, query } = getViewConfig(subscribedEventView)
  const views = await request(`select name, sql from sqlite_master where type = 'view'`)
  expect(views).toEqual([{ name, sql: `CREATE VIEW \`${name}\` AS ${query && compile(query).sql}` }])
})

test('every resource has a full-text index, and triggers that delete its terms and external ids', async () => {
  const names = resourceList.map(({ table }) => getTableName(table)).sort()
  const virtual = await request(`select name from sqlite_master where sql like 'CREATE VIRTUAL TABLE%' order by name`)
  expect(virtual.map(({ name }) => name)).toEqual(names.map((name) => `${name}_search`).sort())
  for (const purpose of ['search', 'external_id']) {
    const triggers = await request(
      `select tbl_name from sqlite_master where name glob '*_${purpose}*_delete' and sql like '%AFTER DELETE%' order by 1`,
    )
    expect(
      triggers.map(({ tbl_name }) => tbl_name),
      purpose,
    ).toEqual(names)
  }
})
