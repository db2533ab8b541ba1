import type { MiddlewareHandler } from 'hono'
import { largeWork } from '../../platform/http/bodies/byte-budget.ts'
import { getDeclaredBytes } from '../../platform/http/bodies/read-large-body.ts'
import type { Env } from '../../platform/http/context.ts'
import { limits } from '../../platform/http/fields.ts'
import type { PictureUpload } from './read-upload.ts'

/** Reads the picture of a request. Holds memory for the picture until the response. */
export const pictureBody: MiddlewareHandler<
  Env,
  string,
  { in: { form: { image: File } }; out: { form: PictureUpload } }
> = async (c, next) => {
  const { pictureMemory, readUpload } = await import('./read-upload.ts')
  const needed = getDeclaredBytes(c.req.raw, limits.uploadBytes) + pictureMemory.besides
  const lease = largeWork.open(c.var.scope.merchantId, needed)
  try {
    const upload = await readUpload(c, lease)
    // Forms have random boundaries, so a repeated request is recognized by its pictures.
    c.set('body', new TextEncoder().encode(upload.digest))
    c.req.addValidatedData('form', upload)
    await next()
  } finally {
    lease.close()
  }
}
