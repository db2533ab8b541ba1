import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { merchantDatabase } from '../db/database.ts'
import { ApiError, notFound, UnavailableError } from '../errors.ts'
import type { Env } from '../http/context.ts'
import { createEtag, isNotModified } from '../http/etag.ts'
import { invalidParameter } from '../http/pagination.ts'
import { createRateLimitError, isLimited, isLocal, isOneMissTooMany } from '../http/rate-limit.ts'
import { log } from '../lib/log.ts'
import { parseTagNames } from '../lib/tag-code.ts'
import { invalidPage, limitedPage, unavailablePage, unknownPage } from '../pages/error-pages.ts'
import { parseLanguage } from '../pages/locale.ts'
import { chooseMessageLanguage } from '../pages/messages.ts'
import { createPageResponse } from '../pages/page.ts'
import { toTagLabel } from '../pages/tag-label.ts'
import { restoreTag } from '../tags/kv-sync.ts'
import { isKnownMerchant, resolve } from '../tags/resolve.ts'
import type { TagRecord } from '../tags/tag-record.ts'
import { bypassCache, type CacheableResponse, readThroughCache } from './cache.ts'
import { findCatalogue, freshUntilMs } from './isolate-cache.ts'
import { detectMenuLocale, renderMenuPage } from './menu-page.ts'
import { bytesOf, maxDataBytes, reservedBytes, takePart } from './menu-part.ts'
import {
  type OfferedModifier,
  offerAt,
  publicMenu as offerSchema,
  type PublicMenu,
  type PublicProduct,
  readCatalogue,
} from './public-menu.ts'

const nowInSeconds = () => Math.floor(Date.now() / 1000)

/** An offer as data: besides, how the venue writes, what the tag says for people, and where the rest begins. */
export const menuData = z.extend(offerSchema, {
  venue: z.extend(offerSchema.shape.venue, {
    language: z.optional(z.string()),
    direction: z.enum(['ltr', 'rtl']),
    locale: z.string(),
  }),
  tag: z.optional(z.extend(offerSchema.shape.tag.def.innerType, { label: z.string() })),
  nextFrom: z.optional(z.int()),
})

const merchantForm = /^mer_[0-9a-hjkmnp-tv-z]{26}$/
/** The last day of the year 9999: calendars that people use go on, but four digits do not. */
const lastMoment = 253_402_214_400

const momentParam = z.pipe(
  z.union([
    z.pipe(z.string().check(z.regex(/^\d{1,12}$/)), z.transform(Number)),
    z.pipe(
      z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })]),
      z.transform((time) => Math.floor(Date.parse(time) / 1000)),
    ),
  ]),
  z.number().check(z.minimum(0), z.maximum(lastMoment)),
)

/** The moment a request asks about; undefined where it names none, and `invalid` where it cannot be read. */
function parseMoment(c: Context): number | undefined | 'invalid' {
  const at = c.req.query('at')
  if (at === undefined) return undefined
  // A plus sign that was not encoded arrives as a blank.
  const read = momentParam.safeParse(at.replace(/ (?=\d\d:\d\d$)/, '+'))
  return read.success ? read.data : 'invalid'
}

/** More places than any menu has. */
const maxFrom = 999_999
/** The place that a request wants the menu from; `invalid` where it is none. */
function fromOf(c: Context): number | 'invalid' {
  const from = c.req.query('from')
  if (from === undefined) return 0
  return /^\d{1,6}$/.test(from) ? Math.min(Number(from), maxFrom) : 'invalid'
}

/** What a guest asks for: nothing else in a request has any influence on the answer. */
interface MenuRequest {
  merchantId: string
  tagName: string | undefined
  /** Absent: now. */
  at: number | undefined
  from: number
}

function parseRequest(c: Context, merchantId: string, at: number | undefined, from: number): MenuRequest {
  const tagName = c.req.query('tag')
  const isName = tagName !== undefined && parseTagNames(tagName).length > 0
  return { merchantId, tagName: isName ? tagName : undefined, at, from }
}

