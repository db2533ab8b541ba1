import { getTableColumns } from 'drizzle-orm'
import type { Context } from 'hono'
import { busy } from '../../../catalogue/resource/object-lock.ts'
import { clearCredentialCaches } from '../../../platform/auth/sessions.ts'
import { ConstraintError, getConstraintSubject } from '../../../platform/db/database-errors.ts'
import { cacheHome, homeStatements } from '../../../platform/db/home/home.ts'
import { renewObject } from '../../../platform/db/home/object-connection.ts'
import { withRawRows } from '../../../platform/db/query.ts'
import { restoreTable } from '../../../platform/db/schema/directory/backups.ts'
import { merchantTable } from '../../../platform/db/schema/merchants.ts'
import { getColumnName, sqlName } from '../../../platform/db/sql-name.ts'
import { commit, type Write } from '../../../platform/db/transaction.ts'
import { ApiError, notFound } from '../../../platform/errors.ts'
import { type Env, getActor } from '../../../platform/http/context.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import { backupStatements } from '../backup-statements.ts'
import { checkBackup, openBackup } from '../check-backup.ts'
import { findRestore, type Restore } from './open-restore.ts'
import { type BackupHeader, unreadable } from './read-backup.ts'
import { openRestoreSide } from './restore-side.ts'
import { restoreStatements as statements } from './restore-statements.ts'
import { type Finish, type RestoreProgress, runStep } from './restore-steps.ts'

/** Time after which every isolate rejects the keys of a merchant that was suspended, in seconds. */
export const settleSeconds = 35
/** Time after which another request takes over an interrupted restore, in seconds. */
export const leaseSeconds = 60

/** Maximum number of attempts to load a backup. After them, the data before the restore is loaded again. */
export const maxLoads = 3
/** Number of names of tags in one lookup. */
const namesAtOnce = 5_000

/** Loads the backup into memory and returns its header. Throws an `ApiError` if it cannot be restored, and changes nothing in this case. */
async function checkListed(c: Context<Env>, merchantId: string, takenAt: number) {
  const [[listed]] = await c.var.database.run([backupStatements.find(), { merchantId, takenAt }])
  if (listed?.rows == null) throw notFound()
  const { header, names } = await checkBackup(() => openBackup(c.env, merchantId, takenAt), merchantId)
  for (let start = 0; start < names.length; start += namesAtOnce) {
    const page = JSON.stringify(names.slice(start, start + namesAtOnce))
    const [foreign] = await c.var.database.run([statements.findForeignNames(), { merchantId, names: page }])
    const list = foreign.map(({ name }) => name).join(', ')
    if (foreign.length > 0) throw unreadable(`its tags have codes that belong to other merchants: ${list}`)
  }
  return { header, total: listed.rows }
}

/** Columns of a merchant that a restore sets. */
const columns = {
  id: getColumnName(merchantTable.id),
  suspendedAt: getColumnName(merchantTable.suspendedAt),
  closedAt: getColumnName(merchantTable.closedAt),
  deletesAt: getColumnName(merchantTable.deletesAt),
  updatedAt: getColumnName(merchantTable.updatedAt),
} as const

/** Statements that create a merchant of a backup again, suspended. */
function createMerchant({ merchant, home }: BackupHeader, merchantId: string, at: number): Write {
  const row = {
    ...merchant,
    [columns.id]: merchantId,
    [columns.suspendedAt]: at,
    [columns.closedAt]: null,
    [columns.deletesAt]: null,
    [columns.updatedAt]: at,
  }
  const values = { merchantId, now: at, location: home?.['location'], jurisdiction: home?.['jurisdiction'] }
  return [
    [statements.putMerchant(), { merchantId, rows: JSON.stringify([row]) }],
    ...(home?.['kind'] === 'object'
      ? ([
          [statements.insertObject(), values],
          [statements.insertHome(), values],
        ] as const)
      : []),
  ]
}

