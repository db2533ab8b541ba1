import { directoryDatabase, merchantDatabase } from '../db/home/connect.ts'
import { homeStatements } from '../db/home/home.ts'
import type { Bindings } from '../env.ts'
import { concatenate } from '../lib/encoding/concatenate.ts'
import { log } from '../lib/log.ts'
import { streamTexts } from '../lib/text-stream.ts'
import { toBackupKey } from './backup-file.ts'
import { readChanges, startBackup } from './backup-lines.ts'
import { backupStatements as statements } from './backup-statements.ts'

/** Size of a part of an upload: R2 requires at least 5 MiB, and the same size of all parts but the last. */
export const partBytes = 8 * 1024 * 1024
/**
 * Times that a backup is started again because objects changed while it was read, and calls of the database that it may need then. An
 * invocation may make 1,000.
 */
export const restartLimits = { restarts: 2, calls: 900 }

/** Uploads a stream whose length is not known. One part is in memory. Returns its length. */
export async function upload(bucket: R2Bucket, key: string, stream: ReadableStream<Uint8Array>): Promise<number> {
  let [chunks, size, total]: [Uint8Array[], number, number] = [[], 0, 0]
  let parts: { upload: R2MultipartUpload; uploaded: R2UploadedPart[] } | undefined
  try {
    for await (const chunk of stream) {
      chunks.push(chunk)
      size += chunk.length
      total += chunk.length
      while (size >= partBytes) {
        parts ??= { upload: await bucket.createMultipartUpload(key), uploaded: [] }
        const bytes = concatenate(chunks)
        parts.uploaded.push(await parts.upload.uploadPart(parts.uploaded.length + 1, bytes.subarray(0, partBytes)))
        chunks = [bytes.subarray(partBytes)]
        size -= partBytes
      }
    }
    const rest = concatenate(chunks)
    if (!parts) await bucket.put(key, rest)
    else {
      if (rest.length > 0) parts.uploaded.push(await parts.upload.uploadPart(parts.uploaded.length + 1, rest))
      await parts.upload.complete(parts.uploaded)
    }
    return total
  } catch (error) {
    await parts?.upload.abort().catch(() => undefined)
    throw error
  }
}

/** A finished backup. */
export interface StoredBackup {
  takenAt: number
  bytes: number
  rows: number
}

/**
 * Writes a backup of a merchant to the bucket: gzip JSON Lines. Starts again if an object is changed meanwhile, or if the merchant moves to
 * another home, which numbers rows differently; the last time, or where another attempt would exceed the calls of an invocation, it keeps
 * what it has read. Undefined if there is no such merchant, if it has a backup of the same second, or if it is being restored.
 */
export async function storeBackup(
  env: Bindings,
  merchantId: string,
  takenAt: number,
): Promise<StoredBackup | undefined> {
  const directory = directoryDatabase(env)
  directory.usePrimary()
  const database = merchantDatabase(env, { merchantId, home: undefined })
  database.usePrimary()
  const readState = async () => {
    const [homes] = await directory.run([homeStatements.find(), { merchantId }])
    return JSON.stringify([homes, await readChanges(database, merchantId)])
  }
  let calls = 0
  for (let restarts = 0; ; restarts++) {
    const before = await readState()
    const started = await startBackup(directory, database, merchantId, takenAt)
    if (!started) return undefined
    if (restarts === 0) {
      const [inserted] = await directory.run([statements.insert(), { merchantId, takenAt, scrubAt: null }])
      if (inserted.length === 0) return undefined
    }
    const zipped = streamTexts(started.lines).pipeThrough(new CompressionStream('gzip'))
    const bytes = await upload(env.BACKUPS, toBackupKey(merchantId, takenAt), zipped)
    const isSame = (await readState()) === before
    const { rows, calls: lastCalls } = started.progress
    calls += lastCalls
    const mayRestart = restarts < restartLimits.restarts && calls + lastCalls <= restartLimits.calls
    if (!isSame && mayRestart) continue
    if (!isSame) log(env, 'merchant changed during its backup', { merchant: merchantId })
    const [finished] = await directory.run([statements.finish(), { merchantId, takenAt, bytes, rows }])
    return finished.length > 0 ? { takenAt, bytes, rows } : undefined
  }
}
