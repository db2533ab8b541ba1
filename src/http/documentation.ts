import { type Context, Hono } from 'hono'
import { ApiError } from '../errors.ts'
import { log } from '../lib/log.ts'
import type { Env } from './context.ts'

/** The documentation: where it is found, and the file that the build makes of it. */
const documentationFiles = {
  '/': '/index.html',
  '/docs': '/reference.html',
  '/docs/errors': '/errors.html',
  '/docs/look.css': '/look.css',
  '/docs/reference.js': '/reference.js',
  '/docs/start.js': '/start.js',
  '/event-types': '/event-types.json',
  '/llms.txt': '/llms.txt',
  '/openapi.json': '/openapi.json',
}

const basePolicy = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** Nothing but our own style sheet; where the reference is drawn, our own script, the styles that it makes, and requests to ourselves. */
const getPolicy = (file: string) =>
  file === documentationFiles['/docs']
    ? `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; ${basePolicy}`
    : `default-src 'none'; style-src 'self'; img-src data:; ${basePolicy}`

/** A file as it is, or as it still is for whoever has read it. */
async function readFile(c: Context<Env>, file: string): Promise<Response> {
  const known = c.req.header('if-none-match')
  try {
    const answer = await c.env.ASSETS.fetch(
      new URL(file, c.req.url),
      known ? { headers: { 'if-none-match': known } } : {},
    )
    if (answer.ok || answer.status === 304) return answer
    throw new Error(`${file} was answered ${answer.status}`)
  } catch (error) {
    log(c.env, 'documentation not read', { error: String(error) })
    throw new ApiError('unavailable', 'The documentation cannot be read just now. Try again.', [], {
      'retry-after': '1',
    })
  }
}

/** What anyone may read of the service: made at build time, so that it weighs nothing here. */
export const documentationRoutes = new Hono<Env>()
for (const [path, file] of Object.entries(documentationFiles)) {
  documentationRoutes.get(path, async (c) => {
    const { status, body, headers: found } = await readFile(c, file)
    const headers = new Headers(found)
    headers.set('cache-control', 'public, max-age=300')
    if (file.endsWith('.html')) headers.set('content-security-policy', getPolicy(file))
    return new Response(body, { status, headers })
  })
}
