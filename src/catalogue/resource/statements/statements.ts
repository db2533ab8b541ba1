import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { allOf, compile, createMemo, lazy, param, perFlag, type Statement } from '../../../platform/db/database.ts'
import { columnParams, insertRow, listed, setColumns } from '../../../platform/db/query.ts'
import { externalIdOf } from '../../../platform/db/schema/external-ids.ts'
import type { ResourceTable } from '../../../platform/db/schema/resource-columns.ts'
import { isInScope } from '../../../platform/db/scope.ts'
import { insertEvent } from '../../../platform/outbox/insert-event.ts'
import { resourceList } from '../../resources/registry.ts'
import type { ResourceDefinition } from '../definition.ts'
import { getLargeColumns, selectDetails, selectHasDetails } from '../details/details-columns.ts'
import { createExternalIdStatements } from '../external-ids.ts'
import { selectKept } from './kept-columns.ts'
import { createListStatements } from './list-statements.ts'
import { createPruneStatements, limitVersion, writableAsJson } from './prune-statements.ts'
import { createRowWrites } from './row-writes.ts'

/** SQL for "is one of the JSON list `:ids`". */
const isOneOf = (column: SQLiteColumn) => sql`${column} in ${listed('ids')}`

/** References to objects of a table, each with its resource. */
export const listReferrers = (table: ResourceTable) =>
  resourceList.flatMap((owner: ResourceDefinition) =>
    owner.references.filter(({ target }) => target === table).map((reference) => ({ owner, reference })),
  )

/**
 * All statements of one resource. Each is built when it is first needed, then stored as text. All are scoped to `:merchantId`, and to `:testMode`
 * unless the key has access to both modes.
 */
