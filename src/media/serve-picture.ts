import { Hono } from 'hono'
import { notFound, UnavailableError } from '../errors.ts'
import type { Env } from '../http/context.ts'
import { isNotModified } from '../http/etag.ts'
import { parsePictureName, picturePath, toObjectKey } from './picture-name.ts'

/** A picture never changes: its address holds a digest of its content. One year, in seconds. */
const cacheControl = 'public, max-age=31536000, immutable'

/** Serves the files of pictures, from the data centre's cache or R2. */
export const servedPictures = new Hono<Env>().get('/:name', async (c) => {
  const name = c.req.param('name')
  const parsed = parsePictureName(name)
  if (!parsed) throw notFound()
  const headers = {
    'cache-control': cacheControl,
    etag: `"${name}"`,
    // Other pages may show the pictures. Opened by itself, a picture runs nothing.
    'access-control-allow-origin': '*',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
  }
  if (isNotModified(headers.etag, c.req.raw)) return new Response(null, { status: 304, headers })
  const cacheUrl = new URL(`${picturePath}${name}`, c.req.url).href
  const cached = await caches.default.match(cacheUrl).catch(() => undefined)
  if (cached) return cached
  const object = await c.env.MEDIA.get(toObjectKey(parsed)).catch((error: unknown) => {
    throw new UnavailableError(`picture not read: ${error}`)
  })
  if (!object) throw notFound()
  const type = object.httpMetadata?.contentType ?? 'application/octet-stream'
  const response = new Response(object.body, { headers: { ...headers, 'content-type': type } })
  c.executionCtx.waitUntil(caches.default.put(cacheUrl, response.clone()).catch(() => undefined))
  return response
})
