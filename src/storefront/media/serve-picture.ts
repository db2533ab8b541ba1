import { type Context, Hono } from 'hono'
import { notFound } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { isNotModified } from '../../platform/http/etag.ts'
import { formatResizedName, parsePictureName, parseResizedWidth, picturePath } from './picture-name.ts'
import { type PictureFile, readPicture } from './read-picture.ts'

/** A picture never changes: its address holds a digest of its content. One year, in seconds. */
const cacheControl = 'public, max-age=31536000, immutable'
/** Cache lifetime of a substitute, in seconds. After it, the service tries again to make the file. */
export const substituteSeconds = 300

const commonHeaders = {
  // Other pages may show the pictures. A picture that is opened directly runs no scripts.
  'access-control-allow-origin': '*',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
}

/** Serves a file from the data centre's cache, otherwise as it is read. */
async function serveFile(c: Context<Env>, name: string, read: () => Promise<PictureFile>): Promise<Response> {
  const lasting = { ...commonHeaders, 'cache-control': cacheControl, etag: `"${name}"` }
  if (isNotModified(lasting.etag, c.req.raw)) return new Response(null, { status: 304, headers: lasting })
  const cacheUrl = new URL(`${picturePath}${name}`, c.req.url).href
  const cached = await caches.default.match(cacheUrl).catch(() => undefined)
  if (cached) return cached
  const { body, type, substitute } = await read()
  const brief = { 'cache-control': `public, max-age=${substituteSeconds}`, etag: `"${substitute}"` }
  const headers = { ...lasting, ...(substitute === undefined ? {} : brief), 'content-type': type }
  const response = new Response(body, { headers })
  c.executionCtx.waitUntil(caches.default.put(cacheUrl, response.clone()).catch(() => undefined))
  return response
}

/** Serves the files of pictures, and smaller ones that are made on demand. */
export const servedPictures = new Hono<Env>()
  .get('/:name', (c) => {
    const name = c.req.param('name')
    const parsed = parsePictureName(name)
    if (!parsed) throw notFound()
    return serveFile(c, name, () => readPicture(c.env, parsed))
  })
  .get('/:name/:width', (c) => {
    const parsed = parsePictureName(c.req.param('name'))
    const width = parseResizedWidth(c.req.param('width'))
    if (!parsed || width === undefined) throw notFound()
    return serveFile(c, formatResizedName(parsed, width), async () => {
      const { readResized } = await import('./resize-picture.ts')
      return readResized(c.env, parsed, width, (work) => c.executionCtx.waitUntil(work))
    })
  })
