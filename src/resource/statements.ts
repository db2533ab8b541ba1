import { and, asc, desc, eq, getTableColumns, getTableName, gt, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import {
  allOf,
  columnParams,
  compile,
  compileInsert,
  getColumn,
  lazy,
  param,
  type Statement,
  updateSet,
} from '../db/database.ts'
import { columnsWithinShare } from '../db/page-budget.ts'
import type { ResourceTable } from '../db/schema/resource-columns.ts'
import type { ListQuery } from '../http/pagination.ts'
import { insertEvent } from '../outbox/insert-event.ts'
import type { Reference, ResourceDefinition } from './definition.ts'

/** Builds one statement for each key and keeps it; forgets them all when clients have thought of too many. */
function createMemo(most = 500) {
  const built = new Map<string, Statement>()
  return (key: string, build: () => Statement): Statement => {
    const known = built.get(key)
    if (known) return known
    if (built.size >= most) built.clear()
    const statement = build()
    built.set(key, statement)
    return statement
  }
}

/** The unary plus: the same value, but no index is chosen because of it. */
const withoutIndex = (column: SQLiteColumn) => sql`+${column}`

/** The full-text table of a resource; its rowid is the object's `seq`. */
export const getSearchTable = (table: ResourceTable) => sql.identifier(`${getTableName(table)}_search`)

/** A filter's parameter; its name cannot be that of a scope's, whatever the filter is called. */
export const getFilterParam = (name: string) => `filter ${name}`

/** What a page of a list depends on, as far as the text of its statement does. */
export interface ListShape {
  filters: readonly string[]
  ascending: boolean
  continued: boolean
  updatedSince: boolean
  ids: boolean
  search: boolean
}

export const getListShape = (resource: ResourceDefinition, query: ListQuery, search: boolean): ListShape => ({
  filters: Object.keys(resource.filters).filter((key) => Reflect.get(query, key) !== undefined),
  ascending: query.order === 'asc',
  continued: query.cursor !== undefined,
  updatedSince: query.updatedSince !== undefined,
  ids: query.ids !== undefined,
  search,
})

/**
 * Every statement of one resource, each built when it is first needed and then kept as text. All of them are scoped:
 * to `:merchantId`, and to `:testMode` unless they are for a key that reaches both modes.
 */
export function createStatements(resource: ResourceDefinition, all: readonly ResourceDefinition[]) {
  const { table } = resource
  const columns = Object.keys(getTableColumns(table)).filter((key) => key !== 'seq')
  const ofMerchant = eq(table.merchantId, param('merchantId'))
  const scoped = (bothModes: boolean) =>
    bothModes ? ofMerchant : allOf(ofMerchant, eq(table.testMode, param('testMode')))
  const one = (bothModes: boolean) => allOf(scoped(bothModes), eq(table.id, param('id')))
  const perReach = (build: (bothModes: boolean) => Statement) => {
    const [own, both] = [lazy(() => build(false)), lazy(() => build(true))]
    return (bothModes: boolean) => (bothModes ? both() : own())
  }
  /** `seq` of the object itself, for statements about other tables. */
  const itself = (bothModes: boolean) => sql`(select ${table.seq} from ${table} where ${one(bothModes)})`
  const updates = createMemo()

  /** Objects that name this resource's, and by which of their fields. */
  const referrers = all.flatMap((owner) =>
    owner.references.filter(({ target }) => target === table).map((reference) => ({ owner, reference })),
  )

  return {
    find: perReach((bothModes) => compile(sql`select * from ${table} where ${one(bothModes)}`)),

    /** Whole, whatever their size: `:ids` of a page that `list` has read. */
    findAll: perReach((bothModes) =>
      compile(
        sql`select * from ${table} where ${allOf(scoped(bothModes), sql`${table.id} in (select value from json_each(${param('ids')}))`)}`,
      ),
    ),

    insert: lazy(() => compileInsert(table, columns)),

    /** Behind an insertion: violates `version`'s NOT NULL, which undoes the batch, when there are more than `:most` objects now. */
    limit: lazy(() => {
      const counted = sql`select 1 from ${table} where ${scoped(false)} limit ${param('most')} + 1`
      const version = sql`case when (select count(*) from (${counted})) <= ${param('most')} then ${table.version} end`
      return compile(sql`${updateSet(table, { version })} where ${one(false)}`)
    }),

    /** Changes the named columns. Violates `version`'s NOT NULL when the object is not at `:expected`, which undoes the batch. */
    update: (bothModes: boolean, keys: readonly string[]) =>
      updates(`${bothModes}:${keys}`, () => {
        const version = sql`case when ${table.version} = ${param('expected')} then ${table.version} + 1 end`
        const changed = updateSet(table, { ...columnParams(table, keys), version })
        return compile(sql`${changed} where ${one(bothModes)} returning ${table.version}`)
      }),

    remove: perReach((bothModes) => compile(sql`delete from ${table} where ${one(bothModes)} returning *`)),

    /** Violates `version`'s NOT NULL, which undoes the batch, unless the version is one of `:versions` or, if those are not `:wanted`, none. */
    guard: perReach((bothModes) => {
      const holds = sql`(${table.version} in (select value from json_each(${param('versions')}))) = ${param('wanted')}`
      const guarded = updateSet(table, { version: sql`case when ${holds} then ${table.version} end` })
      return compile(sql`${guarded} where ${one(bothModes)}`)
    }),

    /** Record what happened to the object: after it was made or changed, and before it is deleted. */
    insertEvent: {
      created: perReach((bothModes) =>
        insertEvent({ resource, verb: 'created', where: sql`${one(bothModes)}`, previous: sql`null` }),
      ),
      updated: perReach((bothModes) => insertEvent({ resource, verb: 'updated', where: sql`${one(bothModes)}` })),
      deleted: perReach((bothModes) =>
        insertEvent({
          resource,
          verb: 'deleted',
          where: sql`${one(bothModes)}`,
          replaced: { version: sql`${table.version} + 1` },
          previous: sql`null`,
        }),
      ),
      /** The same for a row that SQLite cannot write as JSON. */
      deletedDamaged: perReach((bothModes) =>
        insertEvent({
          resource,
          verb: 'deleted',
          where: sql`${one(bothModes)}`,
          replaced: { ...writableAsJson(table), version: sql`${table.version} + 1` },
          previous: sql`null`,
        }),
      ),
    },

    /** What a deletion takes the object out of, before it goes. */
    prune: lazy(() =>
      referrers.flatMap(({ owner, reference }) => createPruneStatements(owner, reference, itself(false))),
    ),

    /** The same where objects that name it are damaged: what SQLite cannot parse stays as it is. */
    pruneDamaged: lazy(() =>
      referrers.flatMap(({ owner, reference }) => createPruneStatements(owner, reference, itself(false), true)),
    ),

    links: lazy(() => resource.references.map((reference) => createLinkStatements(table, reference))),

    index: perReach((bothModes) =>
      compile(sql`insert into ${getSearchTable(table)} (rowid, terms) select ${itself(bothModes)}, ${param('terms')}`),
    ),
    reindex: perReach((bothModes) =>
      compile(sql`update ${getSearchTable(table)} set terms = ${param('terms')} where rowid = ${itself(bothModes)}`),
    ),

    list: createListStatements(resource, scoped),
  }
}

export type Statements = ReturnType<typeof createStatements>

const targetSeqs = (target: ResourceTable) =>
  allOf(eq(target.merchantId, param('merchantId')), eq(target.testMode, param('testMode')))

/** The statements that keep the links of one field in step with it. */
function createLinkStatements(owner: ResourceTable, { target, links }: Reference) {
  const named = sql`json_each(${param('ids')}) as named`
  const ownerSeq = sql`(select ${owner.seq} from ${owner} where ${targetSeqs(owner)} and ${owner.id} = ${param('id')})`
  const present = sql`${targetSeqs(target)} and ${target.id} = named.value`
  return {
    /** Fails on NOT NULL when one of the ids does not exist: the guard against dangling references. */
    link: compile(
      sql`insert into ${links} (owner, target) select ${ownerSeq}, ${target.seq} from ${named} left join ${target} on ${present} where true on conflict do nothing`,
    ),
    unlink: compile(
      sql`delete from ${links} where ${links.owner} = ${ownerSeq} and ${links.target} in (select ${target.seq} from ${named} cross join ${target} where ${present})`,
    ),
    unlinkAll: compile(sql`delete from ${links} where ${links.owner} = ${ownerSeq}`),
    missing: compile(
      sql`select named.value as id from ${named} where not exists (select 1 from ${target} where ${present})`,
    ),
  }
}

/** SQL for each column whose value might be one that `json_object` refuses: JSON that is none as a JSON string, bytes as null. */
const writableAsJson = (table: ResourceTable): Readonly<Record<string, SQL>> =>
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

function createPruneStatements(
  resource: ResourceDefinition,
  { links, field, without }: Reference,
  target: SQL,
  isDamaged = false,
): Statement[] {
  const owner = resource.table
  const named = sql`${owner.seq} in (select ${links.owner} from ${links} where ${links.target} = ${target})`
  const where = isDamaged ? sql`${named} and json_valid(${getColumn(owner, field)})` : named
  const pruned = {
    [field]: without(param('id')),
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
      many: true,
    }),
    compile(sql`${updateSet(owner, pruned)} where ${where}`),
    compile(sql`delete from ${links} where ${links.target} = ${target}`),
  ]
}

