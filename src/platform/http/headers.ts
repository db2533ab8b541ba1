import type { Context, MiddlewareHandler, TypedResponse } from 'hono'
import type { JSONParsed } from 'hono/utils/types'
import type { Bindings } from '../env.ts'
import { daySeconds } from '../lib/day.ts'
import { createId } from '../lib/ids.ts'
import type { Env } from './context.ts'

/** Default headers for browsers and caches: responses are not stored and send no referrer. */
export const defaultHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
} as const

/** Prevents framing and MIME sniffing. Redirects do not have it: they have no body, and each header slows a scan measurably. */
export const contentHeaders = {
  'content-security-policy': "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
} as const

/** Date of the contract, the OpenAPI document, that a response follows: that of the last version with breaking changes. A release writes it. */
export const apiVersion = '2026-11-28'

const versionHeaders = { 'api-version': apiVersion } as const

/**
 * Lets pages of every origin call the API with a key (Fetch Standard). Credentials are never allowed, so browsers send no cookies. `/admin` and the
 * sign-in of the console are not included.
 */
const corsHeaders = {
  ...versionHeaders,
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Link, ETag, Location, Request-Id, D1-Bookmark, Retry-After, External-Id, Idempotent-Replayed, Search-Match, Tags-Omitted, API-Version',
} as const

const apiUrl = /^https?:\/\/[^/]+\/merchants\//
/** Data for programs outside the API of a merchant: the operator's API, event types, data of menus and public keys. */
const dataUrl = /^https?:\/\/[^/]+\/(?:admin\/|event-types|m\/[^/?]+\.json|\.well-known\/)/

/** Whether a URL is of a route that takes a merchant's key. */
const isApiUrl = (url: string) => apiUrl.test(url)

/** Whether responses to requests for a URL have the date of the contract. */
export const hasApiVersion = (url: string) => isApiUrl(url) || dataUrl.test(url)

/** Lifetime of HSTS: one year, in seconds. */
const strictTransport = 'max-age=31536000'

const pageHeaders = { ...defaultHeaders, ...contentHeaders }
const apiHeaders = { ...pageHeaders, ...corsHeaders }

/** The headers that all responses with this status to requests for this kind of URL have. Joined once, not for each request. */
function getFixedHeaders(url: string, status: number): Readonly<Record<string, string>> {
  if (isApiUrl(url)) return status === 302 ? defaultHeaders : apiHeaders
  const headers = status === 302 ? defaultHeaders : pageHeaders
  return dataUrl.test(url) ? { ...headers, ...versionHeaders } : headers
}

/** Default headers of a response. */
export const createCommonHeaders = (
  url: string,
  requestId: string,
  status: number,
): Readonly<Record<string, string>> => ({
  ...getFixedHeaders(url, status),
  'request-id': requestId,
  ...(url.startsWith('https:') ? { 'strict-transport-security': strictTransport } : {}),
})

/** Number of responses with status 503 of this isolate, and the time of its first request in milliseconds. */
export const unavailableCount = { responses: 0, sinceMs: 0 }

/** Counts a response. */
function countResponse(status: number): void {
  unavailableCount.sinceMs ||= Date.now()
  if (status === 503) unavailableCount.responses++
}

/**
 * Returns a JSON text as the response, with all headers of the service. Headers in a plain object are much cheaper than headers that are set one by
 * one. A response that an `Idempotency-Key` stores has only its own headers: a repeated request has another request id.
 */
export function jsonResponse<Body extends object, Status extends 200 | 201 | 202 = 200>(
  c: Context<Env>,
  json: string,
  headers?: Readonly<Record<string, string>>,
  status?: Status,
): Response & TypedResponse<JSONParsed<Body>, Status, 'json'>
export function jsonResponse(
  c: Context<Env>,
  json: string,
  headers?: Readonly<Record<string, string>>,
  status = 200,
): Response {
  const own = { 'content-type': 'application/json', ...headers }
  if (c.get('idempotency')) return new Response(json, { status, headers: own })
  const { bookmark } = c.get('database')
  const common = createCommonHeaders(c.req.url, c.get('requestId'), status)
  const response = new Response(json, {
    status,
    headers: { ...common, ...(bookmark && { 'd1-bookmark': bookmark }), ...own },
  })
  c.set('complete', response)
  return response
}

function addMissingHeaders({ headers }: Response, common: readonly [string, string][]) {
  for (const [name, value] of common) if (!headers.has(name)) headers.set(name, value)
}

/** Middleware that sets the request id and the common headers of every response, including errors. */
export const responseHeaders: MiddlewareHandler<Env> = async (c, next) => {
  const requestId = createId('req')
  c.set('requestId', requestId)
  // Inherits the bindings, because copying all of them is measurably slow.
  const env: Bindings = Object.create(c.env)
  env.REQUEST_ID = requestId
  c.env = env
  await next()
  if (c.res.status === 404 && c.req.header('accept')?.includes('text/html')) {
    const { showNotFoundPage } = await import('./documentation.ts')
    await showNotFoundPage(c)
  }
  countResponse(c.res.status)
  if (c.res === c.get('complete')) return
  const common = Object.entries(createCommonHeaders(c.req.url, requestId, c.res.status))
  try {
    addMissingHeaders(c.res, common)
  } catch {
    // The headers of a cached response are immutable.
    const response = new Response(c.res.body, c.res)
    addMissingHeaders(response, common)
    c.res = undefined
    c.res = response
  }
}

/** Seconds for which a browser keeps the response to a preflight. Browsers have lower limits of their own. */
const preflightMaxAge = daySeconds

/** Handles preflight requests, which browsers send without a key. `X-Requested-With` is not allowed: it belongs to pages of the service. */
export const preflight: MiddlewareHandler<Env> = (c, next) =>
  c.req.method === 'OPTIONS' && c.req.header('access-control-request-method') !== undefined
    ? Promise.resolve(
        c.body(null, 204, {
          'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
          'access-control-allow-headers':
            'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, D1-Bookmark, Change-Set',
          'access-control-max-age': String(preflightMaxAge),
        }),
      )
    : next()