/** Refreshes the copies of the merchant in caches and in the merchant's object. */
async function renew(c: Context<Env>, merchantId: string) {
  clearCredentialCaches()
  const [[home = 'd1']] = await c.var.database.run([homeStatements.find(), { merchantId }])
  cacheHome(merchantId, home)
  if (home !== 'd1') await renewObject(c.env, merchantId, home)
  return home
}

const getOperator = (c: Context<Env>, merchantId: string) => ({
  ...getActor(c),
  scope: { merchantId, testMode: false },
})

/** The merchant is being moved. */
const isRefused = (error: unknown) =>
  error instanceof ConstraintError && error.subject === getConstraintSubject(restoreTable.state)

/** Starts a restore, or restarts an unfinished one. */
export async function startRestore(
  c: Context<Env>,
  merchantId: string,
  { takenAt, replace }: { takenAt: number; replace?: boolean | null | undefined },
  toResponse: (restore: Restore) => Response,
): Promise<Response> {
  c.var.database.usePrimary()
  const { header, total } = await checkListed(c, merchantId, takenAt)
  const [[merchant]] = await c.var.database.run([statements.merchant(), { merchantId }])
  const open = await findRestore(c.var.database, merchantId)
  const at = nowInSeconds()
  const isOpen = open !== undefined && open.state !== 'done'
  if (isOpen && open.leasedUntil > at) throw busy()
  if (merchant && !isOpen && replace !== true)
    throw new ApiError(
      'conflict',
      'The merchant exists. Send `replace: true` (`npm run restore`: `--replace`) to replace its data. It is backed up first.',
    )
  if (merchant && Number(merchant[columns.deletesAt] ?? Infinity) <= at)
    throw new ApiError('conflict', 'The data of the merchant is being deleted. Restore it when it is deleted.')
  const { [columns.suspendedAt]: suspendedAt = null } = merchant ?? header.merchant
  const first = {
    state: merchant ? ('saving' as const) : ('deleting' as const),
    // If the merchant has been suspended for some time, no wait is needed.
    settledAt: merchant ? Number(suspendedAt ?? at) + settleSeconds : at,
    suspendedAt: suspendedAt === null ? null : Number(suspendedAt),
    savedAt: null,
  }
  // A restart keeps the state that the first start recorded.
  const { settledAt, suspendedAt: before, savedAt, state } = isOpen ? open : first
  const restore: Restore = {
    takenAt,
    startedAt: at,
    state: state === 'saving' ? state : 'deleting',
    settledAt,
    suspendedAt: before,
    savedAt,
    lines: 0,
    omitted: {},
    comparedAt: null,
    leasedUntil: 0,
    finishedAt: null,
    attempts: 0,
    reason: null,
    total,
  }
  const response = toResponse(restore)
  const operation = { operation: 'merchants.restore', object: merchantId, response }
  const results = await commit(getOperator(c, merchantId), operation, [
    ...(merchant
      ? ([[statements.suspend(), { merchantId, now: at }]] as const)
      : createMerchant(header, merchantId, at)),
    [withRawRows(statements.start()), { ...restore, merchantId }],
  ]).catch((error: unknown) => {
    throw isRefused(error)
      ? new ApiError('conflict', 'The merchant is being moved. Restore it when the move has ended.')
      : error
  })
  if (results.at(-1)?.length === 0) throw busy()
  await renew(c, merchantId)
  return response
}

/** A restart deletes all rows before it loads any, and compares the new rows again. */
const anew = { state: 'deleting', lines: 0, omitted: {}, comparedAt: null } satisfies RestoreProgress

/** The next step after a failed load: load the backup again, or load the data before the restore, or delete the loaded rows. */
function judge({ attempts, reason, savedAt }: Restore, fault: string): RestoreProgress {
  if (reason !== null || attempts + 1 < maxLoads) return { ...anew, attempts: attempts + 1 }
  if (savedAt !== null) return { ...anew, attempts: 0, reason: fault }
  return { state: 'done', finishedAt: nowInSeconds(), reason: fault }
}

/** Names of settings that the merchant of a backup does not have: the release that took it did not know them. */
const listLacking = (merchant: BackupHeader['merchant']) =>
  Object.keys(getTableColumns(merchantTable)).filter((key) => !(sqlName(key) in merchant) && !(key in columns))

