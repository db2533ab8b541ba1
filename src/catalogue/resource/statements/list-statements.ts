import { and, eq, getTableName, gte, type SQL, sql } from 'drizzle-orm'
import { allOf, compile, createMemo, param } from '../../../platform/db/database.ts'
import { columnsWithinShare } from '../../../platform/db/page-budget.ts'
import { listed, withoutIndex } from '../../../platform/db/query.ts'
import { externalIdOf } from '../../../platform/db/schema/external-ids.ts'
import type { ResourceTable } from '../../../platform/db/schema/resource-columns.ts'
import { isInScope } from '../../../platform/db/scope.ts'
import { isAscending, type ListQuery, maxExamined } from '../../../platform/http/pagination.ts'
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
  ascending: isAscending(query),
  continued: query.cursor !== undefined,
  updatedSince: query.updatedSince !== undefined,
  ids: query.ids !== undefined,
  externalIds: query.externalIds !== undefined,
  uses: resource.references.flatMap(({ filter }) => (Reflect.get(query, filter) === undefined ? [] : [filter])),
  includesExternalId: query.include?.includes('externalId') === true,
  includesDetails: query.include?.includes('details') === true,
  search,
})

type Filtered = Pick<ResourceDefinition, 'filters'>

const isExact = ({ filters }: Filtered, shape: ListShape) =>
  shape.filters.some((name) => filters[name]?.dataType !== 'boolean')

/** What orders a list: the ids of its objects, or the times of their last changes. */
export const getListOrder = (resource: Filtered, shape: ListShape): 'id' | 'change' => {
  const { updatedSince, ids, externalIds, uses, search } = shape
  const isNarrow = ids || externalIds || search || uses.length > 0 || isExact(resource, shape)
  return updatedSince && !isNarrow ? 'change' : 'id'
}

/** Whether a page of a list examines at most `maxExamined` objects. */
export const isExamined = (resource: Filtered, shape: ListShape) =>
  getListOrder(resource, shape) === 'change' && shape.filters.length > 0

/**
 * Statements that read a page of a list. SQLite has no statistics to find the narrowest condition, so each statement allows only one index: the rowid
 * of a full-text match or of external ids, else the rowid of references, else that of a text filter or the ids, else of the change time, else of the
 * order.
 */
export function createListStatements(resource: ResourceDefinition, scoped: (bothModes: boolean) => SQL) {
  const { table, filters, references } = resource
  const [pages, lasts] = [createMemo(), createMemo()]

  /** Which objects changed since a time, behind the cursor of a list by change. A page behind a cursor begins later than the first one. */
  const changed = ({ continued }: ListShape) =>
    continued
      ? sql`(${table.updatedAt}, ${table.id}) > (${param('afterChange')}, ${param('after')})`
      : sql`${table.updatedAt} >= ${param('updatedSince')}`
  const byChange = sql`${table.updatedAt} asc, ${table.id} asc`

  /** The changed objects that a page examines, in their order. */
  const selectExamined = (bothModes: boolean, shape: ListShape) => sql`
    select ${table.seq} as seq, ${table.updatedAt} as changed, ${table.id} as id from ${table}
    where ${scoped(bothModes)} and ${changed(shape)} order by ${byChange} limit ${maxExamined}`

  function buildPage(bothModes: boolean, shape: ListShape) {
    const { ascending, continued, updatedSince, ids, externalIds, uses, search } = shape
    const { includesExternalId, includesDetails } = shape
    const isByChange = getListOrder(resource, shape) === 'change'
    const examines = isExamined(resource, shape)
    const isFound = search || externalIds
    const isByRowid = isFound || uses.length > 0 || examines
    const wanted = shape.filters.flatMap((name) => {
      const column = filters[name]
      return column ? [{ column, value: param(getFilterParam(name)), isText: column.dataType !== 'boolean' }] : []
    })
    const hasText = isExact(resource, shape)
    const isNarrow = hasText || ids || externalIds
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
    const compared = ascending ? sql`>` : sql`<`
    const conditions = allOf(
      owner,
      ...wanted.map(({ column, value, isText }) =>
        examines || (hasText && !isText)
          ? sql`${withoutIndex(column)} = ${sql.param(value, column)}`
          : eq(column, value),
      ),
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
      isByChange && !examines ? changed(shape) : undefined,
      !isByChange && updatedSince ? gte(updatedAt, param('updatedSince')) : undefined,
      !isByChange && continued ? sql`${id} ${compared} ${param('after')}` : undefined,
    )
    const source = examines
      ? sql`(${selectExamined(bothModes, shape)}) as found cross join ${table} on ${table.seq} = found.seq`
      : sql`${table}`
    const byId = sql`${id} ${ascending ? sql`asc` : sql`desc`}`
    const order = examines ? sql`found.changed asc, found.id asc` : isByChange ? byChange : byId
    const included = includesExternalId ? sql`, ${externalIdOf(table)} as external_id` : sql``
    const large = getLargeColumns(resource, includesDetails)
    const columns = sql`${columnsWithinShare(table, large)}${included}`
    return compile(sql`select ${columns} from ${source} where ${conditions} order by ${order} limit ${param('rows')}`)
  }

  /** The last object that a page examines, if there may be more behind it. */
  const buildLast = (bothModes: boolean, shape: ListShape) =>
    compile(
      sql`select changed as updated_at, id from (${selectExamined(bothModes, shape)}) limit 1 offset ${maxExamined - 1}`,
    )

  return {
    page: (bothModes: boolean, shape: ListShape) =>
      pages(JSON.stringify([bothModes, shape]), () => buildPage(bothModes, shape)),
    lastExamined: (bothModes: boolean, shape: ListShape) =>
      lasts(JSON.stringify([bothModes, shape.continued]), () => buildLast(bothModes, shape)),
  }
}
