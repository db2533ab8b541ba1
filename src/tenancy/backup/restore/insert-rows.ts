import { eq, getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { merchantTables, rowReferences, sideColumns } from '../../../catalogue/resources/merchant-tables.ts'
import { resourceList } from '../../../catalogue/resources/registry.ts'
import { allOf, compile, lazy, param, type Statement } from '../../../platform/db/database.ts'
import { hiddenModes, type ResourceTable } from '../../../platform/db/schema/resource-columns.ts'
import { tagNameTable } from '../../../platform/db/schema/resources/tags.ts'
import { scanCountTable, scanHourTable } from '../../../platform/db/schema/scan-counts.ts'
import { bareColumn, excluded, sqlName } from '../../../platform/db/sql-name.ts'
import { resourceIdentities } from '../../../platform/names.ts'

const join = (parts: readonly SQL[]) => sql.join([...parts], sql`, `)
const quoted = (text: string) => sql.raw(`'${text}'`)

/** SQL for the row number of the merchant's object with a given id. */
const seqOf = (table: ResourceTable, id: SQL) =>
  sql`(select ${table.seq} from ${table} where ${allOf(eq(table.merchantId, param('merchantId')), sql`${table.testMode} in (0, 1, ${hiddenModes}, ${hiddenModes + 1})`, eq(table.id, id))})`

const objectTables = resourceList.map(({ name, table }) => ({ path: resourceIdentities[name].path, table }))

/** SQL for a column of a restored row; `member` is SQL for a value of the row. */
function toValue(key: string, column: SQLiteColumn, member: (name: string) => SQL): SQL {
  const value = member(sqlName(key))
  if (key === 'merchantId') return sql`${param('merchantId')}`
  const target = rowReferences.get(column)
  if (target) return seqOf(target, value)
  if (sideColumns.has(column)) {
    const cases = objectTables.map((each) => sql`when ${quoted(each.path)} then ${seqOf(each.table, value)}`)
    return sql`case ${member('resource')} ${sql.join(cases, sql` `)} end`
  }
  // A backup of an earlier release lacks columns that later releases added.
  return column.hasDefault ? sql`coalesce(${value}, ${sql.param(column.default, column)})` : value
}

/** Handling of existing rows, so that a page can be inserted again. Names of tags stay after their tags are deleted. */
const conflicts: ReadonlyMap<SQLiteTable, SQL> = new Map<SQLiteTable, SQL>([
  [
    tagNameTable,
    sql`(${bareColumn(tagNameTable.name)}) do update set ${bareColumn(tagNameTable.tag)} = ${excluded(tagNameTable.tag)}, ${bareColumn(tagNameTable.merchantId)} = ${excluded(tagNameTable.merchantId)}
      where ${tagNameTable.tag} is null and coalesce(${tagNameTable.merchantId}, ${excluded(tagNameTable.merchantId)}) = ${excluded(tagNameTable.merchantId)}`,
  ],
  [
    scanCountTable,
    // The receipts are those of the scans that the count has.
    sql`do update set ${join(
      [
        ...[scanCountTable.count, scanCountTable.receipts, scanCountTable.keepsReceipts],
        ...[scanCountTable.hours, scanCountTable.testMode],
      ].map((column) => sql`${bareColumn(column)} = ${excluded(column)}`),
    )}`,
  ],
  [scanHourTable, sql`do update set ${bareColumn(scanHourTable.counts)} = ${excluded(scanHourTable.counts)}`],
])

/** SQL for `on conflict`: replaces the row with the same value of a column by the inserted one. */
export function replaceOn(key: SQLiteColumn): SQL {
  const replaced = Object.values(getTableColumns(key.table)).filter((column) => column.name !== key.name)
  const set = replaced.map((column) => sql`${bareColumn(column)} = ${excluded(column)}`)
  return sql`(${bareColumn(key)}) do update set ${join(set)}`
}

/** Maximum length of a page as JSON, in UTF-16 units. The database limits a value to 2 MB. A larger row is inserted alone. */
export const maxPageUnits = 500_000

/**
 * A statement that inserts rows of a backup in which ids replace row numbers. The rows come from the JSON list `:rows`; a single large row has one
 * parameter per column. Takes `:merchantId`.
 */
export function createInsert(
  table: SQLiteTable,
  { isSingle = false, conflict = conflicts.get(table) ?? sql`do nothing`, where = sql`true` } = {},
): Statement {
  const columns = Object.entries(getTableColumns(table)).filter(([key, { primary }]) => !(key === 'seq' && primary))
  const member = (name: string) => (isSingle ? sql`${param(name)}` : sql`entry.value ->> ${quoted(`$.${name}`)}`)
  const names = columns.map(([key]) => sql`${sql.identifier(sqlName(key))}`)
  const values = columns.map(([key, column]) => toValue(key, column, member))
  const from = isSingle ? sql`` : sql`from json_each(${param('rows')}) as entry`
  return compile(
    sql`insert into ${table} (${join(names)}) select ${join(values)} ${from} where ${where} on conflict ${conflict}`,
  )
}

/** The tables of a backup, with the statements that insert their rows. */
export const insertStatements = new Map(
  merchantTables.map(({ table, rows }) => [
    getTableName(table),
    {
      table,
      rows,
      /** Values of an empty row. */
      emptyRow: Object.fromEntries(Object.keys(getTableColumns(table)).map((key) => [sqlName(key), undefined])),
      insertList: lazy(() => createInsert(table)),
      insertRow: lazy(() => createInsert(table, { isSingle: true })),
    },
  ]),
)
