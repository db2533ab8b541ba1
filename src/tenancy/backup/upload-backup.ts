import { directoryDatabase } from '../../platform/db/home/d1-connection.ts'
import type { Bindings } from '../../platform/env.ts'
import { ApiError } from '../../platform/errors.ts'
import { bodyTooLarge } from '../../platform/http/exact-json.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { maxUploadBytes, toBackupKey } from './backup-file.ts'
import { backupStatements as statements } from './backup-statements.ts'
import { checkBackup, openBackup } from './check-backup.ts'
import { type StoredBackup, upload } from './store-backup.ts'

/** Stores a file as a backup of a merchant, under a unique time. Deletes a file that is not a backup. */
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
    const file = await upload(env.BACKUPS, key, limited)
    const { rows } = await checkBackup(() => openBackup(env, merchantId, takenAt), merchantId)
    const stored = { takenAt, ...file, rows }
    const [finished] = await directory.run([statements.finish(), { ...stored, merchantId, now: nowInSeconds() }])
    if (finished.length > 0) return stored
    throw new ApiError('conflict', 'The merchant is being restored. Repeat the request when it is done.')
  } catch (error) {
    await env.BACKUPS.delete(key)
    await directory.run([statements.remove(), { backups: JSON.stringify([{ merchantId, takenAt }]) }])
    throw error
  }
}
