import { counterNames, readCounter, setCounter } from '../../platform/db/counters.ts'
import type { Database } from '../../platform/db/database.ts'
import { directoryDatabase } from '../../platform/db/home/d1-connection.ts'
import { merchantDatabase } from '../../platform/db/home/merchant-connection.ts'
import type { Bindings } from '../../platform/env.ts'
import { ApiError } from '../../platform/errors.ts'
import { daySeconds } from '../../platform/lib/day.ts'
import { log } from '../../platform/lib/log.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { backupMessage } from '../../platform/messages.ts'
import { backupDays, toBackupKey } from './backup-file.ts'
import { readFingerprint } from './backup-lines.ts'
import { backupStatements as statements } from './backup-statements.ts'
import { removeCaptures } from './capture-changes.ts'
import { checkBackup, openBackup } from './check-backup.ts'
import { deleteOldParts } from './restore/restore-parts.ts'
import { enqueueScrubs, scrubBackup } from './scrub-backups.ts'
import { storeBackup } from './store-backup.ts'

/** Hours (UTC) during which each merchant is checked once. */
export const nightlyHours = { from: 1, to: 5 } as const
/** Maximum number of checks that one run enqueues, and of expired backups that it deletes. A run starts every minute. */
export const nightlyBounds = { checks: 100, expired: 500 } as const
/** Time after which an unfinished check is enqueued again, in seconds. */
const retrySeconds = 1_800

const hourSeconds = 3_600

/** Runs every minute. During the night, enqueues merchants to check and deletes parts of unfinished restores. Deletes expired backups, files before rows. */
export async function runNightly(env: Bindings, directory: Database, now: number): Promise<void> {
  const before = now - backupDays.kept * daySeconds
  const [expired] = await directory.run([statements.findExpired(), { before, limit: nightlyBounds.expired }])
  if (expired.length > 0) {
    await env.BACKUPS.delete(expired.map(({ merchantId, takenAt }) => toBackupKey(merchantId, takenAt)))
    await directory.run([statements.remove(), { backups: JSON.stringify(expired) }])
  }
  await enqueueScrubs(env, directory, now)
  await removeCaptures(directory)
  const since = now - (now % daySeconds) + nightlyHours.from * hourSeconds
  if (now < since || now >= since + (nightlyHours.to - nightlyHours.from) * hourSeconds) return
  await enqueueRehearsal(env, directory, now)
  await deleteOldParts(env, now - daySeconds)
  const due = { since, retryBefore: now - retrySeconds, limit: nightlyBounds.checks }
  const [merchants] = await directory.run([statements.findDue(), due])
  if (merchants.length === 0) return
  await directory.run([statements.setEnqueued(), { merchants: JSON.stringify(merchants.map(({ id }) => id)), now }])
  await env.BACKUP_CHECKS.sendBatch(merchants.map(({ id }) => ({ body: { merchant: id } })))
}

/** Time between two rehearsals of a restore, in seconds, and maximum number of rows of a backup that one invocation can restore. */
const rehearsal = { seconds: 7 * daySeconds, rows: 200_000 } as const

/** Runs every minute. Once a week, enqueues the rehearsal of a restore. */
export async function enqueueRehearsal(env: Bindings, directory: Database, now: number): Promise<void> {
  const last = (await readCounter(directory, counterNames.rehearsalAt)) ?? 0
  if (now - last < rehearsal.seconds) return
  const since = now - rehearsal.seconds
  const [[picked]] = await directory.run([statements.pickRehearsal(), { since, rows: rehearsal.rows }])
  // Without a backup that can be rehearsed, the next day looks for one: all backups of the week are read.
  await setCounter(directory, counterNames.rehearsalAt, picked ? now : since + daySeconds)
  if (!picked) return
  await env.BACKUP_CHECKS.sendBatch([{ body: { merchant: picked.merchantId, rehearse: true } }])
}

/** Maximum number of backups of one merchant that are checked in a night. */
const maxChecked = 10

/** Loads the merchant's backups of the last day into memory, except recently checked ones. Returns the times of damaged backups. */
async function checkRecent(
  env: Bindings,
  directory: Database,
  merchantId: string,
  recent: readonly { takenAt: number }[],
  now: number,
): Promise<number[]> {
  const damaged: number[] = []
  for (const { takenAt } of recent) {
    let damage: string | undefined
    try {
      await checkBackup(() => openBackup(env, merchantId, takenAt), merchantId)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      damage = error.message
      damaged.push(takenAt)
      log(env, 'backup damaged', { merchant: merchantId, takenAt, reason: damage })
    }
    await directory.run([statements.setChecked(), { merchantId, takenAt, now, damage }])
  }
  return damaged
}

/** Takes a backup of a merchant if the data has changed since the last one, or if the last one is old. */
export async function checkMerchant(env: Bindings, merchantId: string): Promise<void> {
  const directory = directoryDatabase(env)
  directory.usePrimary()
  const database = merchantDatabase(env, { merchantId, home: undefined })
  const now = nowInSeconds()
  const range = { since: now - daySeconds, checkedBefore: now - hourSeconds, limit: maxChecked }
  const [[check], recent] = await directory.run(
    [statements.findCheck(), { merchantId }],
    [statements.findUnchecked(), { merchantId, ...range }],
  )
  const fingerprint = await readFingerprint(database, merchantId)
  const isRecent = (check?.takenAt ?? 0) > now - backupDays.renewed * daySeconds
  const damaged = await checkRecent(env, directory, merchantId, recent, now)
  const isUnchanged = isRecent && check?.fingerprint === fingerprint && !damaged.includes(check?.takenAt ?? 0)
  const takenAt = isUnchanged ? check?.takenAt : (await storeBackup(env, merchantId, now))?.takenAt
  if (takenAt !== undefined) await directory.run([statements.finishCheck(), { merchantId, now, takenAt, fingerprint }])
}

/** Consumes the queue of checks: one merchant for each message. */
export async function consumeBackups(batch: MessageBatch<unknown>, env: Bindings): Promise<void> {
  for (const message of batch.messages) {
    const { success, data } = backupMessage.safeParse(message.body)
    try {
      if (success && data.scrub !== undefined) await scrubBackup(env, data.merchant, data.scrub)
      else if (success && data.rehearse) {
        const { rehearseRestore } = await import('./rehearse-restore.ts')
        const rows = await rehearseRestore(env, data.merchant)
        if (rows !== undefined) {
          await setCounter(directoryDatabase(env), counterNames.rehearsedAt, nowInSeconds())
          log(env, 'restore rehearsed', { merchant: data.merchant, rows })
        }
      } else if (success) await checkMerchant(env, data.merchant)
      else log(env, 'malformed backup message', { id: message.id })
      message.ack()
    } catch (error) {
      log(env, data?.rehearse ? 'rehearsal of a restore failed' : 'backup failed', {
        merchant: data?.merchant,
        error: String(error),
      })
      message.retry({ delaySeconds: 60 })
    }
  }
}
