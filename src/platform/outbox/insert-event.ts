import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { compile, getColumn, param, type Statement } from '../db/database.ts'
import { insertSelect } from '../db/query.ts'
import { eventTable } from '../db/schema/events.ts'
import { externalIdOf } from '../db/schema/external-ids.ts'
import type { ResourceTable } from '../db/schema/resource-columns.ts'
import { plainName, sqlName } from '../db/sql-name.ts'
import type { ResourceName, Verb } from '../names.ts'

/** Maximum number of arguments of a SQL function in D1. */
const maxFunctionArguments = 32

/**
 * SQL for a JSON object. `json_object` takes two arguments for each member; `json_set`, which keeps nulls, adds the members beyond its
 * limit. The names are SQL names, which a JSON path does not quote.
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

/** A resource whose objects events record. */
interface Recorded {
  table: ResourceTable
  /** The schema of an object. Columns without a field, such as counters of failures, are not recorded. */
  item: { shape: Readonly<Record<string, unknown>> }
  /** Fields whose values are not recorded. */
  hidden: readonly string[]
}

/** SQL for the value that an event records of a hidden column. */
const emptyValue = (column: SQLiteColumn) => (column.dataType === 'json' ? sql`'[]'` : sql`''`)

/**
 * SQL for the object of a row as JSON, keyed by SQL names. `replaced` has expressions for columns whose values the change replaces. `isAlone`: the
 * statement selects from the table alone.
 */
export function rowAsJson(
  { table, item, hidden }: Recorded,
  replaced: Readonly<Record<string, SQL>> = {},
  isAlone = false,
): SQL {
  return jsonObject(
    Object.keys(item.shape).map((key) => {
      const column = getColumn(table, key)
      const value = hidden.includes(key)
        ? emptyValue(column)
        : (replaced[key] ?? (isAlone ? plainName(key) : sql`${column}`))
      return [sqlName(key), column.dataType === 'json' ? sql`json(${value})` : value]
    }),
  )
}

/** Length of the part of an event id with its time, version and counter: `evt_` and 14 of 26 digits. */
export const idPrefixLength = 18
const idLength = 30

/**
 * SQL for the id `:event` with new random digits behind its prefix: 48 random bits, as hexadecimal digits, which are base 32 digits too. The events of
 * one transaction share the prefix. SQL for random base 32 digits would be twenty times as long, in each statement.
 */
export const createRandomId = () =>
  sql`substr(${param('event')}, 1, ${sql.raw(String(idPrefixLength))}) || lower(hex(randomblob(${sql.raw(String((idLength - idPrefixLength) / 2))})))`

/** SQL for the number of the last event of a merchant in a mode, by default those of the request; 0 without events. */
export const selectLastSeq = (
  { merchantId, testMode }: Readonly<Record<'merchantId' | 'testMode', SQLWrapper>> = {
    merchantId: param('merchantId'),
    testMode: param('testMode'),
  },
) => sql`(select coalesce(max(${eventTable.seq}), 0) from ${eventTable}
  where ${eventTable.merchantId} = ${merchantId} and ${eventTable.testMode} = ${testMode})`

/** Events of one type, one for each selected row of a table. */
interface EventInsert {
  resource: Recorded & { name: ResourceName }
  /** The verb, or SQL for it. */
  verb: Verb | SQL
  /** Tables to select from. Default: the resource's table. */
  from?: SQL
  /** Selects the rows. */
  where: SQL
  /** Expressions for the columns that the change replaces. Default: the stored values. */
  replaced?: Readonly<Record<string, SQL>>
  /** The version of the event. Default: that of the row. */
  version?: SQL
  /** JSON of the old values. Default: the parameter `:previous`. */
  previous?: SQL
  /** The external id. Default: the stored one of each row. */
  externalId?: SQL
  /** JSON of what a deletion removes with the object: see `selectKept`. */
  kept?: SQL | undefined
  /**
   * The position of each row, from 1, if the statement may select several. The database then generates the random digits of each event id. Default:
   * it selects one row.
   */
  position?: SQL
  /** The mode, if all rows have the same one. Default: the mode of each row, for which the last number is read again. */
  testMode?: SQL
}

/** A position for statements that have no other. A window function reads each row three times. */
export const rowPosition = sql`row_number() over ()`

/**
 * Writes an event for each selected row. Takes `:event`, `:atMs`, `:baseUrl`, `:changeSet`, `:context` and the parameters of `where` and
 * `previous`.
 */
export function insertEvent({
  resource,
  verb,
  from,
  where,
  replaced = {},
  version,
  previous = sql`${param('previous')}`,
  externalId = externalIdOf(resource.table),
  kept,
  position,
  testMode,
}: EventInsert): Statement {
  const { name, table } = resource
  const lastSeq = selectLastSeq(testMode ? { merchantId: param('merchantId'), testMode } : table)
  const insert = insertSelect(
    eventTable,
    {
      merchantId: table.merchantId,
      testMode: table.testMode,
      id: position ? createRandomId() : param('event'),
      seq: sql`${lastSeq} + ${position ?? sql`1`}`,
      type: typeof verb === 'string' ? sql.raw(`'${name}.${verb}'`) : sql`${sql.raw(`'${name}.'`)} || ${verb}`,
      version: version ?? replaced['version'] ?? table.version,
      at: param('atMs'),
      row: rowAsJson(resource, replaced, from === undefined),
      previous,
      baseUrl: param('baseUrl'),
      externalId,
      object: table.id,
      changeSet: param('changeSet'),
      context: param('context'),
      ...(kept && { kept }),
    },
    sql`from ${from ?? table} where ${where}`,
  )
  return compile(insert)
}
