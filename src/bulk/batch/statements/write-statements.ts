import { getTableColumns, sql } from 'drizzle-orm'
import type { ResourceDefinition } from '../../../catalogue/resource/definition.ts'
import { createHideStatements } from '../../../catalogue/resource/pruning/hide-statements.ts'
import { selectKept } from '../../../catalogue/resource/statements/kept-columns.ts'
import { createPruneStatements, writableAsJson } from '../../../catalogue/resource/statements/prune-statements.ts'
import { allOf, compile, createMemo, getColumn, lazy, param } from '../../../platform/db/database.ts'
import { listed } from '../../../platform/db/query.ts'
import { sqlName } from '../../../platform/db/sql-name.ts'
import { insertEvent, rowPosition } from '../../../platform/outbox/insert-event.ts'
import { member, rows } from './row-parameters.ts'

/** Statements that write the objects of a batch, each for all objects of the list `:rows`. They have the same scope as the read statements. */
export function createWriteStatements(
  resource: ResourceDefinition,
  all: readonly ResourceDefinition[],
  bothModes: boolean,
) {
  const { table, uniqueFields } = resource
  const columns = Object.entries(getTableColumns(table)).filter(([key]) => key !== 'seq')
  const written = columns.filter(([key]) => key !== 'merchantId' && key !== 'version')
  const isOwn = allOf(
    sql`${table.merchantId} = ${param('merchantId')}`,
    bothModes ? undefined : sql`${table.testMode} = ${param('testMode')}`,
  )
  // The unary plus keeps the lookup by `seq`.
  const isOwnRow = allOf(
    sql`+${table.merchantId} = ${param('merchantId')}`,
    bothModes ? undefined : sql`+${table.testMode} = ${param('testMode')}`,
  )
  const isNamed = sql`${isOwn} and ${table.id} = ${member('id')}`
  const isDeleted = sql`${table.seq} in ${listed('seqs')} and ${isOwnRow}`
  const updates = createMemo()
  const referrers = all.flatMap((owner) =>
    owner.references.filter(({ target }) => target === table).map((reference) => ({ owner, reference })),
  )

  return {
    /** Remove all references to the objects `:ids`, whose `seq` are in `:seqs`, except those of the owners `:spared`. */
    prune: lazy(() =>
      referrers.map(({ owner, reference }) => ({
        owner,
        statements: createPruneStatements(owner, reference, sql`in ${listed('seqs')}`, {
          isDamaged: true,
          condition: sql`${owner.table.seq} not in ${listed('spared')}`,
        }),
      })),
    ),

    insertDeletedEvents: lazy(() =>
      insertEvent({
        resource,
        verb: sql`'deleted'`,
        where: sql`${isDeleted}`,
        replaced: { ...writableAsJson(table), version: sql`${table.version} + 1` },
        previous: sql`null`,
        kept: selectKept(resource, referrers),
        position: rowPosition,
      }),
    ),

    remove: lazy(() => compile(sql`delete from ${table} where ${isDeleted}`)),

    /** Delete the objects `:ids`, with the `seq` in `:seqs`, for all readers, but not their rows. */
    hide: lazy(() => createHideStatements(resource, sql`in ${listed('seqs')}`)),

    /** Replace the unique values of the objects `:seqs` temporarily, so that objects can exchange values. */
    release: lazy(() =>
      Object.keys(uniqueFields).map((key) => {
        const column = getColumn(table, key)
        const name = sql.identifier(sqlName(key))
        // Values from clients never contain NUL.
        return compile(sql`update ${table} set ${name} = ${column} || char(0) || ${table.id} where ${isDeleted}`)
      }),
    ),

    insert: lazy(() => {
      const names = columns.map(([key]) => sql.identifier(sqlName(key)))
      const values = columns.map(([key]) =>
        key === 'merchantId'
          ? sql`${param('merchantId')}`
          : key === 'version'
            ? sql`coalesce(${member(key)}, 1)`
            : member(key),
      )
      return compile(
        sql`insert into ${table} (${sql.join(names, sql`, `)}) select ${sql.join(values, sql`, `)} from ${rows}`,
      )
    }),

    /** Changes the columns that each row contains. `keys` are the columns that at least one row contains. */
    update: (keys: readonly string[]) =>
      updates(keys.join(), () => {
        const changes = written
          .filter(([key]) => keys.includes(key))
          .map(([key, column]) => {
            const isAbsent = sql`named.value -> ${sql.raw(`'$.${key}'`)} is null`
            return sql`${sql.identifier(sqlName(key))} = iif(${isAbsent}, ${column}, ${member(key)})`
          })
        const version = sql`${sql.identifier(sqlName('version'))} = ${table.version} + 1`
        return compile(sql`
          update ${table} set ${sql.join([...changes, version], sql`, `)}
          from ${rows} where ${table.seq} = ${member('seq')} and ${isOwnRow}`)
      }),

    /** Inserts the events of new and of changed objects, in the order of the rows. All these objects exist: see `requireUnchanged`. */
    insertEvents: lazy(() =>
      insertEvent({
        resource,
        verb: member('verb'),
        from: sql`${rows} cross join ${table}`,
        where: sql`${isNamed}`,
        previous: member('previous'),
        position: sql`named.key + 1`,
        ...(bothModes ? {} : { testMode: sql`${param('testMode')}` }),
      }),
    ),
  }
}

export type WriteStatements = ReturnType<typeof createWriteStatements>
