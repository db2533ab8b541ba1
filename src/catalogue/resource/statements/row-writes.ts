import { eq, sql } from 'drizzle-orm'
import { allOf, compile, lazy, param, type Statement, toJsonLists, type Values } from '../../../platform/db/database.ts'
import { columnParam, insertSelect } from '../../../platform/db/query.ts'
import { externalIdTable, resourceOf } from '../../../platform/db/schema/external-ids.ts'
import { isInScope, type Scope } from '../../../platform/db/scope.ts'
import { bareColumn } from '../../../platform/db/sql-name.ts'
import { undoIf, type Write } from '../../../platform/db/transaction.ts'
import { type Draft, type Reference, type ResourceDefinition, spansBothModes } from '../definition.ts'
import { isSameJson } from '../merge-patch.ts'
import { planSearchTerms } from '../plan/plan-search.ts'
import { getSearchTable } from './list-statements.ts'
import { perFlag } from './statement-memo.ts'

/** SQL for the elements of the JSON list `:rows`. */
export const rows = sql`json_each(${param('rows')}) as named`

/** SQL for a member of an element of `:rows`. */
export const member = (key: string) => sql`(named.value ->> ${sql.raw(`'$.${key}'`)})`

/** An object that a transaction inserts or updates. */
export interface WrittenObject {
  id: string
  /** The object before an update. */
  before?: Draft | undefined
  after: Draft
  /** Some fields could not be read: the references of the stored row are unknown. */
  repairs?: boolean | undefined
  externalId?: string | undefined
  /** The external id before an update. */
  previousExternalId?: string | undefined
}

/**
 * Statements for objects of the merchant `:merchantId`, and of the mode `:testMode` unless `bothModes`. If `isOne`, the parameters name one
 * object, which reads no list; else `:rows` names several.
 */
function createRowStatements(
  { table, references, spansModes }: ResourceDefinition,
  bothModes: boolean,
  isOne: boolean,
) {
  const getMember = (key: string) => (isOne ? sql`${param(key)}` : member(key))
  const objects = isOne ? sql`${table}` : sql`${rows} cross join ${table}`
  const isOwn = bothModes ? eq(table.merchantId, param('merchantId')) : isInScope(table)
  const isNamed = allOf(isOwn, eq(table.id, getMember('id')))
  const named = sql`from ${objects} where ${isNamed}`

  /** `targets` are ids of objects that the owner names. */
  const createLinkStatements = ({ target, links }: Reference) => {
    const aimed = isOne
      ? sql`json_each(${param('targets')}) as aimed`
      : sql`json_each(named.value, '$.targets') as aimed`
    const isTarget = sql`${isInScope(target)} and ${target.id} = aimed.value`
    return {
      /** Violates a NOT NULL if a target does not exist. */
      link: compile(sql`
        insert into ${links} (${bareColumn(links.owner)}, ${bareColumn(links.target)})
        select ${table.seq}, ${target.seq} from ${objects} cross join ${aimed}
          left join ${target} on ${isTarget}
        where ${isNamed} on conflict do nothing`),
      unlink: compile(sql`
        delete from ${links} where (${links.owner}, ${links.target}) in (
          select ${table.seq}, ${target.seq} from ${objects} cross join ${aimed} cross join ${target}
          where ${isNamed} and ${isTarget})`),
      unlinkAll: compile(sql`delete from ${links} where ${links.owner} in (select ${table.seq} ${named})`),
    }
  }

  return {
    links: lazy(() => references.map(createLinkStatements)),

    /** Writes the search terms of new and of changed objects. */
    index: lazy(() =>
      compile(
        sql`insert or replace into ${getSearchTable(table)} (rowid, terms) select ${table.seq}, ${getMember('terms')} ${named}`,
      ),
    ),

    /** Fails if another object has one of the external ids. */
    insertExternalIds: lazy(() =>
      compile(
        insertSelect(
          externalIdTable,
          {
            merchantId: table.merchantId,
            testMode: spansModes ? sql`0` : columnParam(externalIdTable.testMode, 'testMode'),
            resource: resourceOf(table),
            externalId: getMember('externalId'),
            object: table.seq,
          },
          named,
        ),
      ),
    ),

    deleteExternalIds: lazy(() =>
      compile(
        sql`delete from ${externalIdTable} where ${externalIdTable.resource} = ${resourceOf(table)} and ${externalIdTable.object} in (select ${table.seq} ${named})`,
      ),
    ),

    /** Undoes the transaction if there are more than `:limit` objects in the mode. */
    limit: lazy(() => {
      const counted = sql`select 1 from ${table} where ${isOwn} limit ${param('limit')} + 1`
      return compile(undoIf(sql`(select count(*) from (${counted})) > ${param('limit')}`))
    }),
  }
}

