import type { Bindings } from '../../platform/env.ts'
import { notFound, UnavailableError } from '../../platform/errors.ts'
import { type FileName, toObjectKey } from './picture-name.ts'

/** A file to serve. */
export interface PictureFile {
  body: ReadableStream | Uint8Array<ArrayBuffer>
  type: string
  /** Name of the file if it is a substitute for a file that cannot be made now. */
  substitute?: string
}

/** Reads a file from R2. Returns undefined if it does not exist. */
export async function readFile(env: Bindings, key: string): Promise<PictureFile | undefined> {
  const object = await env.MEDIA.get(key).catch((error: unknown) => {
    throw new UnavailableError(`picture not read: ${error}`)
  })
  return object
    ? { body: object.body, type: object.httpMetadata?.contentType ?? 'application/octet-stream' }
    : undefined
}

/** Reads a file of a picture as it was uploaded. */
export async function readPicture(env: Bindings, name: FileName): Promise<PictureFile> {
  const file = await readFile(env, toObjectKey(name))
  if (!file) throw notFound()
  return file
}
