import { and, eq, getTableName, gte, type SQL, sql } from 'drizzle-orm'
import { allOf, compile, createMemo, param } from '../../../platform/db/database.ts'
import { columnsWithinShare } from '../../../platform/db/page-budget.ts'
import { listed, withoutIndex } from '../../../platform/db/query.ts'
import { externalIdOf } from '../../../platform/db/schema/external-ids.ts'
import type { ResourceTable } from '../../../platform/db/schema/resource-columns.ts'
import { isInScope } from '../../../platform/db/scope.ts'
import { isAscending, type ListQuery } from '../../../platform/http/pagination.ts'
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
  /** Filters by a reference or by another table that are used. */
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
  uses: [...resource.references, ...resource.referrers, ...(resource.indexed ? [resource.indexed] : [])].flatMap(
    ({ filter }) => (Reflect.get(query, filter) === undefined ? [] : [filter]),
  ),
  includesExternalId: query.include?.includes('externalId') === true,
  includesDetails: query.include?.includes('details') === true,
  search,
})

type Filtered = Pick<ResourceDefinition, 'filters' | 'listFilters'>

const isExact = ({ filters }: Filtered, shape: ListShape) =>
  shape.filters.some((name) => filters[name]?.dataType !== 'boolean')

/** Whether the database finds the objects of a list by something that few objects have. */
const isNarrow = (resource: Filtered, shape: ListShape) => shape.ids || shape.externalIds || isExact(resource, shape)

/** Order of a list: by the ids of its objects, by the times of their last changes, or by the numbers that the database gave them. */
export const getListOrder = (resource: Filtered, shape: ListShape): 'id' | 'change' | 'number' => {
  if (isNarrow(resource, shape)) return 'id'
  if (shape.search || shape.uses.length > 0) return 'number'
  return shape.updatedSince ? 'change' : 'id'
}

/** The filter by a text whose index a list reads in the order of ids. Undefined if the list names its objects, or has several texts in one filter. */
const findTextFilter = ({ filters, listFilters }: Filtered, shape: ListShape) =>
  shape.ids || shape.externalIds || shape.filters.some((name) => listFilters.includes(name))
    ? undefined
    : shape.filters.find((name) => filters[name]?.dataType !== 'boolean')

/** Whether an index finds the objects of a list in their order, but further conditions select some of them. */
export function hasFurtherConditions(resource: Filtered, shape: ListShape): boolean {
  const { filters, updatedSince, uses, search } = shape
  const order = getListOrder(resource, shape)
  if (order === 'id') {
    return findTextFilter(resource, shape) !== undefined && (filters.length > 1 || updatedSince || uses.length > 0)
  }
  return filters.length > 0 || (order === 'number' && (updatedSince || uses.length > (search ? 0 : 1)))
}

/** Whether the words of a search are compared with the rows that other conditions find: the full-text index would return all matches. */
export const isComparedInRows = (resource: Filtered, shape: ListShape): boolean =>
  shape.search && getListOrder(resource, shape) === 'id'

/**
 * Statements that read a page of a list. SQLite has no statistics to find the narrowest condition, so each statement allows only one index: the rowid
 * of external ids, else that of a text filter or the ids, else the full-text index or that of a
 * reference or of labels in the order of the numbers, else that of the change time, else of the order.
 */