function createStatements(resource: ResourceDefinition) {
  const { table } = resource
  const columns = Object.keys(getTableColumns(table)).filter((key) => key !== 'seq')
  const ofMerchant = eq(table.merchantId, param('merchantId'))
  const scoped = (bothModes: boolean) => (bothModes ? ofMerchant : isInScope(table))
  const one = (bothModes: boolean) => allOf(scoped(bothModes), eq(table.id, param('id')))
  /** Statements with and without details, built when they are first needed. */
  const perInclude = (build: (bothModes: boolean, details: SQL) => Statement) => {
    const statements = perFlag((includesDetails) => {
      const details = selectDetails(resource, includesDetails)
      return perFlag((bothModes) => build(bothModes, details))
    })
    return (bothModes: boolean, includesDetails = false) => statements(includesDetails)(bothModes)
  }
  /** `seq` of the object itself, for statements about other tables. */
  const itself = (bothModes: boolean) => sql`(select ${table.seq} from ${table} where ${one(bothModes)})`
  const updates = createMemo()

  /** The version of an object's deletion; null, which undoes the transaction, if too many others name the object to change them in one. */
  const deletedVersion = lazy(() =>
    limitVersion(
      table,
      listReferrers(table).map(({ reference }) => reference),
      sql`= ${table.seq}`,
    ),
  )

  const kept = lazy(() => selectKept(resource, listReferrers(table)))

  return {
    /** The row of the object `:id`, with `external_id`. */
    find: perInclude((bothModes, details) =>
      compile(
        sql`select *, ${externalIdOf(table)} as external_id${details}${selectHasDetails(resource)} from ${table} where ${one(bothModes)}`,
      ),
    ),

    /** The columns that `list` reads only if they fit their share of the page budget. */
    largeColumns: perFlag((includesDetails) => getLargeColumns(resource, includesDetails)),

    /** The objects `:ids` with all columns of any size. */
    findAll: perInclude((bothModes, details) =>
      compile(
        sql`select *, ${externalIdOf(table)} as external_id${details}${selectHasDetails(resource)} from ${table} where ${allOf(scoped(bothModes), isOneOf(table.id))}`,
      ),
    ),

    insert: lazy(() => compile(insertRow(table, columns))),

    /** Changes the named columns. Undoes the batch unless the object is at version `:expected`, by violating the NOT NULL of `version`. */
    update: (bothModes: boolean, keys: readonly string[]) =>
      updates(`${bothModes}:${keys}`, () => {
        const version = sql`case when ${table.version} = ${param('expected')} then ${table.version} + 1 end`
        const changes = setColumns(table, { ...columnParams(table, keys), version })
        return compile(
          sql`update ${table} set ${changes} where ${one(bothModes)} returning ${table.version}${selectHasDetails(resource)}`,
        )
      }),

    remove: perFlag((bothModes) => compile(sql`delete from ${table} where ${one(bothModes)} returning *`)),

    /** Undoes the batch, by violating the NOT NULL of `version`, unless the state is in `:states` (`:wanted` is 1) or not in it (0). */
    guard: perFlag((bothModes) => {
      const isSame = sql`${table.version} = value ->> '$.version' and ${table.updatedAt} = coalesce(value ->> '$.updatedAt', ${table.updatedAt})`
      const holds = sql`exists (select 1 from json_each(${param('states')}) where ${isSame}) = ${param('wanted')}`
      const guarded = setColumns(table, { version: sql`case when ${holds} then ${table.version} end` })
      return compile(sql`update ${table} set ${guarded} where ${one(bothModes)}`)
    }),

    /** Insert the event of a change: after a create or an update, which take `:externalId`, or before a delete. */
    insertEvent: {
      created: perFlag((bothModes) =>
        insertEvent({
          resource,
          verb: 'created',
          where: sql`${one(bothModes)}`,
          previous: sql`null`,
          externalId: sql`${param('externalId')}`,
        }),
      ),
      updated: perFlag((bothModes) =>
        insertEvent({
          resource,
          verb: 'updated',
          where: sql`${one(bothModes)}`,
          externalId: sql`${param('externalId')}`,
        }),
      ),
      deleted: perFlag((bothModes) =>
        insertEvent({
          resource,
          verb: 'deleted',
          where: sql`${one(bothModes)}`,
          replaced: { version: sql`${table.version} + 1` },
          version: deletedVersion(),
          previous: sql`null`,
          kept: kept(),
        }),
      ),
      /** Inserts the event of a deletion of a damaged row, which SQLite cannot write as JSON. */
      deletedDamaged: perFlag((bothModes) =>
        insertEvent({
          resource,
          verb: 'deleted',
          where: sql`${one(bothModes)}`,
          replaced: { ...writableAsJson(table), version: sql`${table.version} + 1` },
          version: deletedVersion(),
          previous: sql`null`,
          kept: kept(),
        }),
      ),
    },

    /** Remove all references to the object `:id` before its deletion. `:ids` contains it too. */
    prune: lazy(() =>
      listReferrers(table).flatMap(({ owner, reference }) =>
        createPruneStatements(owner, reference, sql`= ${itself(false)}`),
      ),
    ),

    /** Remove all references if the objects that refer to `:id` are damaged. */
    pruneDamaged: lazy(() =>
      listReferrers(table).flatMap(({ owner, reference }) =>
        createPruneStatements(owner, reference, sql`= ${itself(false)}`, { isDamaged: true }),
      ),
    ),

    /** For each reference: those of the ids `:ids` that name nothing. */
    missing: lazy(() =>
      resource.references.map(({ target }) =>
        compile(sql`select named.value as id from json_each(${param('ids')}) as named
          where not exists (select 1 from ${target} where ${isInScope(target)} and ${target.id} = named.value)`),
      ),
    ),

    externalIds: createExternalIdStatements(resource),

    list: createListStatements(resource, scoped),

    /** Statements of a change besides those of the row and its event. */
    writes: createRowWrites(resource),
  }
}

export type Statements = ReturnType<typeof createStatements>

const built = new Map<ResourceDefinition, Statements>()

/** The statements of a resource. */
export function getStatements(resource: ResourceDefinition): Statements {
  const known = built.get(resource)
  if (known) return known
  const statements = createStatements(resource)
  built.set(resource, statements)
  return statements
}
