import type { Context } from 'hono'
import { html } from 'hono/html'
import { problems } from '../errors.ts'
import { rateLimits } from '../http/rate-limit.ts'
import { getDirection, parseLanguage } from './locale.ts'
import { choosePageLanguage, fallbackLanguage, getMessages } from './messages.ts'
import { createPageResponse } from './page.ts'

/** Headers of pages that are neither cached nor indexed. */
export const privateHeaders = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' } as const

type NoticeTitle = 'deleted' | 'unknown' | 'unavailable'

/** Renders a page for a guest that says why there is no menu. With `retryAfter`, in seconds, it asks to try again. */
function createNoticePage(c: Context, status: number, title: NoticeTitle, retryAfter?: number) {
  const requested = parseLanguage(c.req.query('lang'))
  const language = choosePageLanguage(requested, c.req.header('accept-language')) ?? fallbackLanguage
  const messages = getMessages(language)
  const text = retryAfter === undefined ? messages.askStaff : messages.tryAgain
  const body = html`<main class="say"><h1>${messages[title]}</h1><p>${text}</p></main>`
  return createPageResponse({ language, direction: getDirection(language), title: messages[title], body }, status, {
    ...privateHeaders,
    ...(retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` }),
  })
}

export const deletedPage = (c: Context) => createNoticePage(c, 410, 'deleted')
export const unknownPage = (c: Context) => createNoticePage(c, 404, 'unknown')
/** For a suspended or closed merchant. */
export const suspendedPage = (c: Context) => createNoticePage(c, problems.merchant_suspended[0], 'unknown')
export const invalidPage = (c: Context) => createNoticePage(c, 422, 'unknown')
/** For an IP address with too many misses. The code may exist: the database was not read. */
export const limitedPage = (c: Context) => createNoticePage(c, 429, 'unavailable', rateLimits.MISSES.period)
/** Seconds after which a guest may retry. */
const retryAfterSeconds = 5
export const unavailablePage = (c: Context) => createNoticePage(c, 503, 'unavailable', retryAfterSeconds)
