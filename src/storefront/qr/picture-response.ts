import type { Context } from 'hono'
import { createEtag, isNotModified } from '../../platform/http/etag.ts'
import { invalidParameter } from '../../platform/http/pagination.ts'
import { type Drawing, toPng, toSvg } from './drawing.ts'
import { quietZone, ranges } from './quiet-zone.ts'
import { createSymbol, type Level, type Matrix, toSymbolText } from './symbol.ts'

/** Part of the ETag. Increment it when the drawing of symbols changes, because caches keep pictures for a year. */
const drawingVersion = 1

/** Time for which a picture may be cached, in seconds: a year. Its code never changes. */
const maxAgeSeconds = 31_536_000

/** Parameters of a picture, as `pictureQuery` reads them. */
interface PictureQuery {
  size?: number | undefined
  margin?: number | undefined
  ecc?: Level | undefined
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

/** Responds with the picture of a tag's symbol, or `304` if the client has it. */
export async function createPictureResponse(
  c: Context,
  format: keyof typeof contentTypes,
  { baseUrl, code }: { baseUrl: string; code: string },
  parameters: PictureQuery,
) {
  const text = toSymbolText(baseUrl, code)
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
