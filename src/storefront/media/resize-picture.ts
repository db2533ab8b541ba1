import type { Bindings } from '../../platform/env.ts'
import { ApiError } from '../../platform/errors.ts'
import { type Lease, largeWork } from '../../platform/http/bodies/byte-budget.ts'
import { limits } from '../../platform/http/fields.ts'
import { log } from '../../platform/lib/log.ts'
import { timedOut, withTimeout } from '../../platform/lib/time.ts'
import { readLatin1, startsWith, toDataView } from './formats/bytes.ts'
import { pngSignature } from './formats/png.ts'
import { isAnimatedWebp } from './formats/webp.ts'
import { type FileName, formatPictureName, toObjectKey, toResizedKey } from './picture-name.ts'
import { type PictureFile, readFile, readPicture } from './read-picture.ts'

/** Whether a PNG is animated. The chunk that says so comes before the pixels. */
function isAnimatedPng(bytes: Uint8Array): boolean {
  const view = toDataView(bytes)
  for (let at = pngSignature.length; at + 8 <= bytes.length; at += 12 + view.getUint32(at)) {
    const type = readLatin1(bytes, at + 4, 4)
    if (type === 'acTL') return true
    if (type === 'IDAT') return false
  }
  return false
}

/** Whether a stored picture is animated. */
const isAnimated = (bytes: Uint8Array): boolean =>
  startsWith(bytes, pngSignature) ? isAnimatedPng(bytes) : isAnimatedWebp(bytes)

/** Timeout of the Images binding for one file, in milliseconds. */
const resizeTimeoutMs = 10_000
const quality = 80
/** Memory of a smaller picture, in bytes. */
const memoryOfResult = 1024 * 1024

/** All resizing shares one holder's part of the memory for large requests. */
const holder = 'pictures'
/** Maximum wait for this memory, in milliseconds. After it, the guest gets the original picture. */
const roomMs = 500

/** Whether memory is free for the largest picture and a smaller one. */
async function hasRoom(lease: Lease): Promise<boolean> {
  try {
    await lease.hold(limits.pictureBytes + memoryOfResult, roomMs)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

interface ResizedFile {
  bytes: Uint8Array<ArrayBuffer>
  type: string
}

const readAll = async (body: BodyInit) => new Uint8Array(await new Response(body).arrayBuffer())

async function makeFile(images: ImagesBinding, bytes: Uint8Array<ArrayBuffer>, width: number): Promise<ResizedFile> {
  const result = await images
    .input(new Blob([bytes]).stream())
    .transform({ width, fit: 'scale-down' })
    .output({ format: 'image/webp', quality })
  const made = await readAll(result.image())
  const { cleanPicture } = await import('./formats/picture.ts')
  // The binding decides which metadata a new file keeps.
  return { bytes: cleanPicture(made)?.bytes ?? made, type: result.contentType() }
}

/** Makes a smaller file. Returns undefined if the platform cannot, for example if the monthly quota is used up, or the format is unknown. */
async function resize(env: Bindings, bytes: Uint8Array<ArrayBuffer>, width: number): Promise<ResizedFile | undefined> {
  if (!env.IMAGES) return undefined
  try {
    const file = await withTimeout(resizeTimeoutMs, makeFile(env.IMAGES, bytes, width))
    if (file !== timedOut) return file
    log(env, 'picture not resized', { error: 'timed out' })
  } catch (error) {
    log(env, 'picture not resized', { error: String(error) })
  }
  return undefined
}

/** Stores a smaller file, unless its picture was deleted since it was read: nothing would ever delete the file. */
async function store(env: Bindings, name: FileName, width: number, { bytes, type }: ResizedFile): Promise<void> {
  const key = toResizedKey(name, width)
  await env.MEDIA.put(key, bytes, { httpMetadata: { contentType: type } })
  if (!(await env.MEDIA.head(toObjectKey(name)))) await env.MEDIA.delete(key)
}

/**
 * Returns a file of a picture with a smaller width: the stored one, otherwise a new one, which it stores. Returns the picture itself if it is not
 * wider, or is animated. If resizing fails, returns the picture itself as a substitute.
 */
export async function readResized(
  env: Bindings,
  name: FileName,
  width: number,
  later: (work: Promise<unknown>) => void,
): Promise<PictureFile> {
  if (width >= name.width) return readPicture(env, name)
  const stored = await readFile(env, toResizedKey(name, width))
  if (stored) return stored
  const picture = await readPicture(env, name)
  const substitute = formatPictureName({ ...name, otherWidths: [] })
  const lease = largeWork.open(holder)
  try {
    if (!(await hasRoom(lease))) return { ...picture, substitute }
    const bytes = await readAll(picture.body)
    // If the picture itself is returned, it is read again as a stream, so that a slow reader does not keep it in memory.
    if (isAnimated(bytes)) return await readPicture(env, name)
    const made = await resize(env, bytes, width)
    if (!made) return { ...(await readPicture(env, name)), substitute }
    later(store(env, name, width, made).catch((error) => log(env, 'picture not stored', { error: String(error) })))
    return { body: made.bytes, type: made.type }
  } finally {
    lease.close()
  }
}
