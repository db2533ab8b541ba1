import { type Context, Hono } from 'hono'
import type { Env } from '../../platform/http/context.ts'
import { readAsset } from '../../platform/http/documentation.ts'
import { readPublicUrl } from '../../platform/http/public-url.ts'
import { isLoopback } from '../../platform/lib/endpoint-url.ts'
import { getRequestedLanguage } from '../pages/error-pages.ts'
import { fallbackLanguage } from '../pages/messages.ts'

/** Responds with the page on which a guest types the code of a table. */
async function createCodePage(c: Context<Env>): Promise<Response> {
  const { createCodePagePolicy, toCodeFile } = await import('../pages/code-page.ts')
  const {
    status,
    body,
    headers: found,
  } = await readAsset(c, `/${toCodeFile(getRequestedLanguage(c) ?? fallbackLanguage)}`)
  const headers = new Headers(found)
  headers.set('cache-control', 'public, max-age=300')
  headers.set('content-security-policy', await createCodePagePolicy())
  headers.set('vary', 'Accept-Language')
  return new Response(body, { status, headers })
}

/** Whether a request was sent to the domain of guests: the host of `PUBLIC_BASE_URL`, unless that is the developer's own machine. */
function isGuestDomain(c: Context<Env>): boolean {
  const { origin } = readPublicUrl(c.env)
  if (origin === undefined) return false
  const { host, hostname } = new URL(origin)
  return new URL(c.req.url).host === host && !isLoopback(hostname)
}

/** Typed codes: a form that leads to `/t/:code`. On the domain of guests, it is the front page. */
export const codeRoutes = new Hono<Env>()
  .get('/', (c, next) => (isGuestDomain(c) ? createCodePage(c) : next()))
  .get('/t', async (c) => {
    const code = c.req.query('code')?.trim() ?? ''
    return code === '' ? createCodePage(c) : c.redirect(`/t/${encodeURIComponent(code)}`)
  })
