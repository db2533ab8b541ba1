import { type Handler, Hono } from 'hono'
import type { Env } from '../../platform/http/context.ts'
import { readAsset } from '../../platform/http/documentation.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "font-src 'self'",
  // Pictures of products can have any address.
  "img-src 'self' https: data: blob:",
  "frame-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const serveConsole: Handler<Env> = async (c) => {
  const [, file] = /^\/console\/([\w-]+\.(?:js|css|json))$/.exec(c.req.path) ?? []
  const { status, body, headers: found } = await readAsset(c, `/console/${file ?? 'index.html'}`, file !== undefined)
  const headers = new Headers(found)
  headers.set('cache-control', file === undefined ? 'no-cache' : 'public, max-age=31536000, immutable')
  if (file === undefined) headers.set('content-security-policy', policy)
  return new Response(body, { status, headers })
}

/** The console: files of the build whose names change with their content, and one page for all other paths. */
export const consoleRoutes = new Hono<Env>()
  .get('/', serveConsole)
  .get('/:screen', serveConsole)
  .get('/:screen/:object', serveConsole)
