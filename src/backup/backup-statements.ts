import { and, asc, eq, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm'
import { compile, lazy, param } from '../db/database.ts'
import { columnParam, db, typed } from '../db/query.ts'
import { backupTable as backups, backupCheckTable as checks } from '../db/schema/directory/backups.ts'
import { restoreTable as restores } from '../db/schema/directory/restores.ts'
import { merchantTable } from '../db/schema/merchants.ts'
import { bareColumn, excluded } from '../db/sql-name.ts'

const isOfMerchant = eq(backups.merchantId, param('merchantId'))
const isBackup = and(isOfMerchant, eq(backups.takenAt, param('takenAt')))

/** Columns of a backup in responses. */
const backupFields = { takenAt: backups.takenAt, bytes: backups.bytes, rows: backups.rows }

export const backupStatements = {
  /** Merchants whose check was not finished since `:since`, and not enqueued since `:retryBefore`. */
  findDue: lazy(() =>
    typed({ id: merchantTable.id }, (select) =>
      db
        .select(select)
        .from(merchantTable)
        .leftJoin(checks, eq(checks.merchantId, merchantTable.id))
        .where(
          or(
            isNull(checks.merchantId),
            and(sql`coalesce(${checks.checkedAt}, 0) < ${param('since')}`, lt(checks.enqueuedAt, param('retryBefore'))),
          ),
        )
        .limit(param('limit')),
    ),
  ),
  setEnqueued: lazy(() =>
    compile(sql`
      insert into ${checks} (${bareColumn(checks.merchantId)}, ${bareColumn(checks.enqueuedAt)})
      select value, ${param('now')} from json_each(${param('merchants')}) where true
      on conflict do update set ${bareColumn(checks.enqueuedAt)} = ${excluded(checks.enqueuedAt)}`),
  ),
  findCheck: lazy(() =>
    typed({ takenAt: checks.takenAt, fingerprint: checks.fingerprint }, (select) =>
      db
        .select(select)
        .from(checks)
        .where(eq(checks.merchantId, param('merchantId'))),
    ),
  ),
  finishCheck: lazy(() =>
    compile(
      db
        .insert(checks)
        .values({
          merchantId: param('merchantId'),
          enqueuedAt: columnParam(checks.enqueuedAt, 'now'),
          checkedAt: columnParam(checks.checkedAt, 'now'),
          takenAt: columnParam(checks.takenAt, 'takenAt'),
          fingerprint: columnParam(checks.fingerprint, 'fingerprint'),
        })
        .onConflictDoUpdate({
          target: checks.merchantId,
          set: {
            checkedAt: excluded(checks.checkedAt),
            takenAt: excluded(checks.takenAt),
            fingerprint: excluded(checks.fingerprint),
          },
        }),
    ),
  ),
  /** Lists an upload before it begins, so that no file is forgotten. Returns a row unless the merchant has a backup of that second. */
  insert: lazy(() =>
    typed({ takenAt: backups.takenAt }, (select) =>
      db
        .insert(backups)
        .values({
          merchantId: param('merchantId'),
          takenAt: param('takenAt'),
          scrubAt: columnParam(backups.scrubAt, 'scrubAt'),
        })
        .onConflictDoNothing()
        .returning(select),
    ),
  ),
  /** Returns a row unless the merchant is being restored: it had only some of its rows then. */
  finish: lazy(() =>
    typed({ takenAt: backups.takenAt }, (select) =>
      db
        .update(backups)
        .set({ bytes: columnParam(backups.bytes, 'bytes'), rows: columnParam(backups.rows, 'rows') })
        .where(
          and(
            isBackup,
            sql`not exists (select 1 from ${restores} where ${restores.merchantId} = ${backups.merchantId}
              and ${restores.state} in ('deleting', 'loading'))`,
          ),
        )
        .returning(select),
    ),
  ),
  /** Takes backups whose files are to be searched at `:now`. Others may take them from `:next` on. */
  claimScrubs: lazy(() => {
    const due = db
      .select({ rowid: sql`rowid` })
      .from(backups)
      .where(and(isNotNull(backups.scrubAt), lte(backups.scrubAt, param('now')), isNotNull(backups.rows)))
      .limit(param('limit'))
    return typed({ merchantId: backups.merchantId, takenAt: backups.takenAt }, (select) =>
      db
        .update(backups)
        .set({ scrubAt: columnParam(backups.scrubAt, 'next') })
        .where(sql`rowid in ${due}`)
        .returning(select),
    )
  }),
  /** Returns a row if a restore reads the backup. */
  findReader: lazy(() =>
    typed({ takenAt: restores.takenAt }, (select) =>
      db
        .select(select)
        .from(restores)
        .where(
          and(
            eq(restores.merchantId, param('merchantId')),
            eq(restores.takenAt, param('takenAt')),
            sql`${restores.state} <> 'done'`,
          ),
        ),
    ),
  ),
  finishScrub: lazy(() =>
    compile(
      db
        .update(backups)
        .set({ bytes: columnParam(backups.bytes, 'bytes'), scrubAt: null })
        .where(isBackup),
    ),
  ),
  /** Finished backups of a merchant, newest first. */
  list: lazy(() =>
    typed(backupFields, (select) =>
      db
        .select(select)
        .from(backups)
        .where(and(isOfMerchant, sql`${backups.rows} is not null`))
        .orderBy(sql`${backups.takenAt} desc`)
        .limit(param('limit')),
    ),
  ),
  find: lazy(() => typed(backupFields, (select) => db.select(select).from(backups).where(isBackup))),
  findExpired: lazy(() =>
    typed({ merchantId: backups.merchantId, takenAt: backups.takenAt }, (select) =>
      db
        .select(select)
        .from(backups)
        .where(lt(backups.takenAt, param('before')))
        .orderBy(asc(backups.takenAt))
        .limit(param('limit')),
    ),
  ),
  remove: lazy(() =>
    compile(sql`delete from ${backups} where (${backups.merchantId}, ${backups.takenAt}) in (
      select value ->> '$.merchantId', value ->> '$.takenAt' from json_each(${param('backups')}))`),
  ),
  /** Removes checks of merchants that were deleted. */
  removeChecks: lazy(() =>
    compile(sql`delete from ${checks} where not exists (
      select 1 from ${merchantTable} where ${merchantTable.id} = ${checks.merchantId})`),
  ),
  /** Number of merchants without a finished check, and the oldest finished check. */
  ages: lazy(() =>
    typed(
      {
        unchecked: sql<number>`count(*) filter (where ${checks.checkedAt} is null)`,
        oldest: sql<number | null>`min(${checks.checkedAt})`,
      },
      (select) => db.select(select).from(merchantTable).leftJoin(checks, eq(checks.merchantId, merchantTable.id)),
    ),
  ),
}
