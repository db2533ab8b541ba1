import { html } from 'hono/html'
import { respond } from './page.ts'

/** A page that says why there is nothing, to somebody who stands in front of a table and has done nothing wrong. */
const say = (status: number, title: string, text: string, headers: Record<string, string> = {}) =>
  respond({ language: 'en', title, body: html`<main class="say"><h1>${title}</h1><p>${text}</p></main>` }, status, {
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
    ...headers,
  })

export const deletedPage = () => say(410, 'This code is no longer in use', 'Please ask the staff for the menu.')
export const unknownPage = () =>
  say(404, 'There is nothing here', 'Please scan the code again, or ask the staff for the menu.')
export const invalidPage = () =>
  say(422, 'This link is not complete', 'Please scan the code again, or ask the staff for the menu.')
export const limitedPage = () =>
  say(429, 'Too many unknown codes', 'Please wait a minute, then scan again.', { 'retry-after': '60' })
export const unavailablePage = () =>
  say(503, 'We will be back in a moment', 'The menu cannot be reached just now. Please try again in a few seconds.', {
    'retry-after': '5',
  })