/** One statement for each JSON list of the rows. Empty without rows. */
export const forRows = (statement: () => Statement, values: Values, elements: readonly unknown[]): Write =>
  elements.length === 0 ? [] : toJsonLists(elements).map((list) => [statement(), { ...values, rows: list }])

type RowStatements = ReturnType<typeof createRowStatements>

/** Writes of a transaction besides the rows of a resource: for one object of a store, or for many of a batch. */
export function createRowWrites(resource: ResourceDefinition) {
  const { references, maxPerMode } = resource
  const built = perFlag((isOne) => perFlag((bothModes) => createRowStatements(resource, bothModes, isOne)))

  /** The statement for one object, or those for lists of several. */
  function forObjects(
    values: Values & Scope,
    objects: readonly { id: string; targets?: readonly string[] }[],
    choose: (statements: RowStatements) => Statement | undefined,
  ): Write {
    const [object, ...others] = objects
    const statement = object && choose(built(others.length === 0)(spansBothModes(resource, values)))
    if (!statement) return []
    if (others.length > 0) return forRows(() => statement, values, objects)
    return [[statement, { ...values, ...object, targets: JSON.stringify(object.targets) }]]
  }

  function writeLinks(values: Values & Scope, objects: readonly WrittenObject[]): Write {
    return references.flatMap((reference, index) => {
      const toIds = (draft: Draft) => new Set(reference.listIds(draft).map(({ id }) => id))
      const isSame = ({ before = {}, after }: WrittenObject) =>
        isSameJson(before[reference.field], after[reference.field])
      const changed = objects.filter((object) => object.repairs || !isSame(object))
      const compared = changed.map(({ id, before = {}, after, repairs }) => {
        const [was, is] = [toIds(repairs ? {} : before), toIds(after)]
        return { id, removed: [...was.difference(is)], added: [...is.difference(was)] }
      })
      const toRows = (key: 'removed' | 'added') =>
        compared.flatMap(({ id, [key]: targets }) => (targets.length > 0 ? [{ id, targets }] : []))
      const repaired = changed.flatMap(({ id, repairs }) => (repairs ? [{ id }] : []))
      return [
        ...forObjects(values, repaired, ({ links }) => links()[index]?.unlinkAll),
        ...forObjects(values, toRows('removed'), ({ links }) => links()[index]?.unlink),
        ...forObjects(values, toRows('added'), ({ links }) => links()[index]?.link),
      ]
    })
  }

  function writeSearchTerms(values: Values & Scope, objects: readonly WrittenObject[]): Write {
    const indexed = objects.flatMap(({ id, before, after }) => {
      const terms = planSearchTerms(resource, values, before, after)
      return terms === undefined ? [] : [{ id, terms }]
    })
    return forObjects(values, indexed, ({ index }) => index())
  }

  function writeExternalIds(values: Values & Scope, objects: readonly WrittenObject[]): Write {
    const changed = objects.filter(({ externalId, previousExternalId }) => externalId !== previousExternalId)
    const removed = changed.flatMap(({ id, previousExternalId }) => (previousExternalId === undefined ? [] : [{ id }]))
    const added = changed.flatMap(({ id, externalId }) => (externalId === undefined ? [] : [{ id, externalId }]))
    return [
      ...forObjects(values, removed, ({ deleteExternalIds }) => deleteExternalIds()),
      ...forObjects(values, added, ({ insertExternalIds }) => insertExternalIds()),
    ]
  }

  return {
    /** Undoes the transaction, whose error `isUndoneIf` knows, if a limited resource has too many objects. */
    limit(values: Values & Scope): Write {
      if (maxPerMode === undefined) return []
      const { limit } = built(true)(spansBothModes(resource, values))
      return [[limit(), { ...values, limit: maxPerMode }]]
    },

    /** Writes external ids, links and search terms. They come after the rows of all resources. */
    dependents: (values: Values & Scope, objects: readonly WrittenObject[]): Write => [
      ...writeExternalIds(values, objects),
      ...writeLinks(values, objects),
      ...writeSearchTerms(values, objects),
    ],

    /** Additional statements of the resource, each once for all of its objects. They come after the events. */
    extras(values: Values, objects: readonly WrittenObject[]): Write {
      const extras = objects.flatMap(({ id, before, after }) =>
        resource.hooks.extraStatements(before, after).map((statement) => ({ statement, id })),
      )
      return Array.from(
        Map.groupBy(extras, ({ statement }) => statement),
        ([statement, own]) => [statement, { ...values, ids: JSON.stringify(own.map(({ id }) => id)) }],
      )
    },
  }
}

export type RowWrites = ReturnType<typeof createRowWrites>
