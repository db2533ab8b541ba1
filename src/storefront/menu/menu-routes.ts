import { type Context, Hono } from 'hono'
import { ApiError, notFound } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { invalidParameter } from '../../platform/http/pagination.ts'
import { getOrigin, getPublicOrigin } from '../../platform/http/public-url.ts'
import { createRateLimitError } from '../../platform/http/rate-limit.ts'
import { parseLanguage } from '../../platform/lib/languages/language-tag.ts'
import { invalidPage, privateHeaders, unknownPage } from '../pages/error-pages.ts'
import { readFoodMessages } from '../pages/food-messages.ts'
import { choosePageLanguage, type PageLanguage } from '../pages/messages.ts'
import { choosePageLanguageOf, createAllergenResponse, createFailurePage } from './allergen-sheet.ts'
import { toWanted } from './catalogue/content-language.ts'
import type { FoodFilter } from './contents/stated-contents.ts'
import { fallbackFoodMessages, filterMenu, getStatedFood, isFiltering, listProducts } from './food.ts'
import { presentParts, toMenuData } from './menu-data.ts'
import { detectMenuLocale } from './menu-locale.ts'
import {
  type MenuRequest,
  parseMenuRequest,
  readParameter,
  toFilterUrl,
  toLanguageUrl,
  toPartUrl,
  toSheetUrl,
} from './menu-request.ts'
import { createMenuResponse, LimitedError } from './menu-response.ts'
import { fillSeat } from './page/acts/fill-seat.ts'
import { manifestName, toManifest } from './page/structured-data/menu-manifest.ts'
import { withPreview } from './preview/requested-preview.ts'
import type { PublicMenu } from './public-menu.ts'
import { withoutHiddenPictures } from './shown-pictures.ts'

async function createPage(c: Context<Env>, merchantId: string): Promise<Response> {
  const parsed = parseMenuRequest(c, merchantId)
  if (parsed === 'merchantId') return unknownPage(c)
  if (typeof parsed === 'string') return invalidPage(c)
  const requestedLanguage = parseLanguage(readParameter(c, 'lang'))
  const language = choosePageLanguage(requestedLanguage, c.req.header('accept-language'))
  const cacheKey = ['html', language ?? '', requestedLanguage ?? '']
  try {
    const request = await withPreview(c, parsed)
    if (typeof request === 'string') return request === 'release' ? await unknownPage(c) : await invalidPage(c)
    const { at, from, filter, preview } = request
    const fill = (response: Response) => fillSeat(response, readParameter(c, 'seat'), readParameter(c, 'asked'))
    return await createMenuResponse(c, request, { key: cacheKey, fill }, async (all, { request, orderUrl }) => {
      if (!all) return unknownPage(c)
      const menu = filterMenu(all, filter)
      const venueLocale = detectMenuLocale(all, requestedLanguage)
      const page = {
        language,
        requestedLanguage,
        orderUrl,
        origin: getOrigin(c),
        publicOrigin: getPublicOrigin(c),
        resizesPictures: c.env.IMAGES !== undefined,
        from,
        preview,
        toUrl: (from: number) => toPartUrl(c, request, from),
        toLanguageUrl: (language: string) => toLanguageUrl(c, request, language),
        food: await createFoodOptions(c, request, { all, shown: menu }, choosePageLanguageOf(venueLocale, language)),
      }
      const [{ renderMenuPage }, { createPageResponse }] = await Promise.all([
        import('./page/menu-page.ts'),
        import('../pages/page.ts'),
      ])
      // Search engines must not index pages of single tables or pages in test mode.
      const isIndexed = menu.tag === undefined && at === undefined && !preview && from === 0 && !isFiltering(filter)
      return createPageResponse(renderMenuPage(menu, venueLocale, page), 200, {
        ...(isIndexed ? {} : { 'x-robots-tag': 'noindex' }),
        ...(requestedLanguage === undefined ? { vary: 'Accept-Language' } : {}),
      })
    })
  } catch (error) {
    return createFailurePage(c, error)
  }
}

