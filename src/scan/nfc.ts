import { type Context, Hono } from 'hono'
import { presentationOf } from '../core/address.ts'
import { requireScope } from '../core/auth.ts'
import { ApiError } from '../core/errors.ts'
import { sessionOf } from '../core/session.ts'
import { signature } from '../core/signature.ts'
import { createStore, type Surroundings } from '../core/store.ts'
import type { Env } from '../env.ts'
import { nfcText, tags } from '../resources/tags.ts'
import { unknownPage } from './errors.ts'

/** How long a link to the page that writes a chip is good for, in seconds. */
export const linkSeconds = 900

const linkText = (code: string, expires: number) => `nfc-link:${code}:${expires}`

/** Links to the page that writes a tag's chip; whoever holds one needs no key. */
export function createNfcLinks(surroundings: Surroundings) {
  const store = createStore(tags, surroundings)
  return new Hono<Env>().post('/:id/nfc-link', requireScope('tags:write'), async (c) => {
    const { item } = await store.retrieve(sessionOf(c), c.req.param('id'))
    const { baseUrl } = presentationOf(c)
    if (baseUrl === undefined)
      throw new ApiError('conflict', 'No public address is configured, so there is nothing to write on a chip.')
    const expiresAt = Math.floor(Date.now() / 1000) + linkSeconds
    const seal = await signature(c.env, linkText(item.code, expiresAt))
    return c.json({ url: `${baseUrl}/chip/${item.code}/${expiresAt}/${seal}`, expiresAt }, 201)
  })
}

/** Runs on the phone: writes the address, reads it back, and says what came of it. */
const script = `
const [button, status] = [document.querySelector('button'), document.querySelector('[role=status]')]
const say = (text) => { status.textContent = text }
if (!('NDEFReader' in window)) {
  button.disabled = true
  say('This browser cannot write chips. Open this page with Chrome on an Android phone that has NFC.')
}
button.addEventListener('click', async () => {
  const url = button.dataset.url
  try {
    const chip = new NDEFReader()
    say('Hold the phone to the chip.')
    await chip.write({ records: [{ recordType: 'url', data: url }] })
    say('Written. Hold the phone to the chip once more, to read it back.')
    const stop = new AbortController()
    await chip.scan({ signal: stop.signal })
    chip.onreadingerror = () => say('The chip cannot be read. Try again.')
    chip.onreading = ({ message }) => {
      const read = message.records.map(({ data }) => new TextDecoder().decode(data))
      stop.abort()
      say(read.includes(url) ? 'Done: the chip leads to this table.' : 'The chip holds something else. Write it again.')
    }
  } catch (error) {
    say('That did not work: ' + error.message)
  }
})`
const style = `body{font:1.125rem/1.5 system-ui,sans-serif;max-width:32rem;margin:0 auto;padding:1.5rem;color-scheme:light dark}
button{font:inherit;font-weight:600;padding:.8rem 1.5rem;border-radius:.6rem;border:2px solid;width:100%}`

const hashOf = async (text: string) => {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return `'sha256-${btoa(String.fromCharCode(...digest))}'`
}

async function chipPage(c: Context<Env>): Promise<Response> {
  const { code = '', expires = '', seal = '' } = c.req.param()
  const now = Math.floor(Date.now() / 1000)
  const { baseUrl } = presentationOf(c)
  const isGood = /^[0-9A-HJKMNP-TV-Z]{16}$/.test(code) && /^\d{10}$/.test(expires) && Number(expires) > now
  if (!baseUrl || !isGood || seal !== (await signature(c.env, linkText(code, Number(expires))))) return unknownPage()
  const address = `${baseUrl}/n/${code}/${await signature(c.env, nfcText(code))}`
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Write a chip</title><style>${style}</style></head><body><main><h1>Write a chip</h1><p>Code ${code.replace(/(.{4})(?=.)/g, '$1-')}</p><p><button type="button" data-url="${address}">Write the chip</button></p><p role="status"></p></main><script>${script}</script></body></html>`
  const policy = `default-src 'none'; script-src ${await hashOf(script)}; style-src ${await hashOf(style)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  return c.html(html, 200, {
    'Content-Security-Policy': policy,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex',
  })
}

/** The page that writes a chip, for Chrome on Android (Web NFC). */
export const chipPages = new Hono<Env>().get('/chip/:code/:expires/:seal', chipPage)
