import { and, eq, lte, ne, or, sql } from 'drizzle-orm'
import { compile, lazy, param } from '../../../platform/db/database.ts'
import { isMoving } from '../../../platform/db/home/exclusive.ts'
import { columnParam, db, listed, selectList, typed } from '../../../platform/db/query.ts'
import { restoreTable as restores } from '../../../platform/db/schema/directory/backups.ts'
import { homeObjectTable, homeTable } from '../../../platform/db/schema/directory/homes.ts'
import { keyTable } from '../../../platform/db/schema/keys.ts'
import { merchantTable } from '../../../platform/db/schema/merchants.ts'
import { tagNameTable, tagTable } from '../../../platform/db/schema/resources/tags.ts'
import { createInsert, insertStatements, replaceOn } from './insert-rows.ts'
import { restoreFields } from './open-restore.ts'

const isOfMerchant = eq(restores.merchantId, param('merchantId'))

export const restoreStatements = {
  /** Writes the restore unless another request works on it. */
  start: lazy(() => {
    const insert = db.insert(restores).values({
      merchantId: param('merchantId'),
      takenAt: param('takenAt'),
      startedAt: param('startedAt'),
      // The NOT NULL constraint rejects null.
      state: sql`iif(${isMoving}, null, ${param('state')})`,
      settledAt: param('settledAt'),
      suspendedAt: param('suspendedAt'),
      savedAt: param('savedAt'),
      lines: param('lines'),
      omitted: columnParam(restores.omitted, 'omitted'),
      comparedAt: param('comparedAt'),
      leasedUntil: param('leasedUntil'),
      finishedAt: param('finishedAt'),
      attempts: columnParam(restores.attempts, 'attempts'),
      reason: param('reason'),
    })
    return typed(
      restoreFields,
      () => sql`${insert.getSQL()} on conflict ${replaceOn(restores.merchantId)}
        where ${restores.leasedUntil} <= ${param('startedAt')} returning ${selectList(restoreFields)}`,
    )
  }),
  /** Gives the request a lease on the restore. Returns the restore, unless it is done or another request has the lease. */
  claim: lazy(() =>
    typed(restoreFields, (select) =>
      db
        .update(restores)
        .set({ leasedUntil: columnParam(restores.leasedUntil, 'leasedUntil') })
        .where(and(isOfMerchant, ne(restores.state, 'done'), lte(restores.leasedUntil, param('now'))))
        .returning(select),
    ),
  ),
  /** Records the progress of a request, unless another one has taken over. */
  save: lazy(() =>
    compile(
      db
        .update(restores)
        .set({
          state: columnParam(restores.state, 'state'),
          savedAt: columnParam(restores.savedAt, 'savedAt'),
          lines: columnParam(restores.lines, 'lines'),
          omitted: columnParam(restores.omitted, 'omitted'),
          comparedAt: columnParam(restores.comparedAt, 'comparedAt'),
          finishedAt: columnParam(restores.finishedAt, 'finishedAt'),
          attempts: columnParam(restores.attempts, 'attempts'),
          reason: columnParam(restores.reason, 'reason'),
          leasedUntil: 0,
        })
        .where(and(isOfMerchant, eq(restores.leasedUntil, param('leasedUntil'))))
        .returning({ state: restores.state }),
    ),
  ),
  /** Undoes the transaction if another request has taken over the restore, or if it is done. */
  requireLease: lazy(() =>
    compile(
      db
        .update(restores)
        .set({ state: sql`null` })
        .where(and(isOfMerchant, or(ne(restores.leasedUntil, param('leasedUntil')), eq(restores.state, 'done')))),
    ),
  ),
  /** Makes writes of the merchant wait until `lowerFence`. */
  raiseFence: lazy(() =>
    compile(
      db
        .insert(homeTable)
        .values({ merchantId: param('merchantId'), kind: 'd1', fencedUntil: Number.MAX_SAFE_INTEGER })
        .onConflictDoUpdate({ target: homeTable.merchantId, set: { fencedUntil: Number.MAX_SAFE_INTEGER } }),
    ),
  ),
  lowerFence: lazy(() =>
    compile(
      db
        .update(homeTable)
        .set({ fencedUntil: 0 })
        .where(eq(homeTable.merchantId, param('merchantId'))),
    ),
  ),
  merchant: lazy(() =>
    compile(
      db
        .select()
        .from(merchantTable)
        .where(eq(merchantTable.id, param('merchantId'))),
    ),
  ),
  /** Inserts or replaces the merchant. Takes its row as `:rows`. */
  putMerchant: lazy(() => createInsert(merchantTable, { conflict: replaceOn(merchantTable.id) })),
  /** A merchant that could not be restored: the cron deletes its loaded rows. */
  discard: lazy(() =>
    compile(
      db
        .update(merchantTable)
        .set({
          closedAt: columnParam(merchantTable.closedAt, 'now'),
          deletesAt: columnParam(merchantTable.deletesAt, 'now'),
          updatedAt: sql`max(${merchantTable.updatedAt} + 1, ${param('now')})`,
        })
        .where(eq(merchantTable.id, param('merchantId'))),
    ),
  ),
  /** Names of `:names` that belong to other merchants. */
  findForeignNames: lazy(() =>
    typed({ name: tagNameTable.name }, (select) =>
      db
        .select(select)
        .from(tagNameTable)
        .where(
          and(
            sql`${tagNameTable.name} in ${listed('names')}`,
            sql`coalesce(${tagNameTable.merchantId}, (select ${tagTable.merchantId} from ${tagTable} where ${tagTable.seq} = ${tagNameTable.tag}), ${param('merchantId')}) <> ${param('merchantId')}`,
          ),
        )
        .limit(5),
    ),
  ),
  suspend: lazy(() =>
    compile(
      db
        .update(merchantTable)
        .set({
          suspendedAt: sql`coalesce(${merchantTable.suspendedAt}, ${param('now')})`,
          updatedAt: sql`max(${merchantTable.updatedAt} + 1, ${param('now')})`,
        })
        .where(eq(merchantTable.id, param('merchantId'))),
    ),
  ),
  insertObject: lazy(() =>
    compile(
      db
        .insert(homeObjectTable)
        .values({ merchantId: param('merchantId'), createdAt: columnParam(homeObjectTable.createdAt, 'now') }),
    ),
  ),
  /** Must follow `insertObject`, whose number it reads. */
  insertHome: lazy(() =>
    compile(
      db.insert(homeTable).values({
        merchantId: param('merchantId'),
        kind: 'object',
        object: sql`last_insert_rowid()`,
        location: columnParam(homeTable.location, 'location'),
        jurisdiction: columnParam(homeTable.jurisdiction, 'jurisdiction'),
      }),
    ),
  ),
  /** Inserts `:rows` if the merchant has no keys. If the restore was started before, they already exist. */
  insertKeys: lazy(() => {
    const hasKeys = sql`exists (select 1 from ${keyTable} where ${keyTable.merchantId} = ${param('merchantId')})`
    return createInsert(keyTable, { where: sql`not ${hasKeys}` })
  }),
  /** Number of rows of a merchant in each table. */
  counts: lazy(() => {
    const counts = Array.from(
      insertStatements,
      ([name, { rows }]) => sql`(select count(*) from ${rows}) as ${sql.identifier(name)}`,
    )
    return compile(sql`select ${sql.join(counts, sql`, `)}`)
  }),
}
