import type { Context } from 'hono'
import { ApiError, type Issue, invalid } from '../errors.ts'
import type { Env } from '../http/context.ts'
import { bodyTooLarge } from '../http/exact-json.ts'
import { limits } from '../http/fields.ts'
import { readBytes } from '../http/request-body.ts'
import { encodeBase32 } from '../lib/encoding/base32.ts'
import { letOthersRun } from '../lib/step-budget.ts'
import { BrokenPictureError } from './formats/bytes.ts'
import { cleanPicture, type Picture, pictureTypes } from './formats/picture.ts'
import { digestLength, type PictureName } from './picture-name.ts'

/** A picture that was sent, with its smaller variants. */
export interface PictureUpload extends PictureName {
  /** The picture, then its variants. */
  files: readonly [Picture, ...Picture[]]
}

/** Largest difference between the heights of a variant and of the picture at the same width, in pixels of the variant. */
const heightTolerance = 2

const unsupported = () =>
  new ApiError(
    'unsupported_media_type',
    `The picture must be one of ${pictureTypes.join(', ')}, unencoded. Its content decides, not its name. Animated AVIF is not supported.`,
  )

/** A file of the body, and its place. */
interface SentFile {
  pointer: string
  bytes: Uint8Array
}

const isFile = (part: File | string): part is File => typeof part !== 'string'

/** The files of a `multipart/form-data` body: `image`, and optional ones named `variant`. */
async function readParts(bytes: Uint8Array, type: string): Promise<SentFile[]> {
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => {
    throw new ApiError('malformed_body', 'The body is not multipart/form-data.')
  })
  const issues: Issue[] = []
  const report = (pointer: string, code: Issue['code'], message: string) => issues.push({ pointer, code, message })
  for (const name of new Set(form.keys())) {
    if (name !== 'image' && name !== 'variant') report(`/${name}`, 'unknown_field', 'is not a part of this body')
  }
  const [images, variants] = [form.getAll('image'), form.getAll('variant')]
  if (images.length !== 1) report('/image', images.length === 0 ? 'required' : 'too_many', 'must be given once')
  if (variants.length > limits.pictureVariants) {
    report('/variant', 'too_many', `must have at most ${limits.pictureVariants} elements`)
  }
  if ([...images, ...variants].some((part) => !isFile(part))) {
    report('', 'invalid_type', 'has a part that is not a file: it needs a filename')
  }
  if (issues.length > 0) throw invalid(issues)
  return Promise.all(
    [...images, ...variants].filter(isFile).map(async (file, index) => {
      if (file.size > limits.pictureBytes) throw bodyTooLarge(limits.pictureBytes)
      return { pointer: index === 0 ? '/image' : `/variant/${index - 1}`, bytes: await file.bytes() }
    }),
  )
}

async function readFiles({ req }: Context<Env>): Promise<SentFile[]> {
  const type = req.header('content-type') ?? ''
  if ((req.header('content-encoding') ?? 'identity') !== 'identity') throw unsupported()
  if (/^multipart\/form-data\b/i.test(type)) {
    return readParts(await readBytes(req.raw, limits.uploadBytes), type)
  }
  if (!/^(?:image\/|application\/octet-stream\b|$)/i.test(type)) throw unsupported()
  return [{ pointer: '', bytes: await readBytes(req.raw, limits.pictureBytes) }]
}

function* listVariantIssues([image, ...variants]: readonly Picture[]): Iterable<Issue> {
  if (!image) return
  const widths = new Set([image.width])
  for (const [index, { width, height }] of variants.entries()) {
    const pointer = `/variant/${index}`
    if (width > image.width) yield { pointer, code: 'too_large', message: 'must be smaller than the image' }
    else if (widths.has(width)) yield { pointer, code: 'duplicate', message: 'has the width of another file' }
    else if (Math.abs(height - (image.height * width) / image.width) > heightTolerance) {
      yield { pointer, code: 'conflict', message: 'must have the shape of the image' }
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

/** Reads a picture: the body itself, or the parts of a form. */
export async function readUpload(c: Context<Env>): Promise<PictureUpload> {
  const issues: Issue[] = []
  const files: Picture[] = []
  for (const { pointer, bytes } of await readFiles(c)) {
    try {
      const picture = cleanPicture(bytes)
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
