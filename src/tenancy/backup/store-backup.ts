import type { Database } from '../../platform/db/database.ts'
import { directoryDatabase } from '../../platform/db/home/d1-connection.ts'
import { homeStatements } from '../../platform/db/home/home.ts'
import { merchantDatabase } from '../../platform/db/home/merchant-connection.ts'
import type { Bindings } from '../../platform/env.ts'
import { ApiError } from '../../platform/errors.ts'
import { concatenate } from '../../platform/lib/encoding/concatenate.ts'
import { log } from '../../platform/lib/log.ts'
import { streamTexts } from '../../platform/lib/text-stream.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { toBackupKey } from './backup-file.ts'
import { createLines, readHeaderLine } from './backup-lines.ts'
import { backupStatements as statements } from './backup-statements.ts'
import { beginCapture, endCapture } from './capture-changes.ts'
import { CapturedRows } from './captured-rows.ts'
import { checkBackup, openBackup } from './check-backup.ts'
import { findRestore } from './restore/open-restore.ts'
import { readLines } from './restore/read-backup.ts'

/** Size of a part of an upload: R2 requires at least 5 MiB, and equal sizes of all parts except the last. */
export const partBytes = 8 * 1024 * 1024
/**
 * Limits of one invocation: attempts to take a backup, calls of the database (it may make 1,000), and UTF-16 units of changed rows in memory, beyond
 * which the file is written again with them.
 */
export const backupBounds = { attempts: 3, calls: 900, units: 8_000_000 }

/** Number of queries for reading the next changes, without one for each further changed table. */
const queriesOfChanges = 4

/** A file in the bucket: its length, and its SHA-256 in hexadecimal digits. */
interface StoredFile {
  bytes: number
  sha256: string
}

const toHex = (digest: ArrayBuffer) =>
  Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Uploads a stream whose length is not known. Only one part is in memory. A file with this key is replaced only at the end, so the stream may read
 * from that file.
 */
