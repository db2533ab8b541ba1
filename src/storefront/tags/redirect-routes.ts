import { type Context, Hono } from 'hono'
import { createCaller } from '../../catalogue/resource/caller.ts'
import { createStore } from '../../catalogue/resource/store/store.ts'
import { updateObject } from '../../catalogue/resource/store/update.ts'
import { tags, toNfcSignedText } from '../../catalogue/resources/tags.ts'
import { verifyHmac } from '../../platform/auth/hmac.ts'
import { merchantDatabase } from '../../platform/db/home/merchant-connection.ts'
import type { Bindings } from '../../platform/env.ts'
import { ApiError, notFound } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { createCommonHeaders } from '../../platform/http/headers.ts'
import { countMiss, createRateLimitError, isLimited, isOneMissTooMany } from '../../platform/http/rate-limit.ts'
import { createId } from '../../platform/lib/ids.ts'
import { log } from '../../platform/lib/log.ts'
import { parseTagNames, trimmed } from '../../platform/lib/tag-code.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import type { Channel } from '../../platform/messages.ts'
import type { RequireTag } from '../qr/qr-routes.ts'
import { getCachedTag, hasSeat, type Resolved } from './isolate-cache.ts'
import { restoreTagLater } from './observe-tags.ts'
import { getForwardedParams, withQueryParams } from './redirect-url.ts'
import { resolveScan } from './resolve.ts'
import { isGuest, recordScan } from './scans/record-scan.ts'
import type { TagRecord } from './tag-record.ts'

