import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { ApiError } from '../errors.ts'
import type { Env } from '../http/context.ts'
import { createEtag, isNotModified } from '../http/etag.ts'
import { rules } from '../http/fields.ts'
import { invalidParameter } from '../http/pagination.ts'
import { query } from '../http/validation.ts'
import { getRenderContext } from '../resource/request-context.ts'
import { createBitmap } from './png.ts'
import { createSymbol, type Level, type Matrix, type Point, quietZone, toSymbolText, traceOutlines } from './symbol.ts'

/** Ranges of the parameters: `size` in pixels, `margin` in modules. */
const ranges = { size: { min: 64, max: 2_048, default: 512 }, margin: { min: quietZone, max: 16 } } as const

/** Part of the ETag. Increment it if symbols are drawn differently: caches keep pictures for a year. */
const drawingVersion = 1

/** Time for which a picture may be cached, in seconds: a year. Its code never changes. */
const maxAgeSeconds = 31_536_000

export interface Drawing {
  /** Pixels a module. */
  scale: number
  /** Modules of quiet zone. */
  margin: number
}

/** A step along one axis, as an SVG path command. */
const step = ([x, y]: Point, [toX, toY]: Point) => (y === toY ? `h${toX - x}` : `v${toY - y}`)

/** Draws the dark areas of a symbol as SVG path data, offset by the margin. */
export function toSvgPath(matrix: Matrix, margin: number): string {
  let path = ''
  let [fromX, fromY] = [0, 0]
  for (const corners of traceOutlines(matrix)) {
    const [first = [0, 0]] = corners
    const [x, y] = [first[0] + margin, first[1] + margin]
    path += `m${x - fromX} ${y - fromY}`
    // `z` draws the last side.
    for (const [index, corner] of corners.slice(1).entries()) path += step(corners[index] ?? corner, corner)
    path += 'z'
    ;[fromX, fromY] = [x, y]
  }
  return path.replaceAll(' -', '-')
}

/** Draws a symbol as SVG: a white background and one path. */
export function toSvg(matrix: Matrix, { scale, margin }: Drawing): string {
  const modules = matrix.length + 2 * margin
  const size = modules * scale
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${modules} ${modules}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${modules}v${modules}H0z"/><path d="${toSvgPath(matrix, margin)}"/></svg>`
}

/** Draws a symbol as PNG. */
export const toPng = (matrix: Matrix, { scale, margin }: Drawing) => createBitmap(matrix, margin, scale)

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
      `Width and height in pixels, rounded down to whole pixels a module. ${toRange(ranges.size)}. Default: ${ranges.size.default}.`,
    ),
  ),
  margin: wholeNumber(ranges.margin).check(
    z.describe(`Width of the quiet zone in modules. ${toRange(ranges.margin)}. Default: ${quietZone}.`),
  ),
  ecc: z
    .optional(z.enum(['L', 'M', 'Q', 'H']))
    .check(z.describe('Error correction level. Default: the highest level that needs no more modules than `M`.')),
})
type PictureQuery = z.output<typeof pictureQuery>

/** Returns the printed code of a tag by any of its names. Throws if the tag is unknown or deleted. */
export type RequireTag = (c: Context<Env>, code: string) => Promise<string>

/** Returns the origin of printed URLs. Throws if none is configured: then a symbol has no text. */
export function requireBaseUrl(c: Context<Env>): string {
  const { baseUrl } = getRenderContext(c)
  if (baseUrl !== undefined) return baseUrl
  throw new ApiError('not_found', 'No public URL is configured, so there is no URL for a QR code.')
}

function getDrawing(matrix: Matrix, { size = ranges.size.default, margin = quietZone }: PictureQuery): Drawing {
  const modules = matrix.length + 2 * margin
  const scale = Math.floor(size / modules)
  if (scale >= 1) return { scale, margin }
  throw invalidParameter(
    'size',
    'too_small',
    `must be at least ${modules}: one pixel for each module of the symbol and its margin`,
  )
}

const contentTypes = { png: 'image/png', svg: 'image/svg+xml' } as const

async function createPictureResponse(
  c: Context<Env>,
  format: keyof typeof contentTypes,
  code: string,
  parameters: PictureQuery,
) {
  const text = toSymbolText(requireBaseUrl(c), code)
  const level: Level | undefined = parameters.ecc
  const matrix = createSymbol(text, level)
  const drawing = getDrawing(matrix, parameters)
  const etag = await createEtag(JSON.stringify([drawingVersion, format, text, level, drawing.scale, drawing.margin]))
  const headers = {
    ETag: etag,
    'Cache-Control': `public, max-age=${maxAgeSeconds}, immutable`,
  }
  if (isNotModified(etag, c.req.raw)) return c.body(null, 304, headers)
  return c.body(format === 'png' ? await toPng(matrix, drawing) : toSvg(matrix, drawing), 200, {
    ...headers,
    'Content-Type': contentTypes[format],
    'Content-Disposition': `inline; filename="${code}.${format}"`,
  })
}

/** Routes of the QR codes of tags, relative to `/t`. */
export const createQrRoutes = (requireTag: RequireTag) =>
  new Hono<Env>()
    .get('/:code/qr.png', query(pictureQuery), async (c) =>
      createPictureResponse(c, 'png', await requireTag(c, c.req.param('code')), c.req.valid('query')),
    )
    .get('/:code/qr.svg', query(pictureQuery), async (c) =>
      createPictureResponse(c, 'svg', await requireTag(c, c.req.param('code')), c.req.valid('query')),
    )
