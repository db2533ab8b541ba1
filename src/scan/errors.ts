import type { Context } from 'hono'
import { html } from 'hono/html'
import { rateLimits } from '../http/rate-limit.ts'
import { languageNamed } from './language.ts'
import { respond } from './page.ts'
import { languageOfWords, wordsIn } from './words.ts'

/** Headers of pages that belong to nobody but the one who asked. */
export const privately = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' } as const

type Title = 'deleted' | 'unknown' | 'unavailable'

/** A page that says why there is nothing, to somebody who stands in front of a table and has done nothing wrong. */
function say(c: Context, status: number, title: Title, retryAfter?: number) {
  const language = languageOfWords(languageNamed(c.req.query('lang')), c.req.header('accept-language'))
  const words = wordsIn(language)
  const text = retryAfter === undefined ? words.ask : words.again
  const body = html`<main class="say"><h1>${words[title]}</h1><p>${text}</p></main>`
  return respond({ language, title: words[title], body }, status, {
    ...privately,
    ...(retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` }),
  })
}

export const deletedPage = (c: Context) => say(c, 410, 'deleted')
export const unknownPage = (c: Context) => say(c, 404, 'unknown')
export const invalidPage = (c: Context) => say(c, 422, 'unknown')
/** For an address that asks for too many codes that do not exist. The code may exist: nobody has looked. */
export const limitedPage = (c: Context) => say(c, 429, 'unavailable', rateLimits.MISSES.period)
export const unavailablePage = (c: Context) => say(c, 503, 'unavailable', 5)
