import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { requireScope } from '../auth/authenticate.ts'
import { signHmac, verifyHmac } from '../auth/hmac.ts'
import { ApiError } from '../errors.ts'
import type { Env } from '../http/context.ts'
import { idempotent } from '../http/idempotency.ts'
import { readPublicUrl } from '../http/public-url.ts'
import { groupCode } from '../lib/tag-code.ts'
import { deletedPage, privateHeaders, unavailablePage, unknownPage } from '../pages/error-pages.ts'
import { createPageResponse } from '../pages/page.ts'
import { toTagLabel } from '../pages/tag-label.ts'
import { getRenderContext } from '../resource/request-context.ts'
import { createSession } from '../resource/session.ts'
import { createStore } from '../resource/store/store.ts'
import type { StoreDependencies } from '../resource/store/store-context.ts'
import { tags, toNfcSignedText } from '../resources/tags.ts'
import { resolve } from './resolve.ts'

/** Lifetime of a link to the page that writes a chip, in seconds. */
export const linkSeconds = 900

const toLinkSignedText = (code: string, expires: number | string) => `nfc-link:${code}:${expires}`

/** Creates links to the page that writes a tag's chip. A link works without an API key. */
export function createNfcLinkRoutes(dependencies: StoreDependencies) {
  const store = createStore(tags, dependencies)
  return new Hono<Env>().post('/:id/nfc-link', requireScope('tags:write'), idempotent, async (c) => {
    const { item } = await store.retrieve(createSession(c), c.req.param('id'))
    const { baseUrl } = getRenderContext(c)
    if (baseUrl === undefined)
      throw new ApiError('conflict', 'No public URL is configured, so there is no URL to write to a chip.')
    const expiresAt = Math.floor(Date.now() / 1000) + linkSeconds
    const seal = await signHmac(c.env, toLinkSignedText(item.code, expiresAt))
    return c.json({ url: `${baseUrl}/chip/${item.code}/${expiresAt}/${seal}`, expiresAt }, 201)
  })
}

/** Runs on the phone: writes the URL, reads it back, shows the result, and locks the chip on request. */
const nfcScript = `
const [write, lock] = document.querySelectorAll('button')
const status = document.querySelector('[role=status]')
const say = (text) => { status.textContent = text }
const attempt = (work) => async () => {
  write.disabled = lock.disabled = true
  try {
    say('Hold the phone to the chip.')
    say(await work(new NDEFReader()))
  } catch (error) {
    say('Failed: ' + error.message)
  }
  write.disabled = lock.disabled = false
}
const read = (chip) => new Promise((resolve, reject) => {
  const stop = new AbortController()
  chip.onreading = ({ message }) => resolve(message.records)
  chip.onreadingerror = () => reject(new Error('the chip cannot be read.'))
  chip.scan({ signal: stop.signal }).catch(reject)
  chip.stop = () => stop.abort()
}).finally(() => chip.stop())
write.onclick = attempt(async (chip) => {
  const { url } = write.dataset
  lock.hidden = true
  await chip.write({ records: [{ recordType: 'url', data: url }] })
  say('Written. Lift the phone and hold it to the chip again to verify.')
  const records = await read(chip)
  lock.hidden = !records.some(({ data }) => new TextDecoder().decode(data) === url)
  return lock.hidden ? 'The chip holds another address. Write it again.' : 'Done: the chip opens this tag.'
})
lock.onclick = attempt(async (chip) => {
  await chip.makeReadOnly()
  return 'Locked: the chip cannot be changed any more.'
})
if (!('NDEFReader' in window)) {
  write.disabled = true
  say('This browser cannot write chips. Open this page with Chrome on an Android phone that has NFC.')
}`.replace(/\n */g, '\n')

async function createNfcPage(c: Context<Env>): Promise<Response> {
  const { code = '', expires = '', seal = '' } = c.req.param()
  if (readPublicUrl(c.env).issue !== undefined) return unavailablePage(c)
  const { baseUrl } = getRenderContext(c)
  const isUnexpired = /^\d{10}$/.test(expires) && Number(expires) * 1000 > Date.now()
  if (!baseUrl || !isUnexpired || !(await verifyHmac(c.env, toLinkSignedText(code, expires), seal)))
    return unknownPage(c)
  const found = await resolve(c.env, code, () => undefined)
  if (found === 'unavailable' || found === 'limited') return unavailablePage(c)
  if (found === 'unknown') return unknownPage(c)
  if (found.tag.gone) return deletedPage(c)
  const url = `${baseUrl}/n/${code}/${await signHmac(c.env, toNfcSignedText(code))}`
  const label = found.tag.shown.map(([key, value]) => toTagLabel({ key, value })).join(', ')
  const body = html`<main class="say"><h1>Write a chip</h1><p dir="auto">${label}</p><p>${groupCode(code)}</p><p><button data-url="${url}">Write the chip</button> <button hidden>Lock it permanently</button></p><p role="status"></p><noscript><p>This page needs JavaScript.</p></noscript></main>`
  return createPageResponse({ language: 'en', title: 'Write a chip', body, script: nfcScript }, 200, privateHeaders)
}

/** The page that writes a chip, for Chrome on Android (Web NFC). */
export const nfcRoutes = new Hono<Env>().get('/chip/:code/:expires/:seal', createNfcPage)
