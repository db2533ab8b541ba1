import type { MiddlewareHandler } from 'hono'
import type { Env } from '../http/context.ts'
import type { PictureUpload } from './read-upload.ts'

/** Reads the picture of a request. */
export const pictureBody: MiddlewareHandler<
  Env,
  string,
  { in: { form: { image: File } }; out: { form: PictureUpload } }
> = async (c, next) => {
  const { readUpload } = await import('./read-upload.ts')
  const upload = await readUpload(c)
  // Forms have random boundaries: a repeated request is known by its pictures.
  c.set('body', new TextEncoder().encode(upload.digest))
  c.req.addValidatedData('form', upload)
  await next()
}