export function createListStatements(resource: ResourceDefinition, scoped: (bothModes: boolean) => SQL) {
  const { table, filters, listFilters, references, referrers, indexed } = resource
  const [pages, lasts] = [createMemo(), createMemo()]

  /** Which objects changed since a time, behind the cursor of a list by change. A page behind a cursor begins later than the first one. */
  const changed = ({ continued }: ListShape) =>
    continued
      ? sql`(${table.updatedAt}, ${table.id}) > (${param('afterChange')}, ${param('after')})`
      : sql`${table.updatedAt} >= ${param('updatedSince')}`
  const byChange = sql`${table.updatedAt} asc, ${table.id} asc`

  /** The number of the object that a filter names. */
  const named = (of: ResourceTable, filter: string) =>
    sql`(select ${of.seq} from ${of} where ${isInScope(of)} and ${of.id} = ${param(getFilterParam(filter))})`
  /** Tables that have the numbers of objects by a reference, or by the value of a filter. */
  const indexes = [
    ...references.map(({ filter, links, target }) => ({
      filter,
      rows: sql`${links}`,
      owner: links.owner,
      isWanted: sql`${links.target} = ${named(target, filter)}`,
    })),
    ...referrers.map(({ filter, links, table: referrer }) => ({
      filter,
      rows: sql`${links}`,
      owner: links.target,
      isWanted: sql`${links.owner} = ${named(referrer, filter)}`,
    })),
    ...(indexed
      ? [
          {
            filter: indexed.filter,
            rows: sql`${indexed.table}`,
            owner: indexed.owner,
            isWanted: sql`${isInScope(indexed.table)} and ${indexed.value} = ${param(getFilterParam(indexed.filter))}`,
          },
        ]
      : []),
  ]
  const getUsed = ({ uses }: ListShape) => indexes.filter(({ filter }) => uses.includes(filter))
  const inDirection = ({ ascending }: ListShape) => (ascending ? sql`asc` : sql`desc`)
  const search = getSearchTable(table)
  const isFound = sql`${search} match ${param('match')}`

  /**
   * The objects that a page examines, in their order: those with a text, or those that changed, else those that a search finds, else those with the
   * first reference.
   */
  function selectExamined(bothModes: boolean, shape: ListShape): SQL {
    const listOrder = getListOrder(resource, shape)
    const textFilter = findTextFilter(resource, shape)
    const text = textFilter === undefined ? undefined : filters[textFilter]
    if (listOrder === 'id' && textFilter !== undefined && text) {
      const isBehind = shape.continued
        ? sql`and ${table.id} ${shape.ascending ? sql`>` : sql`<`} ${param('after')}`
        : sql``
      return sql`select ${table.seq} as number, ${table.id} as key from ${table}
        where ${scoped(bothModes)} and ${text} = ${param(getFilterParam(textFilter))} ${isBehind}
        order by ${table.id} ${inDirection(shape)} limit ${param('examined')}`
    }
    if (listOrder === 'change') {
      return sql`select ${table.seq} as number, ${table.updatedAt} as changed, ${table.id} as key from ${table}
        where ${scoped(bothModes)} and ${changed(shape)} order by ${byChange} limit ${param('examined')}`
    }
    const [index] = getUsed(shape)
    const isByIndex = !shape.search && index !== undefined
    const number = isByIndex ? sql`${index.owner}` : sql`rowid`
    const found = isByIndex ? sql`${index.rows} where ${index.isWanted}` : sql`${search} where ${isFound}`
    // The number of an object differs after a move.
    const last = sql`coalesce((select ${table.seq} from ${table} where ${scoped(bothModes)} and ${table.id} = ${param('after')}), ${param('afterNumber')})`
    const isBehind = shape.continued ? sql`and ${number} ${shape.ascending ? sql`>` : sql`<`} ${last}` : sql``
    return sql`select ${number} as number from ${found} ${isBehind} order by ${number} ${inDirection(shape)} limit ${param('examined')}`
  }

  function buildPage(bothModes: boolean, shape: ListShape) {
    const { ascending, continued, updatedSince, ids, externalIds } = shape
    const { includesExternalId, includesDetails } = shape
    const listOrder = getListOrder(resource, shape)
    const isByNumber = listOrder === 'number'
    const isFiltered = hasFurtherConditions(resource, shape)
    const examines = isByNumber || isFiltered
    const isByRowid = externalIds || examines
    const wanted = shape.filters.flatMap((name) => {
      const column = filters[name]
      const value = param(getFilterParam(name))
      const isText = column?.dataType !== 'boolean'
      return column ? [{ column, value, isText, isList: listFilters.includes(name) }] : []
    })
    const hasText = isExact(resource, shape)
    const isNamed = sql`${table.seq} in (${selectNamed(resource)})`
    // Few objects have one of several texts, so they are sorted: the index on the id would find all others first.
    const hasList = wanted.some(({ isList }) => isList)
    const id = isByRowid || hasList ? withoutIndex(table.id) : sql`${table.id}`
    const owner = isByRowid
      ? and(
          sql`${withoutIndex(table.merchantId)} = ${param('merchantId')}`,
          bothModes ? undefined : sql`${withoutIndex(table.testMode)} = ${param('testMode')}`,
        )
      : scoped(bothModes)
    const compared = ascending ? sql`>` : sql`<`
    const conditions = allOf(
      owner,
      ...wanted.map(({ column, value, isText, isList }) => {
        if (isList) return sql`${column} in (select value from json_each(${value}))`
        return examines || (hasText && !isText)
          ? sql`${withoutIndex(column)} = ${sql.param(value, column)}`
          : eq(column, value)
      }),
      ids ? sql`${hasList ? id : table.id} in ${listed('ids')}` : undefined,
      externalIds ? isNamed : undefined,
      ...getUsed(shape)
        .slice(isByNumber && !shape.search ? 1 : 0)
        .map(
          ({ rows, owner, isWanted }) =>
            sql`exists (select 1 from ${rows} where ${owner} = ${table.seq} and ${isWanted})`,
        ),
      listOrder === 'change' && !examines ? changed(shape) : undefined,
      listOrder !== 'change' && updatedSince ? gte(withoutIndex(table.updatedAt), param('updatedSince')) : undefined,
      listOrder === 'id' && continued && !examines ? sql`${id} ${compared} ${param('after')}` : undefined,
    )
    // Without further conditions, an examined object that is not in the scope is a row of nulls, so that the page knows where it ends: the full-text
    // index has objects whose deletion is under way, and those of merchants with the same partition.
    const source = examines
      ? sql`(${selectExamined(bothModes, shape)}) ${isFiltered ? sql`cross` : sql`left`} join ${table} on ${table.seq} = number and`
      : sql`${table} where`
    const orders = {
      id: examines ? sql`key ${inDirection(shape)}` : sql`${id} ${inDirection(shape)}`,
      change: examines ? sql`changed asc, key asc` : byChange,
      number: sql`number ${inDirection(shape)}`,
    }
    const included = includesExternalId ? sql`, ${externalIdOf(table)} as external_id` : sql``
    const number = isByNumber ? sql`, number` : sql``
    const large = getLargeColumns(resource, includesDetails)
    const columns = sql`${columnsWithinShare(table, large)}${included}${number}`
    return compile(
      sql`select ${columns} from ${source} ${conditions} order by ${orders[listOrder]} limit ${param('rows')}`,
    )
  }

  /** The last object that a page examines, if there may be more behind it. */
  function buildLast(bothModes: boolean, shape: ListShape) {
    const id = sql`(select ${table.id} from ${table} where ${table.seq} = number)`
    const keys = { id: sql`key as id`, change: sql`changed as updated_at, key as id`, number: sql`number, ${id} as id` }
    const key = keys[getListOrder(resource, shape)]
    return compile(
      sql`select ${key} from (${selectExamined(bothModes, shape)}) limit 1 offset ${param('examined')} - 1`,
    )
  }

  return {
    page: (bothModes: boolean, shape: ListShape) =>
      pages(JSON.stringify([bothModes, shape]), () => buildPage(bothModes, shape)),
    lastExamined: (bothModes: boolean, shape: ListShape) =>
      lasts(JSON.stringify([bothModes, shape]), () => buildLast(bothModes, shape)),
  }
}
