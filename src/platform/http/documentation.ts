import { type Context, Hono } from 'hono'
import { ApiError, notFound } from '../errors.ts'
import { log } from '../lib/log.ts'
import type { Env } from './context.ts'

/** Names of the demo venue's pictures. The service itself serves them, so that the demo needs no other host. */
export const demoPictureNames = [
  'flat-white',
  'acai-bowl',
  'avocado-toast',
  'pastel-de-nata',
  'creme-brulee',
  'otter-burger',
  'espresso-martini',
  'banner',
] as const
export type DemoPicture = (typeof demoPictureNames)[number]

/** Paths of the documentation and the files that the build generates. */
const documentationFiles = {
  '/': '/index.html',
  '/docs': '/reference.html',
  '/docs/try': '/try.html',
  '/docs/guides': '/guides.html',
  '/docs/errors': '/errors.html',
  '/docs/look.css': '/look.css',
  '/docs/reference.js': '/reference.js',
  '/docs/search.js': '/search.js',
  '/docs/sections.js': '/sections.js',
  '/docs/start.js': '/start.js',
  '/event-types': '/event-types.json',
  '/llms.txt': '/llms.txt',
  '/openapi.json': '/openapi.json',
  '/plate.png': '/plate.png',
  '/icon-192.png': '/icon-192.png',
  '/icon-512.png': '/icon-512.png',
  '/robots.txt': '/robots.txt',
  ...Object.fromEntries(demoPictureNames.map((name) => [`/demo/${name}.svg`, `/demo-${name}.svg`])),
}

const basePolicy = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/**
 * Allows our style sheet, pictures and the script that searches, which reads its index. The page for trying requests also needs inline styles.
 */
const getPolicy = (file: string) =>
  file === documentationFiles['/docs/try']
    ? `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; connect-src 'self'; ${basePolicy}`
    : `default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; ${basePolicy}`

/** Returns a static asset, or `304` if the client has the current version. An asset that may be missing is then `not_found`. */
export async function readAsset(c: Context<Env>, file: string, mayBeMissing = false): Promise<Response> {
  const known = c.req.header('if-none-match')
  try {
    const response = await c.env.ASSETS.fetch(
      new URL(file, c.req.url),
      known ? { headers: { 'if-none-match': known } } : {},
    )
    if (response.ok || response.status === 304) return response
    if (response.status === 404 && mayBeMissing) throw notFound()
    throw new Error(`Status ${response.status} for ${file}`)
  } catch (error) {
    if (error instanceof ApiError) throw error
    log(c.env, 'documentation not read', { error: String(error) })
    throw new ApiError('unavailable', 'The page cannot be read just now. Try again.', [], {
      'retry-after': '1',
    })
  }
}

/** Responds with a file of the documentation. */
async function serveFile(c: Context<Env>, file: string, mayBeMissing = false): Promise<Response> {
  const { status, body, headers: found } = await readAsset(c, file, mayBeMissing)
  const headers = new Headers(found)
  headers.set('cache-control', 'public, max-age=300')
  if (file.endsWith('.html')) headers.set('content-security-policy', getPolicy(file))
  return new Response(body, { status, headers })
}

/** Whether a client names HTML among what it accepts, as browsers do and a wildcard does not (RFC 9110, 12.5.1). */
const acceptsHtml = (accept: string): boolean =>
  accept.split(',').some((range) => /^\s*text\/html\s*(?:;|$)/i.test(range) && !/;\s*q=0(?:\.0*)?\s*$/i.test(range))

const apiPath = /^\/(?:merchants|admin|mcp)(?:\/|$)/

/** Replaces the problem of an unknown path by a page with links, if a browser asks. Paths of the API and all other clients keep the problem. */
export async function showNotFoundPage(c: Context<Env>): Promise<void> {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
  const isProblem = c.res.headers.get('content-type') === 'application/problem+json'
  if (!isRead || !isProblem || apiPath.test(c.req.path) || !acceptsHtml(c.req.header('accept') ?? '')) return
  const page = await c.env.ASSETS.fetch(new URL('/not-found.html', c.req.url)).catch(() => undefined)
  if (!page?.ok) return
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': getPolicy('/not-found.html'),
    'x-robots-tag': 'noindex',
    vary: 'Accept',
  }
  c.res = undefined
  c.res = new Response(page.body, { status: 404, headers })
}

/** Serves the public documentation. The build generates it, so that it does not count towards the size of the Worker. */
export const documentationRoutes = new Hono<Env>()
for (const [path, file] of Object.entries(documentationFiles)) {
  documentationRoutes.get(path, (c) => serveFile(c, file))
}
/** Fonts of pages. Their names change with their content. */
documentationRoutes.get('/fonts/:file', async (c) => {
  const name = c.req.param('file')
  if (!/^[a-z]+-[a-z]+-\d+\.woff2$/.test(name)) throw notFound()
  const { status, body, headers: found } = await readAsset(c, `/fonts/${name}`, true)
  const headers = new Headers(found)
  headers.set('content-type', 'font/woff2')
  headers.set('cache-control', 'public, max-age=31536000, immutable')
  return new Response(body, { status, headers })
})
documentationRoutes.get('/docs/guides/:guide', (c) => {
  const name = c.req.param('guide')
  if (!/^[a-z0-9-]+(?:\.(?:png|jpg))?$/.test(name)) throw notFound()
  return serveFile(c, `/guide-${name.includes('.') ? name : `${name}.html`}`, true)
})
