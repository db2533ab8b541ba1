import { and, asc, desc, eq, getTableName, gt, gte, lt, type SQL, sql } from 'drizzle-orm'
import { allOf, compile, createMemo, param } from '../../../platform/db/database.ts'
import { columnsWithinShare } from '../../../platform/db/page-budget.ts'
import { listed, withoutIndex } from '../../../platform/db/query.ts'
import { externalIdOf } from '../../../platform/db/schema/external-ids.ts'
import type { ResourceTable } from '../../../platform/db/schema/resource-columns.ts'
import { isInScope } from '../../../platform/db/scope.ts'
import type { ListQuery } from '../../../platform/http/pagination.ts'
import type { ResourceDefinition } from '../definition.ts'
import { getLargeColumns } from '../details/details-columns.ts'
import { selectNamed } from '../external-ids.ts'

/** The full-text table of a resource; its rowid is the object's `seq`. */
export const getSearchTable = (table: ResourceTable) => sql.identifier(`${getTableName(table)}_search`)

/** The parameter of a filter. The blank keeps it apart from all other parameters. */
export const getFilterParam = (name: string) => `filter ${name}`

/** The parts of a query that determine the text of its statement. */
export interface ListShape {
  filters: readonly string[]
  ascending: boolean
  continued: boolean
  updatedSince: boolean
  ids: boolean
  externalIds: boolean
  /** References whose filters are used. */
  uses: readonly string[]
  includesExternalId: boolean
  includesDetails: boolean
  search: boolean
}

/** The shape of a list by its query. */
export const getListShape = (resource: ResourceDefinition, query: ListQuery, search: boolean): ListShape => ({
  filters: Object.keys(resource.filters).filter((key) => Reflect.get(query, key) !== undefined),
  ascending: query.order === 'asc',
  continued: query.cursor !== undefined,
  updatedSince: query.updatedSince !== undefined,
  ids: query.ids !== undefined,
  externalIds: query.externalIds !== undefined,
  uses: resource.references.flatMap(({ filter }) => (Reflect.get(query, filter) === undefined ? [] : [filter])),
  includesExternalId: query.include?.includes('externalId') === true,
  includesDetails: query.include?.includes('details') === true,
  search,
})

/**
 * Statements that read a page of a list. SQLite has no statistics to find the narrowest condition, so each statement allows only one index: the rowid
 * of a full-text match or of external ids, else the rowid of references, else that of a text filter or the ids, else of the change time, else of the
 * order.
 */
export function createListStatements(resource: ResourceDefinition, scoped: (bothModes: boolean) => SQL) {
  const { table, filters, references } = resource
  const built = createMemo()
  const build = (bothModes: boolean, shape: ListShape) => {
    const { ascending, continued, updatedSince, ids, externalIds, uses, search } = shape
    const { includesExternalId, includesDetails } = shape
    const isFound = search || externalIds
    const isByRowid = isFound || uses.length > 0
    const wanted = shape.filters.flatMap((name) => {
      const column = filters[name]
      return column ? [{ column, value: param(getFilterParam(name)), isText: column.dataType !== 'boolean' }] : []
    })
    const isExact = wanted.some(({ isText }) => isText)
    const isNarrow = isExact || ids || externalIds
    const matches = sql`${table.seq} in (select rowid from ${getSearchTable(table)} where ${getSearchTable(table)} match ${param('match')})`
    const named = sql`${table.seq} in (${selectNamed(resource)})`
    const id = isByRowid || (updatedSince && !isNarrow) ? withoutIndex(table.id) : sql`${table.id}`
    const updatedAt = isNarrow ? withoutIndex(table.updatedAt) : sql`${table.updatedAt}`
    const owner = isByRowid
      ? and(
          sql`${withoutIndex(table.merchantId)} = ${param('merchantId')}`,
          bothModes ? undefined : sql`${withoutIndex(table.testMode)} = ${param('testMode')}`,
        )
      : scoped(bothModes)
    const conditions = allOf(
      owner,
      ...wanted.map(({ column, value, isText }) =>
        isExact && !isText ? sql`${withoutIndex(column)} = ${sql.param(value, column)}` : eq(column, value),
      ),
      updatedSince ? gte(updatedAt, param('updatedSince')) : undefined,
      ids ? sql`${table.id} in ${listed('ids')}` : undefined,
      externalIds ? named : undefined,
      search ? matches : undefined,
      ...references
        .filter(({ filter }) => uses.includes(filter))
        .map(({ filter, target, links }) => {
          const seq = isFound ? withoutIndex(table.seq) : sql`${table.seq}`
          const used = sql`select ${target.seq} from ${target} where ${isInScope(target)} and ${target.id} = ${param(getFilterParam(filter))}`
          return sql`${seq} in (select ${links.owner} from ${links} where ${links.target} = (${used}))`
        }),
      continued ? (ascending ? gt(id, param('after')) : lt(id, param('after'))) : undefined,
    )
    const order = ascending ? asc(id) : desc(id)
    const included = includesExternalId ? sql`, ${externalIdOf(table)} as external_id` : sql``
    const large = getLargeColumns(resource, includesDetails)
    const columns = sql`${columnsWithinShare(table, large)}${included}`
    return compile(sql`select ${columns} from ${table} where ${conditions} order by ${order} limit ${param('rows')}`)
  }
  return (bothModes: boolean, shape: ListShape) =>
    built(JSON.stringify([bothModes, shape]), () => build(bothModes, shape))
}
