import { and, asc, eq, isNotNull, lt, lte, sql } from 'drizzle-orm'
import { byIndex, byKey } from '../../platform/by-index.ts'
import { compile, lazy, param } from '../../platform/db/database.ts'
import { columnParam, db, insertSelect, listed, selectList, setColumns, typed } from '../../platform/db/query.ts'
import * as schema from '../../platform/db/schema/directory/backups.ts'
import { homeObjectTable } from '../../platform/db/schema/directory/homes.ts'
import { merchantTable } from '../../platform/db/schema/merchants.ts'

const { backupTable: backups, backupCheckTable: checks, restoreTable: restores } = schema
const isOfMerchant = eq(backups.merchantId, param('merchantId'))
const isBackup = and(isOfMerchant, eq(backups.takenAt, param('takenAt')))

/** Columns of a backup in responses. */
export const backupFields = {
  takenAt: backups.takenAt,
  bytes: backups.bytes,
  rows: backups.rows,
  sha256: backups.sha256,
  checkedAt: backups.checkedAt,
  damage: backups.damage,
}

const key = sql`${backups.merchantId}, ${backups.takenAt}`
const byDue = byIndex(checks, 'backup_checks_due')

export const backupStatements = {
  /** Merchants whose check was not finished since `:since`, and not enqueued since `:retryBefore`. */
  findDue: lazy(() => {
    const isIdle = sql`${checks.enqueuedAt} < ${param('retryBefore')}`
    const fields = { id: checks.merchantId }
    return typed(
      fields,
      () => sql`
        select ${selectList(fields)} from ${byDue} where ${checks.checkedAt} is null and ${isIdle}
        union all
        select ${selectList(fields)} from ${byDue} where ${checks.checkedAt} < ${param('since')} and ${isIdle}
        limit ${param('limit')}`,
    )
  }),
  /** Triggers insert and delete the rows of checks with their merchants. */
  setEnqueued: lazy(() =>
    compile(sql`update ${byKey(checks)} set ${setColumns(checks, { enqueuedAt: param('now') })}
      where ${checks.merchantId} in ${listed('merchants')}`),
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
        .update(checks)
        .set({
          checkedAt: columnParam(checks.checkedAt, 'now'),
          takenAt: columnParam(checks.takenAt, 'takenAt'),
          fingerprint: columnParam(checks.fingerprint, 'fingerprint'),
        })
        .where(eq(checks.merchantId, param('merchantId'))),
    ),
  ),
  /** As `insert`, for a backup of the present data: returns no row if the merchant was deleted. */
  begin: lazy(() => {
    const fields = { takenAt: backups.takenAt }
    const insert = insertSelect(
      backups,
      { merchantId: merchantTable.id, takenAt: param('takenAt'), scrubAt: sql`null` },
      sql`from ${merchantTable} where ${merchantTable.id} = ${param('merchantId')}`,
    )
    return typed(fields, () => sql`${insert} on conflict do nothing returning ${selectList(fields)}`)
  }),
  /** Lists an upload before it starts, so that every file is listed. Returns a row unless the merchant has a backup of that second. */
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
  /** Returns a row unless the merchant is being restored, because it then has only some of its rows. */
  finish: lazy(() =>
    typed({ takenAt: backups.takenAt }, (select) =>
      db
        .update(backups)
        .set({
          bytes: columnParam(backups.bytes, 'bytes'),
          rows: columnParam(backups.rows, 'rows'),
          sha256: columnParam(backups.sha256, 'sha256'),
          checkedAt: columnParam(backups.checkedAt, 'now'),
        })
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
  /** Claims backups whose files must be searched at `:now`. Other invocations can claim them from `:next` on. */
  claimScrubs: lazy(() => {
    const fields = { merchantId: backups.merchantId, takenAt: backups.takenAt }
    const isDue = and(isNotNull(backups.scrubAt), lte(backups.scrubAt, param('now')), isNotNull(backups.rows))
    const due = sql`select ${key} from ${byIndex(backups, 'backups_scrub')} where ${isDue} limit ${param('limit')}`
    const change = setColumns(backups, { scrubAt: param('next') })
    return typed(
      fields,
      () => sql`update ${byKey(backups)} set ${change} where (${key}) in (${due}) returning ${selectList(fields)}`,
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
        .set({
          bytes: columnParam(backups.bytes, 'bytes'),
          sha256: sql`coalesce(${param('sha256')}, ${backups.sha256})`,
          scrubAt: null,
        })
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
  /** Backups since `:since` that were not checked since `:checkedBefore`. */
  findUnchecked: lazy(() =>
    typed(backupFields, (select) =>
      db
        .select(select)
        .from(backups)
        .where(
          and(
            isOfMerchant,
            sql`${backups.rows} is not null and ${backups.takenAt} > ${param('since')} and coalesce(${backups.checkedAt}, 0) < ${param('checkedBefore')}`,
          ),
        )
        .limit(param('limit')),
    ),
  ),
  setChecked: lazy(() =>
    compile(
      db
        .update(backups)
        .set({ checkedAt: columnParam(backups.checkedAt, 'now'), damage: columnParam(backups.damage, 'damage') })
        .where(isBackup),
    ),
  ),
  /** A merchant with a backup of `:since` or later and at most `:rows` rows, a different one each time. */
  pickRehearsal: lazy(() =>
    typed({ merchantId: backups.merchantId }, (select) =>
      db
        .select(select)
        .from(byIndex(backups, 'backups_taken'))
        .innerJoin(merchantTable, eq(merchantTable.id, backups.merchantId))
        .where(
          sql`${backups.takenAt} >= ${param('since')} and ${backups.rows} <= ${param('rows')} and ${backups.damage} is null`,
        )
        .orderBy(sql`random()`)
        .limit(1),
    ),
  ),
  /** Numbers an object for a rehearsal. Returns no row if the merchant was deleted. */
  insertObject: lazy(() => {
    const fields = { object: homeObjectTable.object }
    const insert = insertSelect(
      homeObjectTable,
      { merchantId: merchantTable.id, createdAt: param('now') },
      sql`from ${merchantTable} where ${merchantTable.id} = ${param('merchantId')}`,
    )
    return typed(fields, () => sql`${insert} returning ${selectList(fields)}`)
  }),
  findMerchant: lazy(() =>
    typed({ id: merchantTable.id }, (select) =>
      db
        .select(select)
        .from(merchantTable)
        .where(eq(merchantTable.id, param('merchantId'))),
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
    compile(sql`delete from ${byKey(backups)} where (${key}) in (
      select value ->> '$.merchantId', value ->> '$.takenAt' from json_each(${param('backups')}))`),
  ),
  /** Number of merchants without a finished check, and the oldest finished check. */
  ages: lazy(() =>
    typed(
      {
        unchecked: sql<number>`count(*) filter (where ${checks.checkedAt} is null)`,
        oldest: sql<number | null>`min(${checks.checkedAt})`,
        damaged: sql<number>`(select count(*) from ${backups} where ${backups.damage} is not null)`,
      },
      (select) => db.select(select).from(merchantTable).leftJoin(checks, eq(checks.merchantId, merchantTable.id)),
    ),
  ),
}
