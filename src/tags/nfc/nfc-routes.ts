import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { requireScope } from '../../auth/authenticate.ts'
import { signHmac } from '../../auth/hmac.ts'
import { checkLink, signLink } from '../../auth/signed-link.ts'
import { ApiError } from '../../errors.ts'
import type { Env } from '../../http/context.ts'
import { idempotent } from '../../http/idempotency.ts'
import { readPublicUrl } from '../../http/public-url.ts'
import { groupCode } from '../../lib/tag-code.ts'
import {
  deletedPage,
  expiredLinkPage,
  getRequestedLanguage,
  privateHeaders,
  suspendedPage,
  unavailablePage,
  unknownPage,
} from '../../pages/error-pages.ts'
import { getDirection } from '../../pages/locale.ts'
import { fallbackLanguage } from '../../pages/messages.ts'
import { createPageResponse } from '../../pages/page.ts'
import type { StaffMessages } from '../../pages/staff/shape.ts'
import { readStaffMessages } from '../../pages/staff-messages.ts'
import { toTagTitle } from '../../pages/tag-label.ts'
import { readVenue } from '../../pages/venue.ts'
import { getRenderContext } from '../../resource/request-context.ts'
import { createSession } from '../../resource/session.ts'
import { createStore } from '../../resource/store/store.ts'
import type { StoreDependencies } from '../../resource/store/store-context.ts'
import { tags, toNfcSignedText } from '../../resources/tags.ts'
import { resolveScan } from '../resolve.ts'

/** Purpose in the signature of links to this page. */
const purpose = 'nfc-link'

/** Creates links to the page that writes a tag's chip. A link works without an API key. */
export function createNfcLinkRoutes(dependencies: StoreDependencies) {
  const store = createStore(tags, dependencies)
  return new Hono<Env>().post('/:id/nfc-link', requireScope('tags:write'), idempotent, async (c) => {
    const { item } = await store.retrieve(createSession(c), { id: c.req.param('id') })
    const { baseUrl } = getRenderContext(c)
    if (baseUrl === undefined)
      throw new ApiError('conflict', 'No public URL is configured, so there is no URL to write to a chip.')
    const { expiresAt, seal } = await signLink(c.env, purpose, item.code)
    return c.json({ url: `${baseUrl}/chip/${item.code}/${expiresAt}/${seal}`, expiresAt }, 201)
  })
}

/**
 * Runs on the phone: writes the URL, reads it back, shows the result. Locks the chip after two questions, each of which cannot be
 * answered for a second, so that a double tap locks nothing.
 */
const nfcScript = `
const main = document.querySelector('main')
const messages = JSON.parse(main.dataset.messages)
const [write, lock, cancel] = main.querySelectorAll('button')
const status = document.querySelector('[role=status]')
const say = (text) => { status.textContent = text }
const steps = [['', messages.lock], [messages.lockAsk, messages.lockContinue], [messages.lockAskAgain, messages.lockConfirm]]
let step = 0
let pause
const ask = (next) => {
  clearTimeout(pause)
  step = next
  lock.textContent = steps[step][1]
  cancel.hidden = step === 0
  say(steps[step][0])
  lock.disabled = step > 0
  if (step === 0) return
  cancel.focus()
  pause = setTimeout(() => { lock.disabled = false }, 1000)
}
const attempt = async (work) => {
  write.disabled = lock.disabled = true
  try {
    say(messages.hold)
    say(await work(new NDEFReader()))
  } catch (error) {
    say(messages.failed.replace('{reason}', () => error.message))
  }
  write.disabled = lock.disabled = false
}
const read = (chip) => new Promise((resolve, reject) => {
  const stop = new AbortController()
  chip.onreading = ({ message }) => resolve(message.records)
  chip.onreadingerror = () => reject(new Error(messages.unreadable))
  chip.scan({ signal: stop.signal }).catch(reject)
  chip.stop = () => stop.abort()
}).finally(() => chip.stop())
write.onclick = () => attempt(async (chip) => {
  const { url } = write.dataset
  ask(0)
  lock.hidden = true
  say(messages.hold)
  await chip.write({ records: [{ recordType: 'url', data: url }] })
  say(messages.written)
  const records = await read(chip)
  lock.hidden = !records.some(({ data }) => new TextDecoder().decode(data) === url)
  return lock.hidden ? messages.otherAddress : messages.done
})
lock.onclick = () => {
  if (step < 2) return ask(step + 1)
  ask(0)
  return attempt(async (chip) => {
    await chip.makeReadOnly()
    lock.hidden = true
    return messages.locked
  })
}
cancel.onclick = () => ask(0)
if (!('NDEFReader' in window)) {
  write.disabled = true
  say(messages.unsupported)
}`.replace(/\n */g, '\n')

/** The messages that the script shows. */
const toScriptMessages = ({
  hold,
  written,
  otherAddress,
  done,
  lock,
  lockAsk,
  lockContinue,
  lockAskAgain,
  lockConfirm,
  locked,
  failed,
  unreadable,
  unsupported,
}: StaffMessages) =>
  JSON.stringify({
    ...{ hold, written, otherAddress, done, failed, unreadable, unsupported },
    ...{ lock, lockAsk, lockContinue, lockAskAgain, lockConfirm, locked },
  })

async function createNfcPage(c: Context<Env>): Promise<Response> {
  const { code = '', expires = '', seal = '' } = c.req.param()
  if (readPublicUrl(c.env).issue !== undefined) return unavailablePage(c)
  const { baseUrl } = getRenderContext(c)
  const state = baseUrl ? await checkLink(c.env, purpose, { content: code, expires, seal }) : 'invalid'
  if (state === 'expired') return expiredLinkPage(c)
  if (state === 'invalid') return unknownPage(c)
  const found = await resolveScan(c.env, code, () => undefined)
  if (found === 'unavailable' || found === 'limited') return unavailablePage(c)
  if (found === 'unknown') return unknownPage(c)
  if (found.tag.gone) return deletedPage(c)
  if (found.venue.suspended) return suspendedPage(c)
  const url = `${baseUrl}/n/${code}/${await signHmac(c.env, toNfcSignedText(code))}`
  const label = toTagTitle(found.tag.shown.map(([key, value]) => ({ key, value })))
  // A chip can be written while the name of the venue cannot be read.
  const venue = await readVenue(c.env, found.tag.merchantId).catch(() => undefined)
  const language = getRequestedLanguage(c) ?? venue?.getLanguage(label) ?? fallbackLanguage
  const messages = await readStaffMessages(c.env, language)
  const title = label === '' ? groupCode(code) : label
  const body = html`<main class="say" data-messages="${toScriptMessages(messages)}"><h1><bdi lang="">${title}</bdi></h1>${venue && html`<p><bdi lang="">${venue.name}</bdi></p>`}<p>${groupCode(code)}</p><p><button data-url="${url}">${messages.write}</button></p><p role="status"></p><p><button class="plain" hidden>${messages.lock}</button> <button class="plain" hidden>${messages.cancel}</button></p><noscript><p>${messages.needsScript}</p></noscript></main>`
  const head = html`<meta name="description" content="${messages.write}: ${title}">`
  const direction = getDirection(language)
  return createPageResponse(
    { language, direction, title: `${messages.write}: ${title}`, head, body, script: nfcScript },
    200,
    privateHeaders,
  )
}

/** The page that writes a chip, for Chrome on Android (Web NFC). */
export const nfcRoutes = new Hono<Env>().get('/chip/:code/:expires/:seal', createNfcPage)
