import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { allOf, compile, lazy, param, type Statement } from '../../../platform/db/database.ts'
import { columnParams, insertRow, listed, setColumns } from '../../../platform/db/query.ts'
import { externalIdOf } from '../../../platform/db/schema/external-ids.ts'
import { isInScope } from '../../../platform/db/scope.ts'
import { insertEvent } from '../../../platform/outbox/insert-event.ts'
import type { ResourceDefinition } from '../definition.ts'
import { getLargeColumns, perDetails, selectDetails } from '../details/details-columns.ts'
import { createExternalIdStatements } from '../external-ids.ts'
import { createLinkStatements } from './link-statements.ts'
import { createListStatements, getSearchTable } from './list-statements.ts'
import { createPruneStatements, writableAsJson } from './prune-statements.ts'
import { createMemo } from './statement-memo.ts'

/** SQL for "is one of the JSON list `:ids`". */
const isOneOf = (column: SQLiteColumn) => sql`${column} in ${listed('ids')}`

/**
 * Every statement of one resource, each built when it is first needed, then stored as text. All of them are scoped:
 * to `:merchantId`, and to `:testMode` unless they are for a key that reaches both modes.
 */
export function createStatements(resource: ResourceDefinition, all: readonly ResourceDefinition[]) {
  const { table } = resource
  const columns = Object.keys(getTableColumns(table)).filter((key) => key !== 'seq')
  const ofMerchant = eq(table.merchantId, param('merchantId'))
  const scoped = (bothModes: boolean) => (bothModes ? ofMerchant : isInScope(table))
  const one = (bothModes: boolean) => allOf(scoped(bothModes), eq(table.id, param('id')))
  const perReach = (build: (bothModes: boolean) => Statement) => {
    const [own, both] = [lazy(() => build(false)), lazy(() => build(true))]
    return (bothModes: boolean) => (bothModes ? both() : own())
  }
  /** The same, for statements that select details or not. */
  const perInclude = (build: (bothModes: boolean, details: SQL) => Statement) => {
    const statements = perDetails((includesDetails) => {
      const details = selectDetails(resource, includesDetails)
      return perReach((bothModes) => build(bothModes, details))
    })
    return (bothModes: boolean, includesDetails = false) => statements(includesDetails)(bothModes)
  }
  /** `seq` of the object itself, for statements about other tables. */
  const itself = (bothModes: boolean) => sql`(select ${table.seq} from ${table} where ${one(bothModes)})`
  const updates = createMemo()

  /** Resources with references to this one. */
  const referrers = all.flatMap((owner) =>
    owner.references.filter(({ target }) => target === table).map((reference) => ({ owner, reference })),
  )

  return {
    /** The row of the object `:id`, with `external_id`. */
    find: perInclude((bothModes, details) =>
      compile(sql`select *, ${externalIdOf(table)} as external_id${details} from ${table} where ${one(bothModes)}`),
    ),

    /** The columns that `list` reads only within their share. */
    largeColumns: perDetails((includesDetails) => getLargeColumns(resource, includesDetails)),

    /** The objects `:ids` with all columns, whatever their size. */
    findAll: perInclude((bothModes, details) =>
      compile(
        sql`select *, ${externalIdOf(table)} as external_id${details} from ${table} where ${allOf(scoped(bothModes), isOneOf(table.id))}`,
      ),
    ),

    insert: lazy(() => compile(insertRow(table, columns))),

    /** Behind an insert: violates `version`'s NOT NULL, which undoes the batch, if there are more than `:limit` objects now. */
    limit: lazy(() => {
      const counted = sql`select 1 from ${table} where ${scoped(false)} limit ${param('limit')} + 1`
      const version = sql`case when (select count(*) from (${counted})) <= ${param('limit')} then ${table.version} end`
      return compile(sql`update ${table} set ${setColumns(table, { version })} where ${one(false)}`)
    }),

    /** Changes the named columns. Violates `version`'s NOT NULL, which undoes the batch, unless the object is at version `:expected`. */
    update: (bothModes: boolean, keys: readonly string[]) =>
      updates(`${bothModes}:${keys}`, () => {
        const version = sql`case when ${table.version} = ${param('expected')} then ${table.version} + 1 end`
        const changes = setColumns(table, { ...columnParams(table, keys), version })
        return compile(sql`update ${table} set ${changes} where ${one(bothModes)} returning ${table.version}`)
      }),

    remove: perReach((bothModes) => compile(sql`delete from ${table} where ${one(bothModes)} returning *`)),

    /** Violates `version`'s NOT NULL, which undoes the batch, unless the state is one of `:states` or, if those are not `:wanted`, none. */
    guard: perReach((bothModes) => {
      const isSame = sql`${table.version} = value ->> '$.version' and ${table.updatedAt} = coalesce(value ->> '$.updatedAt', ${table.updatedAt})`
      const holds = sql`exists (select 1 from json_each(${param('states')}) where ${isSame}) = ${param('wanted')}`
      const guarded = setColumns(table, { version: sql`case when ${holds} then ${table.version} end` })
      return compile(sql`update ${table} set ${guarded} where ${one(bothModes)}`)
    }),

    /** Insert the event of a change: behind a create or an update, which take `:externalId`, or before a delete. */
    insertEvent: {
      created: perReach((bothModes) =>
        insertEvent({
          resource,
          verb: 'created',
          where: sql`${one(bothModes)}`,
          previous: sql`null`,
          externalId: sql`${param('externalId')}`,
        }),
      ),
      updated: perReach((bothModes) =>
        insertEvent({
          resource,
          verb: 'updated',
          where: sql`${one(bothModes)}`,
          externalId: sql`${param('externalId')}`,
        }),
      ),
      deleted: perReach((bothModes) =>
        insertEvent({
          resource,
          verb: 'deleted',
          where: sql`${one(bothModes)}`,
          replaced: { version: sql`${table.version} + 1` },
          previous: sql`null`,
        }),
      ),
      /** The same for a damaged row, which SQLite cannot write as JSON. */
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

    /** Take the object `:id`, which `:ids` has too, out of everything that names it, before it is deleted. */
    prune: lazy(() =>
      referrers.flatMap(({ owner, reference }) => createPruneStatements(owner, reference, sql`= ${itself(false)}`)),
    ),

    /** The same where objects that name them are damaged. */
    pruneDamaged: lazy(() =>
      referrers.flatMap(({ owner, reference }) =>
        createPruneStatements(owner, reference, sql`= ${itself(false)}`, { isDamaged: true }),
      ),
    ),

    links: lazy(() => resource.references.map((reference) => createLinkStatements(table, reference))),

    index: perReach((bothModes) =>
      compile(sql`insert into ${getSearchTable(table)} (rowid, terms) select ${itself(bothModes)}, ${param('terms')}`),
    ),
    reindex: perReach((bothModes) =>
      compile(sql`update ${getSearchTable(table)} set terms = ${param('terms')} where rowid = ${itself(bothModes)}`),
    ),

    externalIds: createExternalIdStatements(resource),

    list: createListStatements(resource, scoped),
  }
}

export type Statements = ReturnType<typeof createStatements>