/** Allergens and diets that the products of a menu state, with their texts. Undefined if no product states any, and nothing is filtered. */
async function createFoodOptions(
  c: Context<Env>,
  request: MenuRequest,
  { all, shown }: { all: PublicMenu; shown: PublicMenu },
  language: PageLanguage,
) {
  const stated = getStatedFood(all)
  if (!stated.isAny && !isFiltering(request.filter)) return undefined
  return {
    messages: (await readFoodMessages(c.env, language)) ?? fallbackFoodMessages,
    stated,
    filter: request.filter,
    count: listProducts(shown).length,
    toUrl: (filter: FoodFilter) => toFilterUrl(c, request, filter),
    sheetUrl: toSheetUrl(c, request),
  }
}

const parameterMessages = {
  at: 'must be seconds since 1970, or an ISO 8601 time with its offset',
  from: 'must be the value of nextFrom in a previous response',
  diet: 'must be diets, separated by commas',
  without: 'must be allergens, separated by commas',
} as const

async function createData(c: Context<Env>, merchantId: string): Promise<Response> {
  const parsed = parseMenuRequest(c, merchantId)
  if (parsed === 'merchantId') throw notFound()
  if (typeof parsed === 'string') throw invalidParameter(parsed, 'invalid_format', parameterMessages[parsed])
  const request = await withPreview(c, parsed)
  if (request === 'release') throw new ApiError('not_found', notFound().message, [], privateHeaders)
  if (request === 'preview') throw invalidParameter(request, 'invalid_value', 'must be a preview that has not expired')
  try {
    const own = { ...request, wanted: toWanted([readParameter(c, 'lang')]) }
    return await createMenuResponse(c, own, { key: ['json'] }, (menu, { request }) => {
      if (!menu) throw notFound()
      const shown = toMenuData(withoutHiddenPictures(filterMenu(menu, request.filter), getOrigin(c)), request.from)
      const { preview } = request
      const isPast = preview?.parameter === 'at' && preview.at !== undefined
      const data = isPast ? { ...shown, past: { at: preview.at, present: presentParts } } : shown
      const { nextFrom } = data
      const next = nextFrom === undefined ? undefined : `<${toPartUrl(c, request, nextFrom)}>; rel="next"`
      return Response.json(data, next === undefined ? {} : { headers: { link: next } })
    })
  } catch (error) {
    throw error instanceof LimitedError ? createRateLimitError('MISSES') : error
  }
}

async function createManifest(c: Context<Env>, merchantId: string): Promise<Response> {
  const request = parseMenuRequest(c, merchantId)
  if (typeof request === 'string') throw notFound()
  try {
    return await createMenuResponse(c, { ...request, tagName: undefined }, { key: ['manifest'] }, (menu) => {
      if (!menu) throw notFound()
      return Response.json(toManifest(menu), { headers: { 'content-type': 'application/manifest+json' } })
    })
  } catch (error) {
    throw error instanceof LimitedError ? createRateLimitError('MISSES') : error
  }
}

const isData = (path: string) => path.endsWith('.json')

const isUnknown = (error: unknown) =>
  error instanceof ApiError && (error.code === 'not_found' || error.code === 'malformed_path')

/** The hosted menu of a merchant: `/:merchantId` is a page, `/:merchantId.json` its data. */
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
  .get('/:merchantId/allergens', (c) =>
    createAllergenResponse(c, c.req.param('merchantId'), 'html', async (sheet) => {
      const [{ renderAllergenSheet }, { createPageResponse }] = await Promise.all([
        import('./page/allergen-sheet.ts'),
        import('../pages/page.ts'),
      ])
      return createPageResponse(renderAllergenSheet(sheet), 200, {})
    }),
  )
  .get(`/:merchantId/${manifestName}`, (c) => createManifest(c, c.req.param('merchantId')))
  .get('/:merchantId', (c) => {
    const name = c.req.param('merchantId')
    return isData(name) ? createData(c, name.slice(0, -'.json'.length)) : createPage(c, name)
  })
