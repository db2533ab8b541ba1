import type { Database } from '../../platform/db/database.ts'
import { directoryDatabase } from '../../platform/db/home/d1-connection.ts'
import type { Bindings } from '../../platform/env.ts'
import { ApiError } from '../../platform/errors.ts'
import { log } from '../../platform/lib/log.ts'
import { streamTexts } from '../../platform/lib/text-stream.ts'
import { scrubRow, secretPrefix } from '../../webhooks/rows/scrub-row.ts'
import { toBackupKey } from './backup-file.ts'
import { backupStatements as statements } from './backup-statements.ts'
import { parseLine, readLines } from './restore/read-backup.ts'
import { upload } from './store-backup.ts'

/**
 * Maximum number of backups that one run enqueues; a run starts every minute. A backup that is not searched after `retrySeconds` is enqueued again.
 */
const scrubBounds = { backups: 100, retrySeconds: 3_600 } as const

/** Enqueues backups whose files must be searched for secrets that earlier releases wrote. */
export async function enqueueScrubs(env: Bindings, directory: Database, now: number): Promise<void> {
  const values = { now, next: now + scrubBounds.retrySeconds, limit: scrubBounds.backups }
  const [backups] = await directory.run([statements.claimScrubs(), values])
  if (backups.length === 0) return
  await env.BACKUP_CHECKS.sendBatch(
    backups.map(({ merchantId, takenAt }) => ({ body: { merchant: merchantId, scrub: takenAt } })),
  )
}

/** Length from which lines are passed on. */
const chunkUnits = 65_536

/** A line of a backup without outdated secrets. */
function scrubLine(line: string): string {
  if (!line.includes(secretPrefix) || !line.startsWith('{"table":')) return line
  const parsed = parseLine(line)
  return 'table' in parsed ? JSON.stringify({ ...parsed, row: scrubRow(parsed.table, parsed.row) }) : line
}

/** Removes outdated secrets from all lines of a file. Counts the changed lines. */
async function* scrubLines(file: R2ObjectBody, changed: { rows: number }): AsyncGenerator<string, void, undefined> {
  let text = ''
  for await (const line of readLines(file.body)) {
    const scrubbed = scrubLine(line)
    if (scrubbed !== line) changed.rows++
    text += `${scrubbed}\n`
    if (text.length < chunkUnits) continue
    yield text
    text = ''
  }
  yield text
}

/** Writes the file again if its rows contain outdated secrets. Returns its size, or undefined while a restore reads it. */
async function scrubFile(env: Bindings, directory: Database, merchantId: string, takenAt: number, found: R2ObjectBody) {
  const changed = { rows: 0 }
  for await (const _ of scrubLines(found, changed));
  if (changed.rows === 0) return { bytes: found.size, sha256: null }
  const key = toBackupKey(merchantId, takenAt)
  const [readers] = await directory.run([statements.findReader(), { merchantId, takenAt }])
  const file = readers.length > 0 ? null : await env.BACKUPS.get(key)
  if (!file) return undefined
  const zipped = streamTexts(scrubLines(file, { rows: 0 })).pipeThrough(new CompressionStream('gzip'))
  const stored = await upload(env.BACKUPS, key, zipped)
  log(env, 'backup scrubbed', { merchant: merchantId, takenAt, rows: changed.rows })
  return stored
}

/**
 * Removes secrets from a stored backup: those that earlier releases wrote into events and logs of deliveries, and replaced ones. A file that a
 * restore reads is postponed. An unreadable file stays unchanged, because it cannot be restored either.
 */
export async function scrubBackup(env: Bindings, merchantId: string, takenAt: number): Promise<void> {
  const directory = directoryDatabase(env)
  directory.usePrimary()
  const found = await env.BACKUPS.get(toBackupKey(merchantId, takenAt))
  if (!found) return
  const file = await scrubFile(env, directory, merchantId, takenAt, found).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    log(env, 'backup not scrubbed', { merchant: merchantId, takenAt, error: error.message })
    return { bytes: found.size, sha256: null }
  })
  if (file) await directory.run([statements.finishScrub(), { ...file, merchantId, takenAt }])
}
