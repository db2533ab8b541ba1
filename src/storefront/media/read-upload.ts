import type { Context } from 'hono'
import { ApiError, type Issue, invalid } from '../../platform/errors.ts'
import type { Lease } from '../../platform/http/bodies/byte-budget.ts'
import { readLargeBody } from '../../platform/http/bodies/read-large-body.ts'
import type { Env } from '../../platform/http/context.ts'
import { bodyTooLarge } from '../../platform/http/exact-json.ts'
import { limits } from '../../platform/http/fields.ts'
import { encodeBase32 } from '../../platform/lib/encoding/base32.ts'
import { joinWithin } from '../../platform/lib/encoding/join-within.ts'
import { letOthersRun } from '../../platform/lib/step-budget.ts'
import { getBoundary, readFormParts } from './form-parts.ts'
import { BrokenPictureError } from './formats/bytes.ts'
import { cleanPicture, type Picture, pictureTypes } from './formats/picture.ts'
import { digestLength, type PictureName } from './picture-name.ts'

/** A picture that was sent, with its smaller variants. */
export interface PictureUpload extends PictureName {
  /** The picture, then its variants. */
  files: readonly [Picture, ...Picture[]]
}

/** Memory for reading and storing a picture in addition to its body, in bytes. */
export const pictureMemory = { besides: 2 * 1024 * 1024 } as const

/** Maximum difference between the heights of a variant and of the picture at the same width, in pixels of the variant. */
const heightTolerance = 2

const unsupported = () =>
  new ApiError(
    'unsupported_media_type',
    `The picture must be one of ${pictureTypes.join(', ')}, unencoded. Its content decides, not its name. Animated AVIF is not supported.`,
  )

/** A file of the body, and its position. */
interface SentFile {
  pointer: string
  bytes: Uint8Array<ArrayBuffer>
}

/** The files of a `multipart/form-data` body: `image`, and optional ones named `variant`. */
function readParts(body: Uint8Array<ArrayBuffer>, type: string): SentFile[] {
  const boundary = getBoundary(type)
  const parts = boundary === undefined ? undefined : readFormParts(body, boundary)
  if (!parts) throw new ApiError('malformed_body', 'The body is not multipart/form-data.')
  const issues: Issue[] = []
  const report = (pointer: string, code: Issue['code'], message: string) => issues.push({ pointer, code, message })
  for (const name of new Set(parts.map((part) => part.name))) {
    if (name !== 'image' && name !== 'variant') report(`/${name}`, 'unknown_field', 'is not a part of this body')
  }
  const images = parts.filter(({ name }) => name === 'image')
  const variants = parts.filter(({ name }) => name === 'variant')
  if (images.length !== 1) report('/image', images.length === 0 ? 'required' : 'too_many', 'must be given once')
  if (variants.length > limits.pictureVariants) {
    report('/variant', 'too_many', `must have at most ${limits.pictureVariants} elements`)
  }
  if ([...images, ...variants].some(({ isFile }) => !isFile)) {
    report('', 'invalid_type', 'has a part without a filename')
  }
  if (issues.length > 0) throw invalid(issues)
  return [...images, ...variants].map(({ bytes }, index) => {
    if (bytes.length > limits.pictureBytes) throw bodyTooLarge(limits.pictureBytes)
    return { pointer: index === 0 ? '/image' : `/variant/${index - 1}`, bytes }
  })
}

async function readFiles(c: Context<Env>, lease: Lease): Promise<SentFile[]> {
  const { req } = c
  const type = req.header('content-type') ?? ''
  if ((req.header('content-encoding') ?? 'identity') !== 'identity') throw unsupported()
  const read = (maxBytes: number) => readLargeBody(c, maxBytes, lease, pictureMemory.besides)
  if (/^multipart\/form-data\b/i.test(type)) return readParts(await read(limits.uploadBytes), type)
  if (!/^(?:image\/|application\/octet-stream\b|$)/i.test(type)) throw unsupported()
  return [{ pointer: '', bytes: await read(limits.pictureBytes) }]
}

function* listVariantIssues([image, ...variants]: readonly Picture[]): Iterable<Issue> {
  if (!image) return
  const widths = new Set([image.width])
  for (const [index, { width, height }] of variants.entries()) {
    const pointer = `/variant/${index}`
    if (width > image.width) yield { pointer, code: 'too_large', message: 'must be smaller than the image' }
    else if (widths.has(width)) yield { pointer, code: 'duplicate', message: 'has the same width as another file' }
    else if (Math.abs(height - (image.height * width) / image.width) > heightTolerance) {
      yield { pointer, code: 'conflict', message: 'must have the aspect ratio of the image' }
    }
    widths.add(width)
  }
}

async function digestFiles(c: Context<Env>, files: readonly Picture[]): Promise<string> {
  const hash = async (bytes: Uint8Array) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const hashes = await Promise.all(files.map(({ bytes }) => hash(bytes)))
  const { merchantId, testMode } = c.var.scope
  const text = JSON.stringify([merchantId, testMode, ...hashes.map(encodeBase32)])
  return encodeBase32(await hash(new TextEncoder().encode(text)))
    .slice(0, digestLength)
    .toLowerCase()
}

/** Reads a picture: the body itself, or the parts of a form. Its files are views of the body's memory. */
export async function readUpload(c: Context<Env>, lease: Lease): Promise<PictureUpload> {
  const issues: Issue[] = []
  const files: Picture[] = []
  for (const { pointer, bytes } of await readFiles(c, lease)) {
    try {
      const picture = cleanPicture(bytes, (parts) => joinWithin(bytes, parts))
      if (!picture) throw unsupported()
      files.push(picture)
    } catch (error) {
      if (!(error instanceof BrokenPictureError)) throw error
      issues.push({ pointer, code: error.code, message: error.message })
    }
    await letOthersRun()
  }
  if (issues.length === 0) issues.push(...listVariantIssues(files))
  const [image, ...variants] = files
  if (!image || issues.length > 0) throw invalid(issues)
  const digest = await digestFiles(c, files)
  return { digest, width: image.width, otherWidths: variants.map(({ width }) => width), files: [image, ...variants] }
}