/** A restore after a request, and the settings that it kept because the backup does not have them. */
export type ContinuedRestore = Restore & { keptSettings?: readonly string[] | undefined }

/** Does the next part of a restore. */
export async function continueRestore(c: Context<Env>, merchantId: string): Promise<ContinuedRestore> {
  const directory = c.var.database
  directory.usePrimary()
  const leasedUntil = nowInSeconds() + leaseSeconds
  const [[restore]] = await directory.run([statements.claim(), { merchantId, now: nowInSeconds(), leasedUntil }])
  if (!restore) {
    const current = await findRestore(directory, merchantId)
    if (!current) throw notFound()
    if (current.state === 'done') return current
    throw busy()
  }
  const [[home = 'd1']] = await directory.run([homeStatements.find(), { merchantId }])
  const { database, setFence } = openRestoreSide(c.env, merchantId, home, leasedUntil)
  const isUndone = restore.reason !== null && restore.savedAt !== null
  const source = isUndone ? restore.savedAt : restore.takenAt
  const target = { env: c.env, directory, database, merchantId, home, takenAt: source ?? restore.takenAt, isUndone }
  let keptSettings: readonly string[] | undefined
  const finish: Finish = async ({ merchant, keys }, progress) => {
    const [[stored]] = await directory.run([statements.merchant(), { merchantId }])
    if (!stored) throw notFound()
    // The backup says nothing about a setting that is younger. A default could undo a protection, such as `supportAccess: off`.
    keptSettings = listLacking(merchant).filter((name) => stored[sqlName(name)] !== null)
    const row = {
      ...stored,
      ...merchant,
      [columns.id]: merchantId,
      [columns.suspendedAt]: restore.suspendedAt,
      [columns.closedAt]: stored[columns.closedAt],
      [columns.deletesAt]: stored[columns.deletesAt],
      // It must increase, because caches compare it.
      [columns.updatedAt]: Math.max(nowInSeconds(), Number(stored[columns.updatedAt]) + 1),
    }
    await directory.run(
      [statements.requireLease(), { merchantId, leasedUntil }],
      // Keys are restored only for a deleted merchant. Otherwise, they may have been revoked since the backup.
      ...(restore.savedAt === null
        ? [[statements.insertKeys(), { merchantId, rows: JSON.stringify(keys) }] as const]
        : []),
      [statements.putMerchant(), { merchantId, rows: JSON.stringify([row]) }],
      [statements.lowerFence(), { merchantId }],
      [statements.save(), { ...restore, ...progress, merchantId, leasedUntil }],
    )
  }
  let step: Awaited<ReturnType<typeof runStep>> = { progress: {} }
  try {
    // No other writer, such as an import, a publisher or an operator, changes data until the end.
    if (restore.settledAt <= nowInSeconds()) await setFence(true)
    step = await runStep(target, restore, finish)
    if (step.fault !== undefined) step.progress = judge(restore, step.fault)
    // Without data before the restore, nothing is loaded.
    if (step.progress.state === 'done' && step.progress.reason != null)
      await directory.run(
        [statements.requireLease(), { merchantId, leasedUntil }],
        [statements.discard(), { merchantId, now: nowInSeconds() }],
        [statements.lowerFence(), { merchantId }],
        [statements.save(), { ...restore, ...step.progress, merchantId, leasedUntil }],
      )
  } finally {
    const after = { ...restore, ...step.progress, merchantId, leasedUntil }
    if (after.state !== 'done') await directory.run([statements.save(), after])
  }
  const { progress, fault } = step
  if (fault !== undefined && progress.reason === undefined)
    throw new ApiError('conflict', `${fault} Continue to load it again.`)
  if (progress.state === 'done') {
    // The object detects this later by itself.
    await setFence(false).catch(() => undefined)
    await renew(c, merchantId)
  }
  const hasKept = restore.savedAt !== null && keptSettings !== undefined && keptSettings.length > 0
  return { ...restore, ...progress, keptSettings: hasKept ? keptSettings : undefined }
}
