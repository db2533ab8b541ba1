import { getTableColumns, getTableName, is, type SQL, sql } from 'drizzle-orm'
import { type SQLiteColumn, SQLiteInteger, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import {
  merchantTables,
  passingTables,
  platformDeliveries,
  rowReferences,
  sideColumns,
} from '../../catalogue/resources/merchant-tables.ts'
import { resourceList } from '../../catalogue/resources/registry.ts'
import { compile, getColumn, lazy, param, type Statement } from '../../platform/db/database.ts'
import type { MerchantTable } from '../../platform/db/home/merchant-table.ts'
import { createPage, getRowBytes } from '../../platform/db/home/row-pages.ts'
import type { Row } from '../../platform/db/row.ts'
import { orderTable } from '../../platform/db/schema/checkout/orders.ts'
import { idempotencyKeyTable } from '../../platform/db/schema/idempotency-keys.ts'
import { couponTable } from '../../platform/db/schema/resources/coupons.ts'
import { tagNameTable } from '../../platform/db/schema/resources/tags.ts'
import { webhookTable } from '../../platform/db/schema/resources/webhooks.ts'
import { scanReceiptTable } from '../../platform/db/schema/scan-counts.ts'
import { stockAdjustmentTable } from '../../platform/db/schema/stock-adjustments.ts'
import { bareColumn, sqlName } from '../../platform/db/sql-name.ts'
import { fingerprint } from '../../platform/lib/encoding/fnv1a.ts'
import { createUpsert, deleteCodes, join, names, releaseCodes } from './write-rows.ts'

const ofMerchant = (column: SQLiteColumn) => sql`${column} = ${param('merchantId')}`
/** Tables that move in addition to `merchantTables`: names of deleted tags, and rows that are needed for one day. */
const others: readonly MerchantTable[] = [
  {
    table: tagNameTable,
    rows: sql`${tagNameTable} where ${ofMerchant(tagNameTable.merchantId)} and ${tagNameTable.tag} is null and ${tagNameTable.reservedAt} is null`,
    key: [tagNameTable.name],
    identity: [tagNameTable.name],
  },
  ...[idempotencyKeyTable, scanReceiptTable].map((table) => ({
    table,
    rows: sql`${table} where ${ofMerchant(table.merchantId)}`,
    key: [table.id],
    identity: [table.id],
  })),
  ...passingTables,
  platformDeliveries,
]
/** Rows that expire at any time, or that no index finds by merchant: counts at both homes can differ. */
const unverified: readonly MerchantTable[] = others.filter(({ table }) => table !== tagNameTable)

/** Tables whose rows get new numbers at the target, in the order in which they are copied. */
const renumbered: readonly SQLiteTable[] = [stockAdjustmentTable, orderTable, idempotencyKeyTable]
const resourceTables: ReadonlySet<SQLiteTable> = new Set(resourceList.map(({ table }) => table))

/** SQL for a row number at the target; see `toTargetNumber`. */
const mapped = (column: SQLiteColumn) =>
  sql`iif(${column} > 0 and ${param('base')} > 0, -(cast(${param('base')} as integer) + ${column}), ${column})`
/** Numbers of webhooks stay: they are unique everywhere. */
const columnsWithNumbers: ReadonlySet<SQLiteColumn> = new Set([
  ...resourceList.flatMap(({ table }) => (table === webhookTable ? [] : [table.seq])),
  ...Array.from(rowReferences).flatMap(([column, target]) => (target === webhookTable ? [] : [column])),
])
const resourceOf = (table: SQLiteTable) => sql`${getColumn(table, 'resource')}`
const isOfWebhooks = (resource: unknown) => resource === getTableName(webhookTable)

/**
 * Number of the object × 2³⁰, added to row numbers of an object whose rows go to the shared database; else 0. All merchants share the numbers there,
 * and negative numbers never collide with those that the database generates.
 */
export const toNumberBase = (object: number) => object * 2 ** 30
/** The number of a row at the target. */
const toTargetNumber = (base: number, number: number) => (base > 0 && number > 0 ? -(base + number) : number)

/** SQL for the value of a column at the target. */
function toTargetValue(column: SQLiteColumn): SQL {
  if (columnsWithNumbers.has(column)) return mapped(column)
  if (sideColumns.has(column))
    return sql`iif(${resourceOf(column.table)} = '${sql.raw(getTableName(webhookTable))}', ${column}, ${mapped(column)})`
  return sql`${column}`
}

const elements = (columns: readonly SQLiteColumn[]) =>
  join(columns.map((_, index) => sql`value ->> ${sql.raw(String(index))}`))

/** A large prime number: products of two remainders, and sums of remainders, do not overflow. */
const prime = sql.raw('1000000007')
/** Number of characters of a text that the digest reads, at equal distances, without the last two. */
const sampledCharacters = 4
/** It differs for each column, so that the sum changes when two columns exchange values. */
const weightOf = (index: number) => sql.raw(String(104_729 * (index + 1)))
const weighted = (numbers: readonly SQL[]) =>
  join(
    numbers.map((number, index) => sql`${number} % ${prime} * ${weightOf(index)} % ${prime}`),
    sql` + `,
  )

/** A number that changes with a value. For a text, it depends on the length, some sampled characters and the last two. */
const digestOf = (column: SQLiteColumn): SQL => {
  const type = column.getSQLType()
  const value = toTargetValue(column)
  if (type === 'integer') return sql`coalesce(${value}, -1)`
  if (type === 'real') return sql`coalesce(cast(round(${value} * 10000) as integer), -1)`
  const places = Array.from(
    { length: sampledCharacters },
    (_, index) => sql`1 + length(${column}) * ${sql.raw(String(index))} / ${sql.raw(String(sampledCharacters))}`,
  )
  const characters = [...places, sql.raw('-2'), sql.raw('-1')].map(
    (place) => sql`coalesce(unicode(substr(${column}, ${place}, 1)), 0)`,
  )
  return sql`coalesce(${weighted([sql`octet_length(${column})`, ...characters])}, -1)`
}

/** A table that a move copies. */
export interface MovedTable extends MerchantTable {
  name: string
  /** Columns that are copied. */
  columns: readonly SQLiteColumn[]
  /** The rows are objects of a resource, to which other rows belong. */
  isResource: boolean
  /** Whether counts and digests are compared. False for rows that are needed for one day, because they have no index by merchant. */
  isVerified: boolean
  statements: {
    /** The next rows of the merchant. */
    page: () => Statement
    /** The rows that `:keys` identifies. */
    find: () => Statement
    /** Sizes of the rows, each with its key in the form of changes. */
    sizes: () => Statement
    /** Write `:rows`. */
    write: () => readonly Statement[]
    /** Deletes the rows that `:keys` identifies. */
    remove: () => Statement
    /** Count and digest of the rows of the merchant. */
    digest: () => Statement
  }
}

function toMovedTable(entry: MerchantTable): MovedTable {
  const { table, rows } = entry
  // Only the name identifies it, because the tag of a name can be deleted.
  const identity = table === tagNameTable ? [tagNameTable.name] : entry.identity
  const columns = Object.values(getTableColumns(table)).filter(
    (column) => !(renumbered.includes(table) && is(column, SQLiteInteger) && column.primary),
  )
  const selected = join(columns.map((column) => sql`${toTargetValue(column)} as ${bareColumn(column)}`))
  const isNamed = sql`(${names(identity)}) in (select ${elements(identity)} from json_each(${param('keys')}))`
  const digest = weighted(columns.map(digestOf))
  return {
    ...entry,
    identity,
    columns,
    name: getTableName(table),
    isResource: resourceTables.has(table),
    isVerified: !unverified.includes(entry),
    statements: {
      page: lazy(() => createPage(entry, toTargetValue)),
      find: lazy(() => compile(sql`select ${selected} from ${table} where ${isNamed}`)),
      sizes: lazy(() =>
        compile(
          sql`select json_array(${join(identity.map((column) => sql`${column}`))}) as key, ${getRowBytes(entry)} as bytes from ${table} where ${isNamed}`,
        ),
      ),
      write: lazy(() => [
        ...(table === couponTable ? [deleteCodes(), releaseCodes()] : []),
        createUpsert({ table, columns, identity, isResource: resourceTables.has(table) }),
      ]),
      remove: lazy(() => compile(sql`delete from ${table} where ${isNamed}`)),
      // The squares change if rows exchange values. The limit prevents SQLite from computing the number of a row for each use.
      digest: lazy(() =>
        compile(sql`select count(*) as rows, coalesce(sum(number % ${prime} * (number % ${prime}) % ${prime}), 0) as digest
          from (select ${digest} as number from ${rows} limit -1)`),
      ),
    },
  }
}

/** Tables that a move copies. A row refers only to rows before it in this order. */
export const movedTables: readonly MovedTable[] = [...merchantTables, ...others].map(toMovedTable)

/**
 * A statement that returns for each table, by its index, whether the merchant has rows in it. Tables without an index by merchant
 * count as filled.
 */
export const findFilled = lazy(() => {
  const columns = movedTables.map(({ rows, isVerified }, index) => {
    const hasRows = isVerified ? sql`exists (select 1 from ${rows})` : sql`true`
    return sql`${hasRows} as ${sql.identifier(String(index))}`
  })
  return compile(sql`select ${join(columns)}`)
})

/** Identifies the tables and columns that this release copies. Another release, with different tables, may continue a move. */
export const getTablesVersion = () =>
  fingerprint(JSON.stringify(movedTables.map(({ name, columns }) => [name, columns.map((column) => column.name)])))

/** The values that identify a row at the target, computed from those at the source. */
export function toTargetKey({ identity }: MovedTable, base: number, key: readonly unknown[]) {
  const isStable = isOfWebhooks(key[identity.findIndex(({ name }) => name === 'resource')])
  return identity.map((column, index) => {
    const value = key[index]
    const isMapped = columnsWithNumbers.has(column) || (sideColumns.has(column) && !isStable)
    return isMapped && typeof value === 'number' ? toTargetNumber(base, value) : value
  })
}
/** The values that identify a row as the source returned it. */
export const getKey = ({ identity }: MovedTable, row: Row) => identity.map((column) => row[sqlName(column.name)])
