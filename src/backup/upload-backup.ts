import { directoryDatabase } from '../db/home/connect.ts'
import type { Bindings } from '../env.ts'
import { ApiError } from '../errors.ts'
import { bodyTooLarge } from '../http/exact-json.ts'
import { maxUploadBytes, toBackupKey } from './backup-file.ts'
import { backupStatements as statements } from './backup-statements.ts'
import { parseLine, readHeader, readLines, unreadable } from './restore/read-backup.ts'
import { type StoredBackup, upload } from './store-backup.ts'

/** Counts the rows of a stored file. Throws if it is not a complete backup of the merchant. */
async function countRows(bucket: R2Bucket, key: string, merchantId: string): Promise<number> {
  const file = await bucket.get(key)
  if (!file) throw unreadable('it was deleted')
  const lines = readLines(file.body)
  await readHeader(lines, merchantId)
  let rows = 0
  for await (const line of lines) {
    if (line.startsWith('{"table":')) {
      rows++
      continue
    }
    const parsed = parseLine(line)
    if (!('end' in parsed)) continue
    const expected = Object.values(parsed.end.counts).reduce((sum, count) => sum + count, 0)
    if (expected !== rows) throw unreadable('it lacks rows')
    return rows
  }
  throw unreadable('it has no end')
}

/** Stores a file as a backup of a merchant, under a time that no other one has. A file that is no backup is deleted again. */
export async function uploadBackup(
  env: Bindings,
  merchantId: string,
  takenAt: number,
  body: ReadableStream<Uint8Array>,
  maxBytes = maxUploadBytes,
): Promise<StoredBackup> {
  const directory = directoryDatabase(env)
  directory.usePrimary()
  const [inserted] = await directory.run([statements.insert(), { merchantId, takenAt, scrubAt: 0 }])
  if (inserted.length === 0) throw new ApiError('conflict', 'The merchant has a backup of this time.')
  const key = toBackupKey(merchantId, takenAt)
  let length = 0
  const limited = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        length += chunk.length
        if (length > maxBytes) controller.error(bodyTooLarge(maxBytes))
        else controller.enqueue(chunk)
      },
    }),
    { preventCancel: true },
  )
  try {
    const bytes = await upload(env.BACKUPS, key, limited)
    const rows = await countRows(env.BACKUPS, key, merchantId)
    const [finished] = await directory.run([statements.finish(), { merchantId, takenAt, bytes, rows }])
    if (finished.length > 0) return { takenAt, bytes, rows }
    throw new ApiError('conflict', 'The merchant is being restored. Repeat the request when it is done.')
  } catch (error) {
    await env.BACKUPS.delete(key)
    await directory.run([statements.remove(), { backups: JSON.stringify([{ merchantId, takenAt }]) }])
    throw error
  }
}
