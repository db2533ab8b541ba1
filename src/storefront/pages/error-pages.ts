import type { Context } from 'hono'
import { html } from 'hono/html'
import { problems } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { rateLimits } from '../../platform/http/rate-limit.ts'
import { parseLanguage } from '../../platform/lib/languages/language-tag.ts'
import { getDirection } from './locale.ts'
import { choosePageLanguage, fallbackLanguage, type PageLanguage } from './messages.ts'
import { readStaffMessages } from './staff-messages.ts'

/** Headers of pages that are neither cached nor indexed. */
export const privateHeaders = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' } as const

type NoticeTitle = 'deleted' | 'unknown' | 'unavailable'

/** The language of a page by the parameter `lang` or the header `Accept-Language`; undefined if the service supports none of them. */
export const getRequestedLanguage = (c: Context) =>
  choosePageLanguage(parseLanguage(c.req.query('lang')), c.req.header('accept-language'))

async function createPage(
  language: PageLanguage,
  status: number,
  { title, text, more }: { title: string; text: string; more?: unknown },
  headers: Readonly<Record<string, string>> = {},
) {
  const { createPageResponse } = await import('./page.ts')
  const body = html`<main class="say"><h1>${title}</h1><p>${text}</p>${more}</main>`
  const page = { language, direction: getDirection(language), title, body }
  return createPageResponse(page, status, { ...privateHeaders, ...headers })
}

/** The language of a page, and the texts in it. */
async function readMessages(c: Context) {
  const { getMessages } = await import('./languages/messages-by-language.ts')
  const language = getRequestedLanguage(c) ?? fallbackLanguage
  return { language, messages: getMessages(language) }
}

/** Renders a page that tells a guest why no menu is shown. With `retryAfter`, in seconds, it asks the guest to try again. */
async function createNoticePage(c: Context, status: number, title: NoticeTitle, retryAfter?: number) {
  const { language, messages } = await readMessages(c)
  const text = retryAfter === undefined ? messages.askStaff : messages.tryAgain
  const headers = retryAfter === undefined ? undefined : { 'retry-after': `${retryAfter}` }
  return createPage(language, status, { title: messages[title], text }, headers)
}

/** For a code that no tag has. Links to the field for a code, because the guest may have mistyped it. */
export async function unknownCodePage(c: Context): Promise<Response> {
  const { language, messages } = await readMessages(c)
  const more = html`<p><a href="/t">${messages.typeCode}</a></p>`
  return createPage(language, 404, { title: messages.unknown, text: messages.askStaff, more })
}

const callTexts = { seat: 'scanAgain', off: 'noCalls', closed: 'noCalls', full: 'callsFull' } as const

/** For a call of a guest that is not taken, with a link back to the menu. */
export async function callPage(
  c: Context,
  status: 403 | 409 | 429,
  reason: keyof typeof callTexts,
  menuUrl: string,
  retryAfter?: number,
): Promise<Response> {
  const { language, messages } = await readMessages(c)
  const more = html`<p><a href="${menuUrl}">${messages.menus}</a></p>`
  const headers = retryAfter === undefined ? undefined : { 'retry-after': `${retryAfter}` }
  return createPage(language, status, { title: messages.service, text: messages[callTexts[reason]], more }, headers)
}

/** For an expired link to a page for staff. Tells whom to ask for a new one. */
export async function expiredLinkPage(c: Context<Env>): Promise<Response> {
  const language = getRequestedLanguage(c) ?? fallbackLanguage
  const { expired, expiredAsk } = await readStaffMessages(c.env, language)
  return createPage(language, 410, { title: expired, text: expiredAsk })
}

/** For a deleted tag. */
export const deletedPage = (c: Context) => createNoticePage(c, 410, 'deleted')
/** For an unknown address. */
export const unknownPage = (c: Context) => createNoticePage(c, 404, 'unknown')
/** For a suspended or closed merchant. */
export const suspendedPage = (c: Context) => createNoticePage(c, problems.merchant_suspended[0], 'unknown')
/** For a link with invalid parameters. */
export const invalidPage = (c: Context) => createNoticePage(c, 422, 'unknown')
/** For an IP address with too many misses. The code may exist: the database was not read. */
export const limitedPage = (c: Context) => createNoticePage(c, 429, 'unavailable', rateLimits.MISSES.period)
/** Seconds after which a guest may retry. */
const retryAfterSeconds = 5
/** For a failure of the service that may end soon. */
export const unavailablePage = (c: Context) => createNoticePage(c, 503, 'unavailable', retryAfterSeconds)
