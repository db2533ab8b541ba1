import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { ApiError } from '../errors.ts'
import type { Env } from '../http/context.ts'
import { createEtag, isNotModified } from '../http/etag.ts'
import { rules } from '../http/fields.ts'
import { invalidParameter } from '../http/pagination.ts'
import { query } from '../http/validation.ts'
import { getRenderContext } from '../resource/request-context.ts'
import { bitmap } from './png.ts'
import { createSymbol, type Level, type Matrix, type Point, quietZone, toSymbolText, traceOutlines } from './symbol.ts'

/** What a picture's parameters may be: pixels, and modules of quiet zone. */
const ranges = { size: { min: 64, max: 2_048, default: 512 }, margin: { min: quietZone, max: 16 } } as const

/** Counts up whenever a symbol is drawn differently, since its old picture stays in caches for a year. */
const drawingVersion = 1

export interface Drawing {
  /** Pixels a module. */
  scale: number
  /** Modules of quiet zone. */
  margin: number
}

/** A step along one axis; SVG takes the sign for a separator. */
const step = ([x, y]: Point, [toX, toY]: Point) => (y === toY ? `h${toX - x}` : `v${toY - y}`)

/** The dark areas of a symbol as the data of an SVG path, its upper left module at the margin. */
export function toSvgPath(matrix: Matrix, margin: number): string {
  let path = ''
  let [fromX, fromY] = [0, 0]
  for (const corners of traceOutlines(matrix)) {
    const [first = [0, 0]] = corners
    const [x, y] = [first[0] + margin, first[1] + margin]
    path += `m${x - fromX} ${y - fromY}`
    // The last side is the one that `z` draws.
    for (const [index, corner] of corners.slice(1).entries()) path += step(corners[index] ?? corner, corner)
    path += 'z'
    ;[fromX, fromY] = [x, y]
  }
  return path.replaceAll(' -', '-')
}

/** A symbol as SVG: a white ground and one path; as wide as its pixels, and sharp at any other width. */
export function toSvg(matrix: Matrix, { scale, margin }: Drawing): string {
  const modules = matrix.length + 2 * margin
  const size = modules * scale
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${modules} ${modules}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${modules}v${modules}H0z"/><path d="${toSvgPath(matrix, margin)}"/></svg>`
}

/** A symbol as PNG. */
export const toPng = (matrix: Matrix, { scale, margin }: Drawing) => bitmap(matrix, margin, scale)

const parameter = z.string({ error: 'must be given once' })
const whole = ({ min, max }: { min: number; max: number }) =>
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

/** The parameters of a picture. */
export const pictureQuery = z.strictObject({
  size: whole(ranges.size).check(
    z.describe(
      'Width and height in pixels, 64 to 2,048, by default 512; taken down to a whole number of pixels a module.',
    ),
  ),
  margin: whole(ranges.margin).check(z.describe('Quiet zone in modules, 4 to 16, by default 4.')),
  ecc: z
    .optional(z.enum(['L', 'M', 'Q', 'H']))
    .check(z.describe('Error correction; by default the highest that takes no more modules than M.')),
})
type PictureQuery = z.output<typeof pictureQuery>

/** Finds the tag of a scanned code and returns the code printed for it, in capitals; throws where there is no such tag, or no more. */
export type RequireTag = (c: Context<Env>, code: string) => Promise<string>

/** The origin of printed addresses; without one there is nothing that a symbol could hold. */
export function requireBaseUrl(c: Context<Env>): string {
  const { baseUrl } = getRenderContext(c)
  if (baseUrl !== undefined) return baseUrl
  throw new ApiError('not_found', 'No public address is configured, so there is none that a QR code could hold.')
}

function getDrawing(matrix: Matrix, { size = ranges.size.default, margin = quietZone }: PictureQuery): Drawing {
  const modules = matrix.length + 2 * margin
  const scale = Math.floor(size / modules)
  if (scale >= 1) return { scale, margin }
  throw invalidParameter(
    'size',
    'too_small',
    `must be at least ${modules}: a pixel for each module of symbol and margin`,
  )
}

const media = { png: 'image/png', svg: 'image/svg+xml' } as const

async function createPictureResponse(c: Context<Env>, format: keyof typeof media, code: string, wanted: PictureQuery) {
  const text = toSymbolText(requireBaseUrl(c), code)
  const level: Level | undefined = wanted.ecc
  const matrix = createSymbol(text, level)
  const drawing = getDrawing(matrix, wanted)
  const etag = await createEtag(JSON.stringify([drawingVersion, format, text, level, drawing.scale, drawing.margin]))
  const headers = {
    ETag: etag,
    'Cache-Control': 'public, max-age=31536000, immutable',
  }
  if (isNotModified(etag, c.req.raw)) return c.body(null, 304, headers)
  return c.body(format === 'png' ? await toPng(matrix, drawing) : toSvg(matrix, drawing), 200, {
    ...headers,
    'Content-Type': media[format],
    'Content-Disposition': `inline; filename="${code}.${format}"`,
  })
}

/** The pictures of tags, to be mounted where their addresses begin. */
export const createQrRoutes = (requireTag: RequireTag) =>
  new Hono<Env>()
    .get('/:code/qr.png', query(pictureQuery), async (c) =>
      createPictureResponse(c, 'png', await requireTag(c, c.req.param('code')), c.req.valid('query')),
    )
    .get('/:code/qr.svg', query(pictureQuery), async (c) =>
      createPictureResponse(c, 'svg', await requireTag(c, c.req.param('code')), c.req.valid('query')),
    )