/** The tag that a guest has scanned, as long as it is this merchant's. One that nobody knows counts as a miss. */
async function tagOf(c: Context<Env>, { merchantId, tagName }: MenuRequest): Promise<TagRecord | undefined> {
  if (tagName === undefined) return undefined
  const refresh = (tag: TagRecord, names: readonly string[]) => c.executionCtx.waitUntil(restoreTag(c.env, tag, names))
  const found = await resolve(c.env, tagName, refresh, isLimited(c))
  if (found === 'unavailable') throw new UnavailableError('the tag cannot be read')
  if (found === 'unknown') await isOneMissTooMany(c)
  if (found === 'unknown' || found === 'limited') return undefined
  const { tag } = found
  return tag.gone || tag.merchantId !== merchantId ? undefined : tag
}

/** The address of another page of a menu, relative to this one. */
const addressOf =
  (c: Context, { tagName, at }: MenuRequest) =>
  (from: number) => {
    const language = parseLanguage(c.req.query('lang'))
    const parameters = Object.entries({ tag: tagName, lang: language, at: at?.toString(), from: `${from}` })
    return `?${new URLSearchParams(parameters.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))}`
  }

/** For an address that may not have D1 read. */
class LimitedError extends Error {}

/** What a venue offers a guest; undefined where there is no such venue, which counts as a miss. */
async function findOffer(c: Context<Env>, { merchantId, at }: MenuRequest, tag: TagRecord | undefined) {
  const wanted = { merchantId, testMode: tag?.testMode ?? false }
  const database = () => merchantDatabase(c.env, merchantId)
  const later = (work: Promise<unknown>) => c.executionCtx.waitUntil(work)
  /** A venue that there is may be read; other moments as often as an address may miss. */
  const mayRead = async (isKnown: boolean) => {
    if (at !== undefined) return !(await isOneMissTooMany(c))
    return isKnown || !isLimited(c) || (await isKnownMerchant(c.env, merchantId))
  }
  const catalogue = isLocal(c.env)
    ? await readCatalogue(database(), wanted)
    : await findCatalogue(c.env, wanted, later, at === undefined ? 'now' : 'at', mayRead)
  if (catalogue === 'limited' || (!catalogue && (await isOneMissTooMany(c)))) throw new LimitedError()
  return catalogue && { untilMs: freshUntilMs(catalogue), offer: offerAt(catalogue, tag, at ?? nowInSeconds()) }
}

/** Answers a question, kept at the edge where it is about the beginning of the menu now. */
async function createMenuResponse(
  c: Context<Env>,
  question: MenuRequest,
  form: readonly string[],
  present: (offer: PublicMenu | undefined) => Response | Promise<Response>,
): Promise<Response> {
  const { merchantId, at, from } = question
  const tag = await tagOf(c, question)
  const make = async (): Promise<CacheableResponse> => {
    const found = await findOffer(c, question, tag)
    const changesAt = (at === undefined && found?.offer.nextChangeAt) || Number.POSITIVE_INFINITY
    const response = await present(found?.offer)
    if (response.ok) response.headers.set('etag', await createEtag(await response.clone().text()))
    return { response, untilMs: Math.min(found?.untilMs ?? 0, changesAt * 1000) }
  }
  const later = (work: Promise<unknown>) => c.executionCtx.waitUntil(work)
  const key = [...form, merchantId, tag ? `${tag.id}.${tag.version}` : '']
  const response = await (at !== undefined || from > 0 || isLocal(c.env)
    ? bypassCache(make)
    : readThroughCache(new URL(c.req.url).origin, key, make, later, c.env))
  const { headers } = response
  return isNotModified(headers.get('etag') ?? '', c.req.raw) && response.ok
    ? new Response(null, { status: 304, headers })
    : response
}

async function createPage(c: Context<Env>, merchantId: string): Promise<Response> {
  const [at, from] = [parseMoment(c), fromOf(c)]
  if (!merchantForm.test(merchantId)) return unknownPage(c)
  if (at === 'invalid' || from === 'invalid') return invalidPage(c)
  const question = parseRequest(c, merchantId, at, from)
  const asked = parseLanguage(c.req.query('lang'))
  const language = chooseMessageLanguage(asked, c.req.header('accept-language'))
  try {
    return await createMenuResponse(c, question, ['html', language, asked ?? ''], (offer) => {
      if (!offer) return unknownPage(c)
      // A search engine has no use for one table's page, nor for one of a test.
      const isMain = offer.tag === undefined && at === undefined && from === 0
      const page = { language, from, addressOf: addressOf(c, question) }
      return createPageResponse(renderMenuPage(offer, detectMenuLocale(offer, asked), page), 200, {
        ...(isMain ? {} : { 'x-robots-tag': 'noindex' }),
        ...(asked === undefined ? { vary: 'Accept-Language' } : {}),
      })
    })
  } catch (error) {
    if (error instanceof LimitedError) return limitedPage(c)
    log(c.env, 'menu not read', { error: String(error) })
    return unavailablePage(c)
  }
}