/**
 * Pages of a list. Without statistics SQLite cannot tell which condition leaves the fewest rows, so every statement offers it one
 * way: through the full-text match if there is one, else through the text of a filter or the ids, else the time, else in order.
 */
function createListStatements({ table, filters }: ResourceDefinition, scoped: (bothModes: boolean) => SQL) {
  const built = createMemo()
  const build = (bothModes: boolean, shape: ListShape) => {
    const { ascending, continued, updatedSince, ids, search } = shape
    const wanted = shape.filters.flatMap((name) => {
      const column = filters[name]
      return column ? [{ column, value: param(getFilterParam(name)), isText: column.dataType !== 'boolean' }] : []
    })
    const isExact = wanted.some(({ isText }) => isText)
    const isNarrow = isExact || ids
    const matches = sql`${table.seq} in (select rowid from ${getSearchTable(table)} where ${getSearchTable(table)} match ${param('match')})`
    const id = search || (updatedSince && !isNarrow) ? withoutIndex(table.id) : sql`${table.id}`
    const updatedAt = isNarrow ? withoutIndex(table.updatedAt) : sql`${table.updatedAt}`
    const owner = search
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
      ids ? sql`${table.id} in (select value from json_each(${param('ids')}))` : undefined,
      search ? matches : undefined,
      continued ? (ascending ? gt(id, param('after')) : lt(id, param('after'))) : undefined,
    )
    const order = ascending ? asc(id) : desc(id)
    const columns = columnsWithinShare(table)
    return compile(sql`select ${columns} from ${table} where ${conditions} order by ${order} limit ${param('rows')}`)
  }
  return (bothModes: boolean, shape: ListShape) =>
    built(JSON.stringify([bothModes, shape]), () => build(bothModes, shape))
}
