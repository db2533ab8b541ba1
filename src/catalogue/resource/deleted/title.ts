import { getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { createAuditStatement } from '../../../platform/db/audit-log.ts'
import { param, type Statement } from '../../../platform/db/database.ts'
import { eventTable as events } from '../../../platform/db/schema/events.ts'
import { sqlName } from '../../../platform/db/sql-name.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { Draft, ResourceDefinition } from '../definition.ts'

/** Texts of a value: itself, or the values of entries, such as those of the location of a tag. */
function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: unknown) => (isObject(entry) ? listTexts(entry['value']) : listTexts(entry)))
}

/** Maximum number of characters of a title in the audit log. */
const maxTitle = 250

const listFields = ({ titleFields, item }: Pick<ResourceDefinition, 'titleFields' | 'item'>) =>
  'title' in item.shape ? ['title'] : titleFields.slice(0, 2)

/** The name by which people know an object: its title, the name of a person, the location of a tag. Empty if it has none. */
export const toTitle = (resource: Pick<ResourceDefinition, 'titleFields' | 'item'>, object: Draft): string =>
  listFields(resource)
    .flatMap((field) => listTexts(object[field]))
    .join(' ')

/** The title of an object in the audit log. Undefined if it has no title. */
export const toAuditTitle = (resource: Pick<ResourceDefinition, 'titleFields' | 'item'>, object: object) =>
  toTitle(resource, { ...object })
    .trim()
    .slice(0, maxTitle)
    .toWellFormed() || undefined

/** SQL for the texts of a value: itself, or the values of its entries. A value that is not JSON has no texts. */
const textOf = (value: SQL, isList: boolean) =>
  isList
    ? sql`case when json_valid(${value}) then (select group_concat(entry.value ->> '$.value', ' ') from json_each(${value}) as entry) end`
    : value

const joinTexts = (texts: readonly SQL[]) =>
  sql`nullif(substr(trim(${sql.join(
    texts.map((text) => sql`coalesce(${text}, '')`),
    sql` || ' ' || `,
  )}), 1, ${sql.raw(String(maxTitle))}), '')`

type Titled = Pick<ResourceDefinition, 'name' | 'table' | 'titleFields' | 'item' | 'spansModes'>

/** The fields that an object is named by, with the columns that store them. */
function listColumns(resource: Titled) {
  const columns: Readonly<Record<string, SQLiteColumn>> = getTableColumns(resource.table)
  return listFields(resource).flatMap((field) => {
    const { [field]: column } = columns
    return column && column.dataType !== 'boolean'
      ? [{ key: sqlName(field), column, isList: column.dataType === 'json' }]
      : []
  })
}

/** SQL for the title of the object in the row of an event. */
const titleOfEvent = (resource: Titled) =>
  joinTexts(
    listColumns(resource).map(({ key, isList }) => textOf(sql`${events.row} ->> ${sql.raw(`'$.${key}'`)}`, isList)),
  )

/** SQL for the title in the last event of a type about an object. Without the hint, SQLite reads all events of the merchant. */
const findInEvent = (title: SQL, object: SQL, type: SQL, isInMode: SQL) => sql`(
  select ${title} from ${events} indexed by events_object where ${events.merchantId} = ${param('merchantId')} and ${isInMode}
    and ${events.object} = ${object} and ${events.object} is not null and ${events.type} = ${type}
  order by ${events.seq} desc limit 1)`

const typeOf = ({ name }: Titled) => sql.raw(`'${name}.deleted'`)

function createRecord(resource: Titled): Statement {
  const { table, spansModes } = resource
  const isInMode = (column: SQLWrapper) =>
    spansModes ? sql`${column} in (0, 1)` : sql`${column} = ${param('testMode')}`
  const title = joinTexts(listColumns(resource).map(({ column, isList }) => textOf(sql`${column}`, isList)))
  const row = sql`(select ${title} from ${table} where ${table.merchantId} = ${param('merchantId')}
    and ${isInMode(table.testMode)} and ${table.id} = ${param('object')})`
  const object = sql`${param('object')}`
  const deleted = findInEvent(titleOfEvent(resource), object, typeOf(resource), isInMode(events.testMode))
  return createAuditStatement(sql`where changes() > 0`, { title: sql`coalesce(${row}, ${deleted})` })
}

const built = new Map<string, Statement>()

/** The statement that writes an entry of the audit log with the title of the object, which exists or was deleted in the same transaction. */
export function recordTitled(resource: Titled): Statement {
  const known = built.get(resource.name) ?? createRecord(resource)
  built.set(resource.name, known)
  return known
}

/**
 * A statement that writes an entry for each element of the JSON list `:entries`, which has its `id`, `operation` and `object`, and its `title`, or the type
 * of the event of its deletion in the same transaction as `deleted`.
 */
export function createListRecord(resources: readonly Titled[]): Statement {
  const member = (name: string) => sql`entry.value ->> ${sql.raw(`'$.${name}'`)}`
  const cases = resources.map((resource) => sql`when ${typeOf(resource)} then ${titleOfEvent(resource)}`)
  const title = sql`case ${events.type} ${sql.join(cases, sql` `)} end`
  const deleted = findInEvent(title, member('object'), member('deleted'), sql`${events.testMode} in (0, 1)`)
  return createAuditStatement(sql`from json_each(${param('entries')}) as entry`, {
    id: member('id'),
    operation: member('operation'),
    object: member('object'),
    title: sql`coalesce(${member('title')}, ${deleted})`,
  })
}
