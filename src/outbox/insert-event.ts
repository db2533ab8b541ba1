import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { compile, getColumn, param, type Statement, sqlName } from '../db/database.ts'
import type { ResourceTable } from '../db/schema/resource-columns.ts'
import { crockford } from '../lib/encoding/base32.ts'
import type { ResourceName, Verb } from '../names.ts'

/** Arguments that D1 allows a SQL function. */
const maxFunctionArguments = 32

/**
 * SQL for a JSON object of names and values. `json_object` takes two arguments for each member, so the members beyond its limit are
 * added by `json_set`, which keeps nulls. The names are SQL names, which a JSON path need not quote.
 */
function jsonObject(members: readonly (readonly [name: string, value: SQL])[]): SQL {
  const perObject = maxFunctionArguments / 2
  const perSet = Math.floor((maxFunctionArguments - 1) / 2)
  const pairs = (prefix: string, some: typeof members) =>
    sql.join(
      some.map(([name, value]) => sql`${sql.raw(`'${prefix}${name}'`)}, ${value}`),
      sql`, `,
    )
  let object = sql`json_object(${pairs('', members.slice(0, perObject))})`
  for (let start = perObject; start < members.length; start += perSet) {
    object = sql`json_set(${object}, ${pairs('$.', members.slice(start, start + perSet))})`
  }
  return object
}

/** SQL for a row as JSON, keyed by SQL names; some columns may be replaced by what they are going to hold. */
function rowAsJson(table: ResourceTable, replaced: Readonly<Record<string, SQL>>): SQL {
  return jsonObject(
    Object.entries(getTableColumns(table)).map(([key, column]) => {
      const value = replaced[key] ?? sql`${column}`
      return [sqlName(key), column.dataType === 'json' ? sql`json(${value})` : value]
    }),
  )
}

/** SQL for a random base 32 digit of an id. */
const randomDigit = sql`substr(${sql.raw(`'${crockford.toLowerCase()}'`)}, 1 + (random() & 31), 1)`

/** As many digits of a TypeID as its time, its version and its counter take: `evt_` and 14 of 26. */
export const idPrefixLength = 18

/** What a hidden column is recorded as. */
const emptyValue = (column: SQLiteColumn) => (column.dataType === 'json' ? sql`'[]'` : sql`''`)

/** What one statement raises: events of one type for the rows of one table. */
interface EventInsert {
  resource: { name: ResourceName; table: ResourceTable; hidden: readonly string[] }
  verb: Verb
  /** Which rows. */
  where: SQL
  /** Columns as they are going to be; without any the row is taken as it is. */
  replaced?: Readonly<Record<string, SQL>>
  /** JSON of the old values; the parameter `:previous` unless given. */
  previous?: SQL
  /** There may be several rows: all but the first digits of their events' ids are then drawn by the database. */
  many?: boolean
}

/** Statement that writes an event for each row. Takes `:merchantId :testMode :event :atMs :baseUrl`, and what `where` needs. */
export function insertEvent({
  resource,
  verb,
  where,
  replaced = {},
  previous = sql`${param('previous')}`,
  many = false,
}: EventInsert): Statement {
  const { name, table, hidden } = resource
  const hiddenColumns = Object.fromEntries(hidden.map((key) => [key, emptyValue(getColumn(table, key))]))
  const last = sql`select coalesce(max(seq), 0) from events where merchant_id = ${table.merchantId} and test_mode = ${table.testMode}`
  const id = many
    ? sql`substr(${param('event')}, 1, ${sql.raw(String(idPrefixLength))}) || ${sql.join(
        Array.from({ length: 12 }, () => randomDigit),
        sql` || `,
      )}`
    : sql`${param('event')}`
  const version = replaced['version'] ?? sql`${table.version}`
  return compile(sql`
    insert into events (merchant_id, test_mode, id, seq, type, version, at, row, previous, base_url)
    select ${table.merchantId}, ${table.testMode}, ${id}, (${last}) + row_number() over (), ${sql.raw(`'${name}.${verb}'`)},
      ${version}, ${param('atMs')}, ${rowAsJson(table, { ...replaced, ...hiddenColumns })}, ${previous}, ${param('baseUrl')}
    from ${table} where ${where}`)
}