/** The redirect of a scan. It is not cacheable, because the target of a tag may change. */
function redirect(
  url: string,
  { tag, target }: Resolved,
  headers: Readonly<Record<string, string>> = {},
  seat?: string,
): Response {
  const [, query = ''] = /\?([^#]*)/.exec(url) ?? []
  const menu = `/m/${tag.merchantId}?tag=${tag.id}${seat === undefined ? '' : `&seat=${seat}`}`
  const location = withQueryParams(target ?? menu, getForwardedParams(query))
  return new Response(null, {
    status: 302,
    headers: { ...headers, location, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' },
  })
}

// A printed symbol contains the URL in capitals, which distinguishes it from a link.
const channels: Readonly<Record<string, Channel>> = { t: 'link', T: 'qr' }
const scanUrl = /^https?:\/\/[^/]+\/([tT])\/([\w-]{1,64})(?:\?|$)/

/** Headers of cached tags' redirects. Building them from strings costs as much as the rest of the request. */
const headerCache = new WeakMap<Resolved, { isSecure: boolean; headers: Headers }>()

/** The redirect of a cached tag for a URL without a query: equal each time, except for the request id. */
function repeatRedirect(url: string, resolved: Resolved, requestId: string): Response {
  const isSecure = url.startsWith('https:')
  const cached = headerCache.get(resolved)
  if (cached?.isSecure !== isSecure) {
    const response = redirect(url, resolved, createCommonHeaders(url, requestId, 302))
    headerCache.set(resolved, { isSecure, headers: new Headers(response.headers) })
    return response
  }
  // Set before `Response` copies the headers: a second Headers object costs more than the response.
  cached.headers.set('request-id', requestId)
  return new Response(null, { status: 302, headers: cached.headers })
}

/** The seat of a scan. Undefined if it cannot be made: the scan opens the menu without it. Its code belongs to the menu, which is requested next. */
async function createSeat(env: Bindings, { tag }: Resolved, channel: Channel): Promise<string | undefined> {
  try {
    const { signSeat } = await import('./calls/seat.ts')
    return await signSeat(env, tag.id, channel)
  } catch (error) {
    log(env, 'seat not signed', { tag: tag.id, error: String(error) })
    return undefined
  }
}

/** Redirects the scan of a cached tag before the router runs: most requests of guests are such scans. */
export function redirectKnownTag(
  request: Request,
  env: Bindings,
  context: ExecutionContext,
): Response | Promise<Response> | undefined {
  const { method, url } = request
  const [, area = '', name = ''] = scanUrl.exec(url) ?? []
  const channel = channels[area]
  if (channel === undefined || method !== 'GET') return undefined
  const cached = getCachedTag(parseTagNames(name), Date.now())
  if (cached === undefined || cached === 'unknown' || cached.tag.gone || cached.venue.suspended) return undefined
  // Rules are loaded later, and depend on the request.
  if (cached.tag.rules) return undefined
  const requestId = createId('req')
  if (isGuest(request)) context.waitUntil(recordScan(env, cached, channel, requestId))
  if (hasSeat(cached)) {
    const headers = createCommonHeaders(url, requestId, 302)
    return createSeat(env, cached, channel).then((seat) => redirect(url, cached, headers, seat))
  }
  return url.includes('?')
    ? redirect(url, cached, createCommonHeaders(url, requestId, 302))
    : repeatRedirect(url, cached, requestId)
}

/** Whether the tag is deleted, or will be deleted with its merchant. */
const isDeleted = ({ tag, venue: { deletesAt = Number.POSITIVE_INFINITY } }: Resolved) =>
  tag.gone || deletesAt * 1000 <= Date.now()

/** The redirect by the rules of the tag. If they cannot be applied, it is the one without rules. */
async function applyRules(c: Context<Env>, resolved: Resolved): Promise<Resolved> {
  if (!resolved.tag.rules) return resolved
  try {
    const { chooseTarget } = await import('./destination-rules.ts')
    const guest = { lang: c.req.query('lang'), acceptLanguage: c.req.header('accept-language') }
    return { ...resolved, target: chooseTarget(resolved, guest, nowInSeconds()) }
  } catch (error) {
    log(c.env, 'rules of a tag not applied', { tag: resolved.tag.id, error: String(error) })
    return resolved
  }
}

/** The page with the reason why a scan cannot be redirected. */
async function createErrorPage(c: Context<Env>, reason: keyof typeof errorPages): Promise<Response> {
  return (await import('../pages/error-pages.ts'))[errorPages[reason]](c)
}
const errorPages = {
  unavailable: 'unavailablePage',
  limited: 'limitedPage',
  unknown: 'unknownCodePage',
  deleted: 'deletedPage',
  suspended: 'suspendedPage',
} as const

/**
 * Redirects a scan, or returns a page with the reason why it cannot. `getChannel` runs after the redirect; `getSeatChannel` before it, for tags with
 * seats.
 */
async function createScanResponse(
  c: Context<Env>,
  getChannel: (resolved: Resolved) => Promise<Channel>,
  getSeatChannel = getChannel,
): Promise<Response> {
  const later = (work: Promise<unknown>) => c.executionCtx.waitUntil(work)
  const restore = (tag: TagRecord, names: readonly string[]) => later(restoreTagLater(c.env, tag, names))
  const resolved = await resolveScan(c.env, c.req.param('name') ?? '', restore, isLimited(c))
  if (typeof resolved === 'string') {
    const isLimitedNow = resolved === 'limited' || (resolved === 'unknown' && (await isOneMissTooMany(c)))
    return createErrorPage(c, isLimitedNow ? 'limited' : resolved)
  }
  if (isDeleted(resolved)) return createErrorPage(c, 'deleted')
  if (resolved.venue.suspended) return createErrorPage(c, 'suspended')
  if (c.req.method === 'GET' && isGuest(c.req.raw))
    later(getChannel(resolved).then((channel) => recordScan(c.env, resolved, channel, c.var.requestId)))
  const chosen = await applyRules(c, resolved)
  const seat = hasSeat(chosen) ? await createSeat(c.env, chosen, await getSeatChannel(chosen)) : undefined
  return redirect(c.req.url, chosen, {}, seat)
}

const store = createStore(tags)

/** Returns the channel of a tap. Only the chip contains the signature. The first valid tap sets `nfc`. */
async function recordTap(c: Context<Env>, { tag }: Resolved, signature: string): Promise<Channel> {
  const { env } = c
  const { merchantId } = tag
  let channel: Channel = 'link'
  try {
    if (!(await verifyHmac(env, toNfcSignedText(tag.code), signature))) return channel
    channel = 'nfc'
    if (tag.nfc) return channel
    c.set('scope', { merchantId, testMode: false })
    c.set('database', merchantDatabase(env, { merchantId, home: undefined }))
    const { item, version } = await updateObject(store, createCaller(c), {
      id: tag.id,
      body: { patch: { nfc: true }, issues: [] },
    })
    const { writeTagChanges } = await import('./kv-sync.ts')
    await writeTagChanges(env, c.executionCtx, merchantId, [{ item, version, deleted: false }])
  } catch (error) {
    log(env, 'tap not recorded', { tag: tag.id, error: String(error) })
  }
  return channel
}

const handleScan = (channel: Channel) => (c: Context<Env>) => createScanResponse(c, async () => channel)

/** The channel of the seat of a tap. Changes nothing. */
const readTap = async (c: Context<Env>, { tag }: Resolved, signature: string): Promise<Channel> =>
  (await verifyHmac(c.env, toNfcSignedText(tag.code), signature).catch(() => false)) ? 'nfc' : 'link'

function handleTap(c: Context<Env>): Promise<Response> {
  const signature = trimmed(c.req.param('signature') ?? '')
  return createScanResponse(
    c,
    (resolved) => recordTap(c, resolved, signature),
    (resolved) => readTap(c, resolved, signature),
  )
}

/** Routes of scanned tags: `/t/…` from the QR code or a link, `/n/…` from the NFC chip. */
export const redirectRoutes = new Hono<Env>()
  .get('/t/:name', handleScan('link'))
  .get('/T/:name', handleScan('qr'))
  .get('/n/:name/:signature', handleTap)
  .get('/N/:name/:signature', handleTap)

/** Returns the printed code of a tag by its id, its code or an alias. Throws a problem if the tag does not exist. */
export const requireTag: RequireTag = async (c, name) => {
  const restore = (tag: TagRecord, names: readonly string[]) =>
    c.executionCtx.waitUntil(restoreTagLater(c.env, tag, names))
  const found = await resolveScan(c.env, name, restore, isLimited(c))
  if (found === 'unavailable') {
    throw new ApiError('unavailable', 'The tag cannot be read at the moment.', [], { 'retry-after': '5' })
  }
  if (found === 'limited') throw createRateLimitError('MISSES')
  if (found === 'unknown') throw await countMiss(c, notFound())
  if (isDeleted(found)) throw new ApiError('gone', 'This tag was deleted.')
  return found.tag.code
}
