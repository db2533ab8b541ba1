import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { bytesOf } from '../../../platform/db/page-budget.ts'
import { resourceOf } from '../../../platform/db/schema/external-ids.ts'
import { detailTable, translationTable } from '../../../platform/db/schema/objects/details.ts'
import { baseColumns } from '../../../platform/db/schema/resource-columns.ts'
import { sqlName } from '../../../platform/db/sql-name.ts'
import { maxValueBytes } from '../../../platform/lib/encoding/value-size.ts'
import type { KeptTable, Reference, ResourceDefinition } from '../definition.ts'

/** A table of side resources, which names the object by its resource and its `seq`. */
const ofSide = (table: typeof detailTable | typeof translationTable): KeptTable => ({
  table,
  owner: table.object,
  by: 'seq',
})

/** All tables with rows that return with a restored object. */
export const listKeptTables = ({ details, kept }: Pick<ResourceDefinition, 'details' | 'kept'>): KeptTable[] => [
  ...(details ? [detailTable, translationTable].map(ofSide) : []),
  ...kept,
]

/** Columns that name the object and its scope. A restore computes them. */
const scopeKeys: ReadonlySet<string> = new Set(['merchantId', 'testMode', 'resource'])

/** The columns of a table that a deletion keeps: all but those that name the object. */
export const listKeptColumns = ({ table, owner }: KeptTable): [key: string, column: SQLiteColumn][] =>
  Object.entries(getTableColumns(table)).filter(([key, column]) => column !== owner && !scopeKeys.has(key))

/** SQL for "belongs to the row of the resource's table". */
function isKeptOf({ table: owner }: Pick<ResourceDefinition, 'table'>, { table, owner: column, by }: KeptTable) {
  const { merchantId, testMode, resource } = getTableColumns(table)
  const conditions = [
    ...(merchantId ? [sql`${merchantId} = ${owner.merchantId}`] : []),
    ...(testMode ? [sql`${testMode} = ${owner.testMode}`] : []),
    ...(resource ? [sql`${resource} = ${resourceOf(owner)}`] : []),
    sql`${column} = ${owner[by]}`,
  ]
  return sql.join(conditions, sql` and `)
}

/** JSON cannot hold bytes, which only a damaged column has. */
const selectRows = (resource: Pick<ResourceDefinition, 'table'>, kept: KeptTable) => {
  const members = listKeptColumns(kept).map(
    ([key, column]) => sql`${sql.raw(`'${sqlName(key)}'`)}, iif(typeof(${column}) = 'blob', null, ${column})`,
  )
  return sql`(select nullif(json_group_array(json_object(${sql.join(members, sql`, `)})), '[]')
    from ${kept.table} where ${isKeptOf(resource, kept)})`
}

/** The columns of an object that its events do not record: those without a field, except those of every object. */
export const listUnrecorded = ({ table, item }: Pick<ResourceDefinition, 'table' | 'item'>): [string, SQLiteColumn][] =>
  Object.entries(getTableColumns(table)).filter(([key]) => !(key in item.shape || key in baseColumns))

const selectUnrecorded = (resource: Pick<ResourceDefinition, 'table' | 'item'>) => {
  const members = listUnrecorded(resource).map(([key, column]) => sql`${sql.raw(`'${sqlName(key)}'`)}, ${column}`)
  return members.length === 0 ? sql`null` : sql`json_patch('{}', json_object(${sql.join(members, sql`, `)}))`
}

/** SQL for the objects that name the row of the resource's table: a JSON list of `[path, id]`, or null. */
function selectPlaces(
  { table }: Pick<ResourceDefinition, 'table'>,
  referrers: readonly { owner: ResourceDefinition; reference: Reference }[],
) {
  if (referrers.length === 0) return sql`null`
  const each = referrers.map(
    ({ owner, reference: { links } }) => sql`
      select json_array(${sql.raw(`'${owner.path}'`)}, ${owner.table.id}) as place from ${links}
        cross join ${owner.table} on ${owner.table.seq} = ${links.owner} where ${links.target} = ${table.seq}`,
  )
  return sql`(select nullif(json_group_array(json(place)), '[]') from (${sql.join(each, sql` union all `)}))`
}

/**
 * SQL for what a deletion of a row of the resource's table removes with it, as JSON: the rows of other tables by the names of these, each as JSON keyed
 * by SQL names, `columns` that the event does not record, and `places`. Null if the row of the event cannot hold it.
 */
export function selectKept(
  resource: Pick<ResourceDefinition, 'table' | 'item' | 'details' | 'kept' | 'isRestorable'>,
  referrers: readonly { owner: ResourceDefinition; reference: Reference }[],
): SQL | undefined {
  if (!resource.isRestorable) return undefined
  const members = listKeptTables(resource).map(
    (kept) => sql`${sql.raw(`'${getTableName(kept.table)}'`)}, json(${selectRows(resource, kept)})`,
  )
  members.push(sql`'columns', json(${selectUnrecorded(resource)})`)
  members.push(sql`'places', json(${selectPlaces(resource, referrers)})`)
  const texts = Object.values(getTableColumns(resource.table)).filter((column) => column.getSQLType() === 'text')
  const bytes = bytesOf(texts.map((column) => sql`${column}`))
  // The patch removes members that are null.
  return sql`(select iif(octet_length(kept) + ${bytes} < ${sql.raw(String(maxValueBytes))}, kept, null)
    from (select json_patch('{}', json_object(${sql.join(members, sql`, `)})) as kept))`
}