/** As much of an offer as fits, as data: each modifier once, beside the menus. */
function partOf(offer: PublicMenu, from: number) {
  const known = new Map(offer.modifiers.map((modifier) => [modifier.id, modifier]))
  const modifiers = new Map<string, OfferedModifier>()
  let isAnyLeftOut = false
  const weigh = (value: object) => bytesOf(JSON.stringify(value)) + 1
  // What a tag says stands there twice: as metadata, and as a label.
  const maxBytes = maxDataBytes - reservedBytes - 2 * weigh(offer.tag ?? {})
  const part = takePart<PublicProduct>(offer.menus, from, maxBytes, {
    menuBytes: ({ sections: _, ...menu }) => weigh(menu) + 20,
    sectionBytes: ({ products: _, ...section }) => weigh(section) + 20,
    make(product, bytesLeft, isFirst) {
      let bytes = weigh(product)
      const fresh: OfferedModifier[] = []
      let leftOut = 0
      for (const id of product.modifiers) {
        const modifier = modifiers.has(id) ? undefined : known.get(id)
        if (!modifier) continue
        const more = weigh(modifier)
        // A product that has a page to itself takes what fits of its choices.
        if (isFirst && bytes + more > bytesLeft) leftOut++
        else {
          bytes += more
          fresh.push(modifier)
        }
      }
      const accept = () => {
        for (const modifier of fresh) modifiers.set(modifier.id, modifier)
        isAnyLeftOut ||= leftOut > 0
      }
      return { piece: product, bytes, accept }
    },
  })
  return {
    menus: part.menus.map(({ menu, sections }) => ({
      ...menu,
      sections: sections.map(({ section, pieces }) => ({ ...section, products: pieces })),
    })),
    modifiers: [...modifiers.values()],
    truncated: offer.truncated || isAnyLeftOut,
    nextFrom: part.nextFrom,
  }
}

async function createData(c: Context<Env>, merchantId: string): Promise<Response> {
  const [at, from] = [parseMoment(c), fromOf(c)]
  if (!merchantForm.test(merchantId)) throw notFound()
  if (at === 'invalid') {
    throw invalidParameter('at', 'invalid_format', 'must be seconds since 1970, or an ISO 8601 time with its offset')
  }
  if (from === 'invalid') {
    throw invalidParameter('from', 'invalid_format', 'must be the number that nextFrom has given')
  }
  const question = parseRequest(c, merchantId, at, from)
  try {
    return await createMenuResponse(c, question, ['json'], (offer) => {
      if (!offer) throw notFound()
      const { venue, tag, ...rest } = offer
      const part = partOf(offer, from)
      const data: z.output<typeof menuData> = {
        venue: { ...venue, ...detectMenuLocale(offer, undefined) },
        tag: tag && { ...tag, label: tag.metadata.map(toTagLabel).join(', ') },
        ...rest,
        ...part,
      }
      const { nextFrom } = part
      const next = nextFrom === undefined ? undefined : `<${addressOf(c, question)(nextFrom)}>; rel="next"`
      return Response.json(data, next === undefined ? {} : { headers: { link: next } })
    })
  } catch (error) {
    throw error instanceof LimitedError ? createRateLimitError('MISSES') : error
  }
}

const isData = (path: string) => path.endsWith('.json')

const isUnknown = (error: unknown) =>
  error instanceof ApiError && (error.code === 'not_found' || error.code === 'malformed_path')

/** The menu of a merchant as guests see it, `/:merchantId`, and as data, `/:merchantId.json`. */
export const menuRoutes = new Hono<Env>()
  .use(async (c, next) => {
    try {
      await next()
    } catch (error) {
      if (isUnknown(error)) return unknownPage(c)
      throw error
    }
    if (isData(c.req.path)) c.header('Access-Control-Allow-Origin', '*')
    return undefined
  })
  .get('/:merchantId', (c) => {
    const name = c.req.param('merchantId')
    return isData(name) ? createData(c, name.slice(0, -'.json'.length)) : createPage(c, name)
  })
