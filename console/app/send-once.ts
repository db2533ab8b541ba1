import { sendConfirmed } from './person/confirm.ts'
import { sendSigned, session } from './session.ts'

const prefix = 'console.request '
/** How long a request that got no response can be repeated, in milliseconds: later, others may have changed what it changed. */
const repeatableMs = 5 * 60_000

/** A name for what a request does, without its content. */
async function nameRequest(url: string, body: string, headers: Headers): Promise<string> {
  const { id, mode } = session.value ?? {}
  const text = JSON.stringify([id, mode, url, headers.get('if-match'), body])
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return prefix + new Uint8Array(digest).join('.')
}

/** The idempotency key of a request that got no response. */
function findKey(name: string): string | undefined {
  const [key, time] = sessionStorage.getItem(name)?.split(' ') ?? []
  return Date.now() - Number(time) < repeatableMs ? key : undefined
}

/** Forgets the requests that got no response: what is sent after another change is meant anew. */
function forgetAll() {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name)
}

/**
 * Sends a request of the session. One that got no response may have taken effect: its repetition has the same idempotency key, also after
 * a reload, so that what a person saves again is stored once.
 */
export async function sendOnce(url: string, init: RequestInit = {}): Promise<Response> {
  const { method = 'GET', body } = init
  const headers = new Headers(init.headers)
  const key = headers.get('idempotency-key')
  if (key !== null && typeof body === 'string') {
    const name = await nameRequest(url, body, headers)
    const sent = findKey(name) ?? key
    headers.set('idempotency-key', sent)
    sessionStorage.setItem(name, `${sent} ${Date.now()}`)
  }
  const response = await sendConfirmed(() => sendSigned(url, { ...init, headers }))
  // A request that is still running, or was not accepted, is repeated too.
  const isSettled = response.status < 500 && response.status !== 409 && response.status !== 429
  if (method !== 'GET' && isSettled) forgetAll()
  return response
}