export async function upload(bucket: R2Bucket, key: string, stream: ReadableStream<Uint8Array>): Promise<StoredFile> {
  let [chunks, size, total]: [Uint8Array[], number, number] = [[], 0, 0]
  const hash = new crypto.DigestStream('SHA-256')
  const hashWriter = hash.getWriter()
  hash.digest.catch(() => undefined)
  let parts: { upload: R2MultipartUpload; uploaded: R2UploadedPart[] } | undefined
  try {
    for await (const chunk of stream) {
      await hashWriter.write(chunk)
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
    await hashWriter.close()
    return { bytes: total, sha256: toHex(await hash.digest) }
  } catch (error) {
    await hashWriter.abort(error).catch(() => undefined)
    await parts?.upload.abort().catch(() => undefined)
    throw error
  }
}

/** A finished backup. */
export interface StoredBackup extends StoredFile {
  takenAt: number
  rows: number
}

/** Why an attempt to take a backup has failed. Another attempt may succeed. */
class AttemptError extends Error {}

/** Context of an attempt to take a backup. */
interface Attempt {
  /** Counts queries of all attempts, which run in one invocation. Throws if the limit is reached. */
  count: (queries?: number) => void
  env: Bindings
  directory: Database
  database: Database
  merchantId: string
  takenAt: number
}

const zip = (lines: AsyncGenerator<string, void, undefined>) =>
  streamTexts(lines).pipeThrough(new CompressionStream('gzip'))

/** Uploads pages of all rows. Then writes the file again with the rows that have changed since, until no row has changed. */
async function writeFile(
  { env, directory, database, merchantId, takenAt, count }: Attempt,
  header: string,
  capture: number | undefined,
): Promise<StoredFile> {
  const key = toBackupKey(merchantId, takenAt)
  let file = await upload(env.BACKUPS, key, zip(createLines(header, database, merchantId, count)))
  if (capture === undefined) return file
  let changed = new CapturedRows()
  const rewrite = async (newHeader: string) => {
    const stored = await env.BACKUPS.get(key)
    if (!stored) throw new AttemptError('its file was deleted')
    file = await upload(env.BACKUPS, key, zip(changed.replaceIn(readLines(stored.body), newHeader)))
    changed = changed.createNext()
  }
  for (let isDone: boolean | undefined = false; !isDone; ) {
    count(queriesOfChanges)
    isDone = await changed.readNext(database, merchantId, capture)
    if (isDone === undefined) throw new AttemptError('changes are no longer captured')
    if (!isDone && changed.units > backupBounds.units) await rewrite(header)
  }
  const last = await readHeaderLine(directory, merchantId, takenAt)
  if (last === undefined) throw new AttemptError('the merchant was deleted')
  if (!changed.isEmpty || last !== header) await rewrite(last)
  return file
}

/**
 * Writes the file of a backup, and loads it into memory. Throws an `AttemptError` if it is not a snapshot: the merchant has moved to another home
 * with different row numbers, or rows contradict each other.
 */
async function attemptBackup(attempt: Attempt, isQuiet: boolean): Promise<StoredBackup | undefined> {
  const { env, directory, database, merchantId, takenAt } = attempt
  const findHome = async () => JSON.stringify(await directory.run([homeStatements.find(), { merchantId }]))
  const home = await findHome()
  const header = await readHeaderLine(directory, merchantId, takenAt)
  if (header === undefined) return undefined
  const capture = isQuiet ? undefined : await beginCapture(database, merchantId)
  try {
    const file = await writeFile(attempt, header, capture)
    if ((await findHome()) !== home) throw new AttemptError('the merchant was moved')
    const { rows, omitted } = await checkBackup(() => openBackup(env, merchantId, takenAt), merchantId).catch(
      (error: unknown) => {
        throw error instanceof ApiError ? new AttemptError(error.message) : error
      },
    )
    if (omitted > 0) throw new AttemptError(`${omitted} rows have no object`)
    return { takenAt, ...file, rows }
  } finally {
    // It also ends by itself.
    if (capture !== undefined) await endCapture(database, capture).catch(() => undefined)
  }
}

/**
 * Writes a backup of a merchant to the bucket: gzip JSON Lines, which are one snapshot. Undefined if the merchant does not exist, has a backup of the
 * same second, or is being restored. `quiet` reads the data through a connection without concurrent writers.
 */
export async function storeBackup(
  env: Bindings,
  merchantId: string,
  takenAt: number,
  quiet?: Database,
): Promise<StoredBackup | undefined> {
  const directory = directoryDatabase(env)
  directory.usePrimary()
  const open = await findRestore(directory, merchantId)
  // The restore makes writes wait, including those that capture changes.
  if (!quiet && (open?.state === 'deleting' || open?.state === 'loading')) return undefined
  const [inserted] = await directory.run([statements.begin(), { merchantId, takenAt }])
  if (inserted.length === 0) return undefined
  const forget = async () => {
    await env.BACKUPS.delete(toBackupKey(merchantId, takenAt))
    await directory.run([statements.remove(), { backups: JSON.stringify([{ merchantId, takenAt }]) }])
  }
  let calls = 0
  const tooLarge = 'it has more pages than an invocation can read'
  const count = (queries = 1) => {
    calls += queries
    if (calls > backupBounds.calls) throw new AttemptError(tooLarge)
  }
  for (let attempts = 1; ; attempts++) {
    const database = quiet ?? merchantDatabase(env, { merchantId, home: undefined })
    database.usePrimary()
    try {
      const stored = await attemptBackup({ env, directory, database, merchantId, takenAt, count }, quiet !== undefined)
      const [finished] = stored
        ? await directory.run([statements.finish(), { ...stored, merchantId, now: nowInSeconds() }])
        : []
      if (finished?.length) return stored
      await forget()
      return undefined
    } catch (error) {
      // The fence of a move lasts only seconds.
      const isBusy = error instanceof ApiError && error.code === 'busy'
      // A stream loses the class of an error. Another attempt in this invocation would also fail.
      const isTooLarge = calls > backupBounds.calls
      if (!(isBusy || isTooLarge || error instanceof AttemptError)) throw error
      const reason = error instanceof Error && !isTooLarge ? error.message : tooLarge
      log(env, 'backup started again', { merchant: merchantId, reason })
      if (attempts < backupBounds.attempts && !isTooLarge) continue
      await forget()
      if (isBusy) throw error
      throw new ApiError('conflict', `No backup could be taken in ${attempts} attempts: ${reason}. Repeat the request.`)
    }
  }
}
