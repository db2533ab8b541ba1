import type { Context } from 'hono'
import { merchantDatabase } from '../../platform/db/home/merchant-connection.ts'
import { merchantSuspended, UnavailableError } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { createEtag, isNotModified } from '../../platform/http/etag.ts'
import { isLimited, isLocal, isOneMissTooMany } from '../../platform/http/rate-limit.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { restoreTagLater } from '../tags/observe-tags.ts'
import { getRedirectUrl } from '../tags/redirect-url.ts'
import { isKnownMerchant, resolveScan } from '../tags/resolve.ts'
import type { TagRecord } from '../tags/tag-record.ts'
import { bypassCache, type CacheableResponse, readThroughCache } from './cache.ts'
import { type Catalogue, readCatalogue } from './catalogue/catalogue.ts'
import { isFiltering } from './food.ts'
import { findCatalogue, getExpiryMs, resolveWanted } from './isolate-cache.ts'
import type { MenuRequest } from './menu-request.ts'
import { toPublicMenu } from './open-menus.ts'
import type { PublicMenu } from './public-menu.ts'

/** Address of the ordering system for a scanned tag. Without a tag, it is unknown which table orders. */
const toOrderUrl = ({ orderingUrl, sandboxUrl, venue: { timezone } }: Catalogue, tag: TagRecord | undefined) =>
  tag && getRedirectUrl({ ...tag, url: undefined }, { version: 0, timezone, orderingUrl, sandboxUrl })

/** Thrown if the rate limit forbids the request to read D1. */
export class LimitedError extends Error {}

/** The scanned tag, if it belongs to this merchant. An unknown tag counts as a miss. */
async function findTag(c: Context<Env>, { merchantId, tagName }: MenuRequest): Promise<TagRecord | undefined> {
  if (tagName === undefined) return undefined
  const restore = (tag: TagRecord, names: readonly string[]) =>
    c.executionCtx.waitUntil(restoreTagLater(c.env, tag, names))
  const found = await resolveScan(c.env, tagName, restore, isLimited(c))
  if (found === 'unavailable') throw new UnavailableError('the tag cannot be read')
  if (found === 'unknown') await isOneMissTooMany(c)
  if (found === 'unknown' || found === 'limited') return undefined
  const { tag } = found
  return tag.gone || tag.merchantId !== merchantId ? undefined : tag
}

/**
 * The menu of a venue, and when its catalogue expires. Undefined if the venue does not exist, which counts as a miss. Throws `merchant_suspended`.
 */
async function findMenu(c: Context<Env>, { merchantId, at, wanted, preview }: MenuRequest, tag: TagRecord | undefined) {
  const key = { merchantId, testMode: preview?.testMode ?? tag?.testMode ?? false }
  const later = (work: Promise<unknown>) => c.executionCtx.waitUntil(work)
  /** Known venues may be read. Each read for a time other than now counts as a miss. */
  const mayRead = async (isCached: boolean) => {
    if (at !== undefined) return !(await isOneMissTooMany(c))
    return isCached || !isLimited(c) || (await isKnownMerchant(c.env, merchantId))
  }
  const readNow = () => {
    const database = preview?.database ?? merchantDatabase(c.env, { merchantId, home: undefined })
    if (preview) database.usePrimary()
    return readCatalogue(database, { ...key, wanted })
  }
  const catalogue =
    preview || isLocal(c.env)
      ? await readNow()
      : await findCatalogue(c.env, key, wanted, later, at === undefined ? 'now' : 'at', mayRead)
  if (catalogue === 'limited' || (!catalogue && (await isOneMissTooMany(c)))) throw new LimitedError()
  if (catalogue?.suspended) throw merchantSuspended()
  if (!catalogue) return undefined
  const menu = toPublicMenu(catalogue, tag, at ?? nowInSeconds())
  const orderUrl = toOrderUrl(catalogue, tag)
  if (preview?.menu === undefined) return { untilMs: getExpiryMs(catalogue), menu, orderUrl }
  const isShown = ({ id }: { id: string }) => id === preview.menu
  const only = { ...menu, menus: menu.menus.filter(isShown), closedMenus: menu.closedMenus.filter(isShown) }
  return { untilMs: getExpiryMs(catalogue), menu: only, orderUrl }
}

/** How responses are cached. */
interface CacheRules {
  /** Further values that a response depends on, besides merchant, tag and language. */
  key: readonly string[]
  /**
   * Rendering is expensive. Responses to filters are cached too, and rendering one for a filter or a time counts as a miss. This limits repeated
   * rendering with different parameters.
   */
  isCostly?: boolean
  /** Completes a response for this guest, behind the cache. */
  fill?: (response: Response) => Promise<Response>
}

/** Contents of a response besides the menu. */
interface ResponseContext {
  /** The request, without a tag of another merchant. The response may be cached for guests without a tag. */
  request: MenuRequest
  /** Address of the ordering system for the scanned tag; undefined without one. */
  orderUrl: string | undefined
}

/** Responds with a rendered menu, or `304`. Responses for the current time that start at the first position are cached. */
export async function createMenuResponse(
  c: Context<Env>,
  request: MenuRequest,
  { key: cacheKey, isCostly = false, fill }: CacheRules,
  render: (menu: PublicMenu | undefined, context: ResponseContext) => Response | Promise<Response>,
): Promise<Response> {
  const { merchantId, at, from, filter, preview } = request
  const tag = await findTag(c, request)
  const wanted = resolveWanted({ merchantId, testMode: preview?.testMode ?? tag?.testMode ?? false }, request.wanted)
  const create = async (): Promise<CacheableResponse> => {
    if (isCostly && !preview && (at !== undefined || isFiltering(filter)) && (await isOneMissTooMany(c)))
      throw new LimitedError()
    const found = await findMenu(c, { ...request, wanted }, tag)
    const changesAt = (at === undefined && found?.menu.nextChangeAt) || Number.POSITIVE_INFINITY
    const response = await render(found?.menu, {
      request: { ...request, tagName: tag && request.tagName },
      orderUrl: found?.orderUrl,
    })
    if (response.ok) response.headers.set('etag', await createEtag(await response.clone().arrayBuffer()))
    return { response, untilMs: Math.min(found?.untilMs ?? 0, changesAt * 1000) }
  }
  const later = (work: Promise<unknown>) => c.executionCtx.waitUntil(work)
  const ofFilter = isFiltering(filter) ? [filter.diets.join(), filter.without.join()] : []
  const key = [...cacheKey, merchantId, tag ? `${tag.id}.${tag.version}` : '', wanted.candidates.join(), ...ofFilter]
  const isPartial = from > 0 || (isFiltering(filter) && !isCostly)
  const found = await (at !== undefined || preview || isPartial || isLocal(c.env)
    ? bypassCache(create)
    : readThroughCache(new URL(c.req.url).origin, key, create, later, c.env))
  const response = fill && !preview ? await fill(found) : found
  const { headers } = response
  if (preview) {
    headers.set('cache-control', 'no-store')
    headers.set('x-robots-tag', 'noindex')
  }
  return isNotModified(headers.get('etag') ?? '', c.req.raw) && response.ok
    ? new Response(null, { status: 304, headers })
    : response
}
