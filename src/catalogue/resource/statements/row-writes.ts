import { eq, type SQL, sql } from 'drizzle-orm'
import { allOf, compile, lazy, param, perFlag, type Statement, type Values } from '../../../platform/db/database.ts'
import { columnParam, insertSelect } from '../../../platform/db/query.ts'
import { externalIdTable, resourceOf } from '../../../platform/db/schema/external-ids.ts'
import { hiddenModes, type ResourceTable } from '../../../platform/db/schema/resource-columns.ts'
import { isInScope, type Scope } from '../../../platform/db/scope.ts'
import { bareColumn } from '../../../platform/db/sql-name.ts'
import { undoIf, type Write } from '../../../platform/db/transaction.ts'
import type { Draft, Reference, ResourceDefinition } from '../definition.ts'
import { isSameJson } from '../merge-patch.ts'
import { planSearchTerms, spansBothModes } from '../plan.ts'
import { getSearchTable } from './list-statements.ts'

/** An object that a transaction inserts or updates. */
export interface WrittenObject {
  id: string
  /** The object before an update. */
  before?: Draft | undefined
  after: Draft
  /** Some fields could not be read, so the references of the stored row are unknown. */
  repairs?: boolean | undefined
  externalId?: string | undefined
  /** The external id before an update. */
  previousExternalId?: string | undefined
}

/** Where statements find the objects that a transaction writes. */
export interface ObjectSource {
  /** Tables to select from: the resource's, and the list of objects if there is one. */
  from(table: ResourceTable): SQL
  /** A member of an object: its `id`, its `terms`, its `externalId`. */
  member(key: string): SQL
  /** The targets that an object names, as a JSON list. */
  targets: SQL
  /** The statement for each list of objects. Empty without objects. */
  bind(statement: () => Statement, values: Values, objects: readonly SourceObject[]): Write
}

interface SourceObject {
  id: string
  targets?: readonly string[]
}

/** The only object of a transaction: its members are parameters, which costs less than a list. */
export const oneObject: ObjectSource = {
  from: (table) => sql`${table}`,
  member: (key) => sql`${param(key)}`,
  targets: sql`${param('targets')}`,
  bind: (statement, values, objects) =>
    objects.map((object) => [statement(), { ...values, ...object, targets: JSON.stringify(object.targets) }]),
}

/** Statements for objects of the merchant `:merchantId`, and of the mode `:testMode` unless `bothModes`. */
function createRowStatements(
  { table, references, spansModes }: ResourceDefinition,
  { from, member, targets }: ObjectSource,
  bothModes: boolean,
) {
  const objects = from(table)
  const isOwn = bothModes ? eq(table.merchantId, param('merchantId')) : isInScope(table)
  const isNamed = allOf(isOwn, eq(table.id, member('id')))
  const named = sql`from ${objects} where ${isNamed}`

  /** `targets` are ids of objects that the owner names. */
  const createLinkStatements = ({ target, links }: Reference) => {
    const aimed = sql`json_each(${targets}) as aimed`
    const isTarget = sql`${isInScope(target)} and ${target.id} = aimed.value`
    const mode = sql`${param('testMode')}`
    /** Also a deleted object to which references are left. */
    const isKnown = sql`${target.merchantId} = ${param('merchantId')} and ${target.testMode} in (${mode}, ${mode} + ${hiddenModes}) and ${target.id} = aimed.value`
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
          where ${isNamed} and ${isKnown})`),
      unlinkAll: compile(sql`delete from ${links} where ${links.owner} in (select ${table.seq} ${named})`),
    }
  }

  return {
    links: lazy(() => references.map(createLinkStatements)),

    /** Writes the search terms of new and of changed objects. */
    index: lazy(() =>
      compile(
        sql`insert or replace into ${getSearchTable(table)} (rowid, terms) select ${table.seq}, ${member('terms')} ${named}`,
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
            externalId: member('externalId'),
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

/** Writes of a transaction besides the rows of a resource: for one object of a store, or for many of a batch. */
export function createRowWrites(resource: ResourceDefinition, source: ObjectSource = oneObject) {
  const { references, maxPerMode } = resource
  const built = perFlag((bothModes) => createRowStatements(resource, source, bothModes))
  const statementsFor = (scope: Scope) => built(spansBothModes(resource, scope))

  function writeLinks(values: Values & Scope, objects: readonly WrittenObject[]): Write {
    return references.flatMap((reference, index) => {
      const statements = statementsFor(values).links()[index]
      if (!statements) return []
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
        ...source.bind(() => statements.unlinkAll, values, repaired),
        ...source.bind(() => statements.unlink, values, toRows('removed')),
        ...source.bind(() => statements.link, values, toRows('added')),
      ]
    })
  }

  function writeSearchTerms(values: Values & Scope, objects: readonly WrittenObject[]): Write {
    const indexed = objects.flatMap(({ id, before, after }) => {
      const terms = planSearchTerms(resource, values, before, after)
      return terms === undefined ? [] : [{ id, terms }]
    })
    return source.bind(statementsFor(values).index, values, indexed)
  }

  function writeExternalIds(values: Values & Scope, objects: readonly WrittenObject[]): Write {
    const changed = objects.filter(({ externalId, previousExternalId }) => externalId !== previousExternalId)
    const { deleteExternalIds, insertExternalIds } = statementsFor(values)
    const removed = changed.flatMap(({ id, previousExternalId }) => (previousExternalId === undefined ? [] : [{ id }]))
    const added = changed.flatMap(({ id, externalId }) => (externalId === undefined ? [] : [{ id, externalId }]))
    return [...source.bind(deleteExternalIds, values, removed), ...source.bind(insertExternalIds, values, added)]
  }

  return {
    /** Undoes the transaction, whose error `isUndoneIf` knows, if a limited resource has too many objects. */
    limit(values: Values & Scope): Write {
      if (maxPerMode === undefined) return []
      return [[statementsFor(values).limit(), { ...values, limit: maxPerMode }]]
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
