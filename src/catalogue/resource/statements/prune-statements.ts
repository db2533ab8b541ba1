import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { allOf, compile, getColumn, param, type Statement } from '../../../platform/db/database.ts'
import { setColumns } from '../../../platform/db/query.ts'
import type { ResourceTable } from '../../../platform/db/schema/resource-columns.ts'
import { insertEvent, rowPosition } from '../../../platform/outbox/insert-event.ts'
import type { Reference, ResourceDefinition } from '../definition.ts'

/** SQL for columns whose values `json_object` can reject: invalid JSON becomes a JSON string, bytes become null. */
export const writableAsJson = (table: ResourceTable): Readonly<Record<string, SQL>> =>
  Object.fromEntries(
    Object.entries(getTableColumns(table))
      .filter(([key]) => key !== 'seq')
      .map(([key, column]) => [
        key,
        column.dataType === 'json'
          ? sql`case when json_valid(${column}) then ${column} when ${column} is not null then json_quote(cast(${column} as text)) end`
          : sql`case when typeof(${column}) <> 'blob' then ${column} end`,
      ]),
  )

/** Maximum number of references to objects that are deleted which one transaction removes. More are removed in steps: see `pruning/`. */
export const maxPrunedTogether = 1_000

/** SQL for the number of references to objects, up to one more than `maxPrunedTogether`. `targets` compares with their `seq`. */
export function countLinks(references: readonly Reference[], targets: SQL): SQL {
  const links = sql.join(
    references.map((reference) => sql`select 1 from ${reference.links} where ${reference.links.target} ${targets}`),
    sql` union all `,
  )
  return sql`(select count(*) from (select 1 from (${links}) limit ${maxPrunedTogether + 1}))`
}

/** SQL for the version of a deletion, or null if more than `maxPrunedTogether` references name the objects. `targets` compares with their `seq`. */
export function limitVersion({ version }: ResourceTable, references: readonly Reference[], targets: SQL): SQL {
  if (references.length === 0) return sql`${version} + 1`
  return sql`case when ${countLinks(references, targets)} <= ${maxPrunedTogether} then ${version} + 1 end`
}

/**
 * Statements that remove all references to objects before their deletion: they write the events, the changes and the links. `targets` is SQL that
 * compares with the `seq` of the objects: `= …` or `in …`. With `isDamaged`, values that SQLite cannot parse stay as they are. `condition` selects
 * owners that change; the links of all owners are deleted.
 */
export function createPruneStatements(
  resource: ResourceDefinition,
  { links, field, without }: Reference,
  targets: SQL,
  { isDamaged = false, condition }: { isDamaged?: boolean; condition?: SQL } = {},
): Statement[] {
  const owner = resource.table
  const named = sql`${owner.seq} in (select ${links.owner} from ${links} where ${links.target} ${targets})`
  const isValid = isDamaged ? sql`json_valid(${getColumn(owner, field)})` : undefined
  const where = allOf(named, isValid, condition)
  const pruned = {
    [field]: without(param('ids')),
    version: sql`${owner.version} + 1`,
    updatedAt: sql`max(${param('now')}, ${owner.updatedAt} + 1)`,
  }
  const previous = sql`json_object(${sql.raw(`'${field}'`)}, json(${getColumn(owner, field)}))`
  return [
    insertEvent({
      resource,
      verb: 'updated',
      where,
      replaced: isDamaged ? { ...writableAsJson(owner), ...pruned } : pruned,
      previous,
      position: rowPosition,
    }),
    compile(sql`update ${owner} set ${setColumns(owner, pruned)} where ${where}`),
    compile(sql`delete from ${links} where ${links.target} ${targets}`),
  ]
}
