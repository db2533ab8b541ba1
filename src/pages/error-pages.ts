import type { Context } from 'hono'
import { html } from 'hono/html'
import { rateLimits } from '../http/rate-limit.ts'
import { parseLanguage } from './locale.ts'
import { chooseMessageLanguage, getMessages } from './messages.ts'
import { createPageResponse } from './page.ts'

/** Headers of pages that belong to nobody but the one who asked. */
export const privateHeaders = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' } as const

type NoticeTitle = 'deleted' | 'unknown' | 'unavailable'

/** A page that says why there is nothing, to somebody who stands in front of a table and has done nothing wrong. */
function createNoticePage(c: Context, status: number, title: NoticeTitle, retryAfter?: number) {
  const language = chooseMessageLanguage(parseLanguage(c.req.query('lang')), c.req.header('accept-language'))
  const messages = getMessages(language)
  const text = retryAfter === undefined ? messages.ask : messages.again
  const body = html`<main class="say"><h1>${messages[title]}</h1><p>${text}</p></main>`
  return createPageResponse({ language, title: messages[title], body }, status, {
    ...privateHeaders,
    ...(retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` }),
  })
}

export const deletedPage = (c: Context) => createNoticePage(c, 410, 'deleted')
export const unknownPage = (c: Context) => createNoticePage(c, 404, 'unknown')
export const invalidPage = (c: Context) => createNoticePage(c, 422, 'unknown')
/** For an address that asks for too many codes that do not exist. The code may exist: nobody has looked. */
export const limitedPage = (c: Context) => createNoticePage(c, 429, 'unavailable', rateLimits.MISSES.period)
export const unavailablePage = (c: Context) => createNoticePage(c, 503, 'unavailable', 5)
