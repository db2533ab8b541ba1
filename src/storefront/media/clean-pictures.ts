import * as z from 'zod/mini'
import type { Database } from '../../platform/db/database.ts'
import type { Bindings } from '../../platform/env.ts'
import { largeWork } from '../../platform/http/bodies/byte-budget.ts'
import { limits } from '../../platform/http/fields.ts'
import { daySeconds } from '../../platform/lib/day.ts'
import { joinWithin } from '../../platform/lib/encoding/join-within.ts'
import { log } from '../../platform/lib/log.ts'
import { letOthersRun } from '../../platform/lib/step-budget.ts'
import { BrokenPictureError } from './formats/bytes.ts'
import { cleanPicture } from './formats/picture.ts'
import { listObjectKeys, toKeyPrefix, toObjectKey, toPaperKey } from './picture-name.ts'
import { pictureStatements as statements } from './picture-statements.ts'

/**
 * Maximum number of pictures in one run. After this number of R2 calls, or this time in milliseconds, a run claims no more. A run starts every
 * minute. Pictures that a run has claimed and not finished are due again after `retrySeconds`.
 */
export const cleaningLimits = { pictures: 50, calls: 200, ms: 20_000, retrySeconds: daySeconds } as const

/** Maximum size of a file that is read. A cleaned file can be a little larger than the uploaded one. */
const maxFileBytes = limits.pictureBytes + 65_536

const widthList = z.array(z.int())

/** Results of a run. `calls` counts the calls of R2. */
interface Progress {
  pictures: number
  changed: number
  unreadable: number
  calls: number
}

/** Whether parts of a file are the whole file, at their original positions. */
function areWhole(file: Uint8Array, parts: readonly Uint8Array[]): boolean {
  let at = 0
  for (const part of parts) {
    if (at + part.length > file.length) return false
    const isInPlace = part.buffer === file.buffer && part.byteOffset === file.byteOffset + at
    if (!isInPlace && !part.every((byte, index) => byte === file[at + index])) return false
    at += part.length
  }
  return at === file.length
}

/** The cleaned bytes of a file, in its own memory. Returns `unchanged` if it is clean, undefined if it cannot be read. */
function cleanFile(file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | 'unchanged' | undefined {
  let isUnchanged = false
  try {
    const picture = cleanPicture(file, (parts) => {
      isUnchanged = areWhole(file, parts)
      return isUnchanged ? file : joinWithin(file, parts)
    })
    return isUnchanged ? 'unchanged' : picture?.bytes
  } catch (error) {
    if (error instanceof BrokenPictureError) return undefined
    throw error
  }
}

/**
 * Cleans a file in place. Returns its size. Does not write a file that was deleted or replaced since it was read, so that no file exists without its
 * row.
 */
async function cleanObject(env: Bindings, { key, size }: R2Object, progress: Progress): Promise<number> {
  if (size > maxFileBytes) {
    progress.unreadable++
    return size
  }
  progress.calls++
  const object = await env.MEDIA.get(key)
  if (!object) return 0
  const { etag, httpMetadata, customMetadata } = object
  const cleaned = cleanFile(new Uint8Array(await object.arrayBuffer()))
  if (cleaned === undefined) progress.unreadable++
  if (cleaned === undefined || cleaned === 'unchanged') return size
  progress.calls++
  const metadata = { ...(httpMetadata && { httpMetadata }), ...(customMetadata && { customMetadata }) }
  if (await env.MEDIA.put(key, cleaned, { onlyIf: { etagMatches: etag }, ...metadata })) progress.changed++
  return cleaned.length
}

/** Cleans the files of a picture and the smaller files made from them. Returns the size of its own files, or undefined if one is missing. */
async function cleanAll(env: Bindings, digest: string, widths: readonly number[], progress: Progress) {
  const names = widths.map((width) => ({ digest, width }))
  const own = new Set(names.map(toObjectKey))
  // Files for paper contain only pixels.
  const made = new Set(names.flatMap(listObjectKeys)).difference(new Set(names.map(toPaperKey)))
  progress.calls++
  const { objects } = await env.MEDIA.list({ prefix: toKeyPrefix(digest) })
  let [bytes, missing] = [0, own.size]
  for (const object of objects) {
    if (!made.has(object.key)) continue
    const size = await cleanObject(env, object, progress)
    await letOthersRun()
    if (!own.has(object.key)) continue
    bytes += size
    missing--
  }
  return missing === 0 ? bytes : undefined
}

/**
 * Cleans pictures that earlier releases stored, in place: their addresses stay. A picture is finished after all its files were read. Files that are
 * not pictures stay as they are. Logs how many pictures a run has finished, and how many files it changed and could not read.
 */
export async function cleanPictures(env: Bindings, database: Database, now: number): Promise<void> {
  const values = { now, retryAt: now + cleaningLimits.retrySeconds }
  const startMs = Date.now()
  const progress: Progress = { pictures: 0, changed: 0, unreadable: 0, calls: 0 }
  const [[due]] = await database.run([statements.findCleaning(), { now }])
  if (!due) return
  const lease = largeWork.open('cleaning')
  try {
    await lease.hold(2 * maxFileBytes)
    for (let count = 0; count < cleaningLimits.pictures; count++) {
      if (progress.calls >= cleaningLimits.calls || Date.now() - startMs >= cleaningLimits.ms) break
      const [[claimed]] = await database.run([statements.claimCleaning(), values])
      if (!claimed) break
      const { digest, widths, ...scope } = claimed
      const bytes = await cleanAll(env, digest, widthList.parse(widths), progress)
      if (bytes === undefined) continue
      await database.run([statements.finishCleaning(), { ...scope, digest, bytes }])
      progress.pictures++
    }
  } finally {
    lease.close()
    const { pictures, changed, unreadable } = progress
    if (pictures > 0) log(env, 'pictures cleaned', { pictures, changed, unreadable })
  }
}
