import type { Database } from '../db/database.ts'
import { directoryDatabase, merchantDatabase } from '../db/home/connect.ts'
import type { Bindings } from '../env.ts'
import { daySeconds } from '../lib/day.ts'
import { log } from '../lib/log.ts'
import { nowInSeconds } from '../lib/now.ts'
import { backupMessage } from '../messages.ts'
import { backupDays, toBackupKey } from './backup-file.ts'
import { readFingerprint } from './backup-lines.ts'
import { backupStatements as statements } from './backup-statements.ts'
import { enqueueScrubs, scrubBackup } from './scrub-backups.ts'
import { storeBackup } from './store-backup.ts'

/** Hours (UTC) during which merchants are checked, each once. */
export const nightlyHours = { from: 1, to: 5 } as const
/** Most checks that one run enqueues, and most expired backups that it deletes. A run starts every minute. */
export const nightlyBounds = { checks: 100, expired: 500 } as const
/** A check that is not finished after this time is enqueued again, in seconds. */
const retrySeconds = 1_800

const hourSeconds = 3_600

/** Runs every minute: during the night it enqueues merchants to check. Deletes expired backups, files before rows. */
export async function runNightly(env: Bindings, directory: Database, now: number): Promise<void> {
  const before = now - backupDays.kept * daySeconds
  const [expired] = await directory.run([statements.findExpired(), { before, limit: nightlyBounds.expired }])
  if (expired.length > 0) {
    await env.BACKUPS.delete(expired.map(({ merchantId, takenAt }) => toBackupKey(merchantId, takenAt)))
    await directory.run([statements.remove(), { backups: JSON.stringify(expired) }], [statements.removeChecks(), {}])
  }
  await enqueueScrubs(env, directory, now)
  const since = now - (now % daySeconds) + nightlyHours.from * hourSeconds
  if (now < since || now >= since + (nightlyHours.to - nightlyHours.from) * hourSeconds) return
  const due = { since, retryBefore: now - retrySeconds, limit: nightlyBounds.checks }
  const [merchants] = await directory.run([statements.findDue(), due])
  if (merchants.length === 0) return
  await directory.run([statements.setEnqueued(), { merchants: JSON.stringify(merchants.map(({ id }) => id)), now }])
  await env.BACKUP_CHECKS.sendBatch(merchants.map(({ id }) => ({ body: { merchant: id } })))
}

/** Takes a backup of a merchant if it has changed since the last one, or the last one is old. */
export async function checkMerchant(env: Bindings, merchantId: string): Promise<void> {
  const directory = directoryDatabase(env)
  directory.usePrimary()
  const database = merchantDatabase(env, { merchantId, home: undefined })
  const [[check]] = await directory.run([statements.findCheck(), { merchantId }])
  const fingerprint = await readFingerprint(database, merchantId)
  const now = nowInSeconds()
  const isRecent = (check?.takenAt ?? 0) > now - backupDays.renewed * daySeconds
  const isUnchanged = isRecent && check?.fingerprint === fingerprint
  const takenAt = isUnchanged ? check?.takenAt : (await storeBackup(env, merchantId, now))?.takenAt
  if (takenAt !== undefined) await directory.run([statements.finishCheck(), { merchantId, now, takenAt, fingerprint }])
}

/** Consumes the queue of checks: one merchant for each message. */
export async function consumeBackups(batch: MessageBatch<unknown>, env: Bindings): Promise<void> {
  for (const message of batch.messages) {
    const { success, data } = backupMessage.safeParse(message.body)
    try {
      if (success && data.scrub !== undefined) await scrubBackup(env, data.merchant, data.scrub)
      else if (success) await checkMerchant(env, data.merchant)
      else log(env, 'malformed backup message', { id: message.id })
      message.ack()
    } catch (error) {
      log(env, 'backup failed', { merchant: data?.merchant, error: String(error) })
      message.retry({ delaySeconds: 60 })
    }
  }
}
