import { type Context, Hono } from 'hono'
import { ApiError, notFound } from '../errors.ts'
import type { Env } from '../http/context.ts'
import { invalidParameter } from '../http/pagination.ts'
import { readPublicUrl } from '../http/public-url.ts'
import { createRateLimitError } from '../http/rate-limit.ts'
import { parseLanguage } from '../lib/languages/language-tag.ts'
import { log } from '../lib/log.ts'
import { invalidPage, limitedPage, suspendedPage, unavailablePage, unknownPage } from '../pages/error-pages.ts'
import { choosePageLanguage } from '../pages/messages.ts'
import { createPageResponse } from '../pages/page.ts'
import { toMenuData } from './menu-data.ts'
import { detectMenuLocale } from './menu-locale.ts'
import { parseMenuRequest, toPartUrl } from './menu-request.ts'
import { createMenuResponse, LimitedError } from './menu-response.ts'
import { renderMenuPage } from './page/menu-page.ts'

/** Origin of absolute addresses: `PUBLIC_BASE_URL`, else that of the request. */
const getOrigin = (c: Context<Env>) => readPublicUrl(c.env).origin ?? new URL(c.req.url).origin

async function createPage(c: Context<Env>, merchantId: string): Promise<Response> {
  const request = parseMenuRequest(c, merchantId)
  if (request === 'merchantId') return unknownPage(c)
  if (request === 'at' || request === 'from') return invalidPage(c)
  const { at, from } = request
  const requestedLanguage = parseLanguage(c.req.query('lang'))
  const language = choosePageLanguage(requestedLanguage, c.req.header('accept-language'))
  try {
    return await createMenuResponse(c, request, ['html', language ?? '', requestedLanguage ?? ''], (menu) => {
      if (!menu) return unknownPage(c)
      const page = { language, origin: getOrigin(c), from, toUrl: (from: number) => toPartUrl(c, request, from) }
      // Search engines index neither the page of one table nor one in test mode.
      const isIndexed = menu.tag === undefined && at === undefined && from === 0
      return createPageResponse(renderMenuPage(menu, detectMenuLocale(menu, requestedLanguage), page), 200, {
        ...(isIndexed ? {} : { 'x-robots-tag': 'noindex' }),
        ...(requestedLanguage === undefined ? { vary: 'Accept-Language' } : {}),
      })
    })
  } catch (error) {
    if (error instanceof LimitedError) return limitedPage(c)
    if (isSuspended(error)) return suspendedPage(c)
    log(c.env, 'menu not read', { error: String(error) })
    return unavailablePage(c)
  }
}

const parameterMessages = {
  at: 'must be seconds since 1970, or an ISO 8601 time with its offset',
  from: 'must be the value of nextFrom in a previous response',
} as const

async function createData(c: Context<Env>, merchantId: string): Promise<Response> {
  const request = parseMenuRequest(c, merchantId)
  if (request === 'merchantId') throw notFound()
  if (request === 'at' || request === 'from') {
    throw invalidParameter(request, 'invalid_format', parameterMessages[request])
  }
  try {
    return await createMenuResponse(c, request, ['json'], (menu) => {
      if (!menu) throw notFound()
      const data = toMenuData(menu, request.from)
      const { nextFrom } = data
      const next = nextFrom === undefined ? undefined : `<${toPartUrl(c, request, nextFrom)}>; rel="next"`
      return Response.json(data, next === undefined ? {} : { headers: { link: next } })
    })
  } catch (error) {
    throw error instanceof LimitedError ? createRateLimitError('MISSES') : error
  }
}

const isSuspended = (error: unknown) => error instanceof ApiError && error.code === 'merchant_suspended'
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
  .get('/:merchantId', (c) => {
    const name = c.req.param('merchantId')
    return isData(name) ? createData(c, name.slice(0, -'.json'.length)) : createPage(c, name)
  })
