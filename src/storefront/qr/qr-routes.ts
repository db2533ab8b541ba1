import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { getRenderContext } from '../../catalogue/resource/caller.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { rules } from '../../platform/http/fields.ts'
import { query } from '../../platform/http/validation.ts'
import { quietZone, ranges } from './quiet-zone.ts'

const parameter = z.string({ error: 'must be given once' })
const wholeNumber = ({ min, max }: { min: number; max: number }) =>
  z.optional(
    z.pipe(
      z.pipe(parameter.check(z.regex(/^\d{1,9}$/, { error: 'must be a whole number' })), z.transform(Number)),
      z.number().check(
        rules<number>((value) => {
          if (value < min) return { code: 'too_small', message: `must be at least ${min}` }
          return value > max ? { code: 'too_large', message: `must be at most ${max}` } : undefined
        }),
      ),
    ),
  )

const toRange = ({ min, max }: { min: number; max: number }) =>
  `${min.toLocaleString('en')}–${max.toLocaleString('en')}`

/** Parameters of a picture. */
export const pictureQuery = z.strictObject({
  size: wholeNumber(ranges.size).check(
    z.describe(
      `Width and height in pixels, rounded down to whole pixels per module. ${toRange(ranges.size)}. Default: ${ranges.size.default}.`,
    ),
  ),
  margin: wholeNumber(ranges.margin).check(
    z.describe(`Width of the quiet zone in modules. ${toRange(ranges.margin)}. Default: ${quietZone}.`),
  ),
  ecc: z
    .optional(z.enum(['L', 'M', 'Q', 'H']))
    .check(z.describe('Error correction level. Default: the highest level that needs as many modules as `M`.')),
})
type PictureQuery = z.output<typeof pictureQuery>

/** Returns the printed code of a tag by its id, its code or an alias. Throws if the tag is unknown or deleted. */
export type RequireTag = (c: Context<Env>, code: string) => Promise<string>

/** Returns the origin of printed URLs. Throws if none is configured, because a symbol then has no text. */
export function requireBaseUrl(c: Context<Env>): string {
  const { baseUrl } = getRenderContext(c)
  if (baseUrl !== undefined) return baseUrl
  throw new ApiError('not_found', 'No public URL is configured, so there is no URL for a QR code.')
}

async function respond(c: Context<Env>, format: 'png' | 'svg', code: string, parameters: PictureQuery) {
  const { createPictureResponse } = await import('./picture-response.ts')
  return createPictureResponse(c, format, { baseUrl: requireBaseUrl(c), code }, parameters)
}

/** Routes of the QR codes of tags, relative to `/t`. */
export const createQrRoutes = (requireTag: RequireTag) =>
  new Hono<Env>()
    .get('/:code/qr.png', query(pictureQuery), async (c) =>
      respond(c, 'png', await requireTag(c, c.req.param('code')), c.req.valid('query')),
    )
    .get('/:code/qr.svg', query(pictureQuery), async (c) =>
      respond(c, 'svg', await requireTag(c, c.req.param('code')), c.req.valid('query')),
    )
