import { eq, sql } from 'drizzle-orm'
import { type Database, lazy, param } from '../../../platform/db/database.ts'
import { db, type RowOf, typed } from '../../../platform/db/query.ts'
import { backupTable as backups, restoreTable as restores } from '../../../platform/db/schema/directory/backups.ts'
import { ApiError } from '../../../platform/errors.ts'

/** Columns that are read of a restore. */
export const restoreFields = {
  takenAt: restores.takenAt,
  startedAt: restores.startedAt,
  state: restores.state,
  settledAt: restores.settledAt,
  suspendedAt: restores.suspendedAt,
  savedAt: restores.savedAt,
  lines: restores.lines,
  omitted: restores.omitted,
  comparedAt: restores.comparedAt,
  leasedUntil: restores.leasedUntil,
  finishedAt: restores.finishedAt,
  attempts: restores.attempts,
  reason: restores.reason,
  /** Number of rows of the backup to load. */
  total: sql<number | null>`(select ${backups.rows} from ${backups} where ${backups.merchantId} = ${restores.merchantId}
    and ${backups.takenAt} = iif(${restores.reason} is null, ${restores.takenAt}, ${restores.savedAt}))`,
}

export type Restore = RowOf<typeof restoreFields>

const find = lazy(() =>
  typed(restoreFields, (select) =>
    db
      .select(select)
      .from(restores)
      .where(eq(restores.merchantId, param('merchantId'))),
  ),
)

/** The last restore of a merchant. */
export async function findRestore(directory: Database, merchantId: string): Promise<Restore | undefined> {
  return directory.findNamed(async () => (await directory.run([find(), { merchantId }]))[0][0])
}

/** Returns the last restore of a merchant. Throws if it is unfinished, because only some of the rows exist. */
export async function requireNoRestore(directory: Database, merchantId: string): Promise<Restore | undefined> {
  directory.usePrimary()
  const restore = await findRestore(directory, merchantId)
  if (restore && restore.state !== 'done')
    throw new ApiError('conflict', 'The merchant is being restored. Continue the restore until it is done.')
  return restore
}
