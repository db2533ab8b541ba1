import { type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { compile, lazy, param, type Statement } from '../../platform/db/database.ts'
import { couponCodeTable } from '../../platform/db/schema/checkout/coupon-codes.ts'
import { merchantTable } from '../../platform/db/schema/merchants.ts'
import { couponTable } from '../../platform/db/schema/resources/coupons.ts'
import { bareColumn, excluded, sqlName } from '../../platform/db/sql-name.ts'

/** SQL of parts with a separator. */
export const join = (parts: readonly SQL[], separator = sql`, `) => sql.join([...parts], separator)
/** Names of columns without their table. */
export const names = (columns: readonly SQLiteColumn[]) => join(columns.map((column) => sql`${bareColumn(column)}`))

interface UpsertedTable {
  table: SQLiteTable
  columns: readonly SQLiteColumn[]
  identity: readonly SQLiteColumn[]
  /** The rows are objects of a resource, to which other rows belong. */
  isResource: boolean
}

/** SQL for "the rows exist that this row refers to". A row whose parents were not copied yet comes later, with the changes. */
function hasParents(table: SQLiteTable): SQL {
  const parents = getTableConfig(table).foreignKeys.flatMap((key) => {
    const { columns, foreignColumns, foreignTable } = key.reference()
    const [column, parent] = [columns[0], foreignColumns[0]]
    if (!column || !parent || foreignTable === merchantTable) return []
    // Coupons have a column `value`.
    const value = sql`moved.value ->> ${sql.raw(`'$.${sqlName(column.name)}'`)}`
    return [sql`(${value} is null or exists (select 1 from ${foreignTable} where ${parent} = ${value}))`]
  })
  return join([sql`true`, ...parents], sql` and `)
}

/** Whether rows have unique values besides those that identify them. */
function hasOtherKeys(table: SQLiteTable): boolean {
  const { columns, indexes, primaryKeys, uniqueConstraints } = getTableConfig(table)
  const keys = [...primaryKeys, ...uniqueConstraints, ...indexes.filter(({ config }) => config.unique)]
  return keys.length + columns.filter(({ primary }) => primary).length > 1
}

/**
 * A statement that inserts `:rows`, a JSON list of rows as the source returned them, or updates them. A row with other unique values and without
 * dependent rows replaces every row that has one of them: the source has changed those rows, and a later change copies them again. Triggers do not see
 * that a row is replaced, so a table with triggers must be updated.
 */
export function createUpsert({ table, columns, identity, isResource }: UpsertedTable): Statement {
  const values = join(columns.map((column) => sql`value ->> ${sql.raw(`'$.${sqlName(column.name)}'`)}`))
  const rows = sql`into ${table} (${names(columns)}) select ${values} from json_each(${param('rows')}) as moved where ${hasParents(table)}`
  if (!isResource && hasOtherKeys(table)) return compile(sql`insert or replace ${rows}`)
  const set = columns
    .filter((column) => !identity.includes(column) && !column.primary)
    .map((column) => sql`${bareColumn(column)} = ${excluded(column)}`)
  const change = set.length === 0 ? sql`nothing` : sql`update set ${join(set)}`
  // A hidden object has another mode than before, and is the same row.
  const [seq, id] = [columns.find(({ primary }) => primary), columns.find(({ name }) => name === 'id')]
  const again =
    isResource && seq && id
      ? sql`on conflict (${bareColumn(seq)}) do update set ${join(columns.filter((column) => column !== seq).map((column) => sql`${bareColumn(column)} = ${excluded(column)}`))} where ${id} = ${excluded(id)}`
      : sql``
  return compile(sql`insert ${rows} on conflict (${names(identity)}) do ${change} ${again}`)
}

/** Deletes single-use codes at the target with a code of `:rows`: they were deleted at the source, before a coupon got the code. */
export const deleteCodes = lazy(() => {
  const { merchantId, testMode, codeKey } = couponCodeTable
  const key = [merchantId, testMode, codeKey]
  const values = key.map((column) => sql`value ->> ${sql.raw(`'$.${sqlName(column.name)}'`)}`)
  return compile(
    sql`delete from ${couponCodeTable} where (${names(key)}) in (select ${join(values)} from json_each(${param('rows')}))`,
  )
})

/** Releases the codes of `:rows`: a coupon with one of them at the target has changed at the source. */
export const releaseCodes = lazy(() => {
  const { merchantId, testMode, codeKey, id, seq } = couponTable
  const value = (column: SQLiteColumn) => sql`value ->> ${sql.raw(`'$.${sqlName(column.name)}'`)}`
  const key = [merchantId, testMode, codeKey]
  return compile(sql`update ${couponTable} set ${bareColumn(codeKey)} = 'moving ' || ${seq}
    where (${names(key)}) in (select ${join(key.map(value))} from json_each(${param('rows')}))
      and ${id} not in (select ${value(id)} from json_each(${param('rows')}))`)
})
