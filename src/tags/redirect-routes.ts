import { type Context, Hono } from 'hono'
import { verifyHmac } from '../auth/hmac.ts'
import { merchantDatabase } from '../db/database.ts'
import type { Bindings } from '../env.ts'
import { ApiError, notFound } from '../errors.ts'
import type { Env } from '../http/context.ts'
import { createCommonHeaders } from '../http/headers.ts'
import { countMiss, createRateLimitError, isLimited, isOneMissTooMany } from '../http/rate-limit.ts'
import { createId } from '../lib/ids.ts'
import { log } from '../lib/log.ts'
import { parseTagNames, trimmed } from '../lib/tag-code.ts'
import type { Channel } from '../messages.ts'
import { deletedPage, limitedPage, unavailablePage, unknownPage } from '../pages/error-pages.ts'
import type { RequireTag } from '../qr/qr-routes.ts'
import { createSession } from '../resource/session.ts'
import { createStore, type StoreDependencies } from '../resource/store.ts'
import { tags, toNfcSignedText } from '../resources/tags.ts'
import { getCachedTag, type Resolved } from './isolate-cache.ts'
import { restoreTag, writeTagChange } from './kv-sync.ts'
import { isGuest, recordScan } from './record-scan.ts'
import { getForwardedParams, withQueryParams } from './redirect-url.ts'
import { resolve } from './resolve.ts'
import type { TagRecord } from './tag-record.ts'

/** The redirect itself. A phone must ask again every time: where a tag leads may change, and then it must not be stuck. */
function redirect(url: string, { tag, target }: Resolved, headers: Readonly<Record<string, string>> = {}): Response {
  const [, query = ''] = /\?([^#]*)/.exec(url) ?? []
  const location = withQueryParams(target ?? `/m/${tag.merchantId}?tag=${tag.id}`, getForwardedParams(query))
  return new Response(null, {
    status: 302,
    headers: { ...headers, location, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' },
  })
}

// A printed symbol holds the address in capitals, which is how it is told from a link.
const channels: Readonly<Record<string, Channel>> = { t: 'link', T: 'qr' }
const scanUrl = /^https?:\/\/[^/]+\/([tT])\/([\w-]{1,64})(?:\?|$)/

/** The headers of a known tag's redirect, as they were told first: made of texts, they cost as much as all else together. */
const headerCache = new WeakMap<Resolved, { isSecure: boolean; headers: Headers }>()

/** The redirect of a tag whose scan asks for nothing more: the same each time, but for the request's id. */
function repeatRedirect(url: string, known: Resolved, requestId: string): Response {
  const isSecure = url.startsWith('https:')
  const before = headerCache.get(known)
  if (before?.isSecure !== isSecure) {
    const response = redirect(url, known, createCommonHeaders(url, requestId, 302))
    headerCache.set(known, { isSecure, headers: new Headers(response.headers) })
    return response
  }
  // Set before they are copied: an object for the answer's own headers would cost more than the answer.
  before.headers.set('request-id', requestId)
  return new Response(null, { status: 302, headers: before.headers })
}

/** Answers the scan of a tag that the isolate knows, which is most of what guests ask, before anything else is set up. */
export function redirectKnownTag(request: Request, env: Bindings, context: ExecutionContext): Response | undefined {
  const { method, url } = request
  const [, area = '', name = ''] = scanUrl.exec(url) ?? []
  const channel = channels[area]
  if (channel === undefined || method !== 'GET') return undefined
  const known = getCachedTag(parseTagNames(name), Date.now())
  if (known === undefined || known === 'unknown' || known.tag.gone) return undefined
  const requestId = createId('req')
  if (isGuest(request)) context.waitUntil(recordScan(env, known, channel, requestId))
  return url.includes('?')
    ? redirect(url, known, createCommonHeaders(url, requestId, 302))
    : repeatRedirect(url, known, requestId)
}

/** `came` tells, behind the redirect, which way the guest came. */
async function createScanResponse(c: Context<Env>, came: (resolved: Resolved) => Promise<Channel>): Promise<Response> {
  const later = (work: Promise<unknown>) => c.executionCtx.waitUntil(work)
  const refresh = (tag: TagRecord, names: readonly string[]) => later(restoreTag(c.env, tag, names))
  const resolved = await resolve(c.env, c.req.param('name') ?? '', refresh, isLimited(c))
  if (resolved === 'unavailable') return unavailablePage(c)
  if (resolved === 'limited') return limitedPage(c)
  if (resolved === 'unknown') return (await isOneMissTooMany(c)) ? limitedPage(c) : unknownPage(c)
  if (resolved.tag.gone) return deletedPage(c)
  if (c.req.method === 'GET' && isGuest(c.req.raw))
    later(came(resolved).then((channel) => recordScan(c.env, resolved, channel, c.var.requestId)))
  return redirect(c.req.url, resolved)
}

/** What a phone meets that has read a tag: `/t/…` from its symbol or a link, `/n/…` from its chip. */
export function createRedirectRoutes(dependencies: StoreDependencies) {
  const store = createStore(tags, dependencies)

  /** The signature is right only if the chip was read: nothing else can have told it. The first tap sets `nfc`, once. */
  async function recordTap(c: Context<Env>, { tag }: Resolved, signature: string): Promise<Channel> {
    const { env } = c
    const { merchantId } = tag
    let channel: Channel = 'link'
    try {
      if (!(await verifyHmac(env, toNfcSignedText(tag.code), signature))) return channel
      channel = 'nfc'
      if (tag.nfc) return channel
      c.set('scope', { merchantId, testMode: false })
      c.set('database', merchantDatabase(env, merchantId))
      const { item, version } = await store.update(createSession(c), tag.id, { patch: { nfc: true }, issues: [] })
      await writeTagChange(env, merchantId, { item, version, deleted: false })
    } catch (error) {
      log(env, 'tap not recorded', { tag: tag.id, error: String(error) })
    }
    return channel
  }

  const scannedAs = (channel: Channel) => (c: Context<Env>) => createScanResponse(c, async () => channel)
  const tapped = (c: Context<Env>) =>
    createScanResponse(c, (resolved) => recordTap(c, resolved, trimmed(c.req.param('signature') ?? '')))
  return new Hono<Env>()
    .get('/t/:name', scannedAs('link'))
    .get('/T/:name', scannedAs('qr'))
    .get('/n/:name/:signature', tapped)
    .get('/N/:name/:signature', tapped)
}

/** The printed code of a tag, by any of its names; fails as pictures do: with a problem. */
export const requireTag: RequireTag = async (c, name) => {
  const refresh = (tag: TagRecord, names: readonly string[]) => c.executionCtx.waitUntil(restoreTag(c.env, tag, names))
  const found = await resolve(c.env, name, refresh, isLimited(c))
  if (found === 'unavailable') {
    throw new ApiError('unavailable', 'Where the tag leads cannot be read just now.', [], { 'retry-after': '5' })
  }
  if (found === 'limited') throw createRateLimitError('MISSES')
  if (found === 'unknown') throw await countMiss(c, notFound())
  if (found.tag.gone) throw new ApiError('gone', 'This tag was deleted.')
  return found.tag.code
}
