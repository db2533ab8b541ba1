import { sendConfirmed } from './person/confirm.ts'
import { sendSigned, session } from './session.ts'

const prefix = 'console.request '
/** How long a request without a response can be repeated, in milliseconds. Later, others may have changed the same data. */
const repeatableMs = 5 * 60_000

/** A name for the action of a request, without its content. */
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

/** Forgets requests without a response: after another change, an equal request is a new one. */
function forgetAll() {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name)
}

/**
 * Sends a request of the session. A request without a response may have taken effect. Its repetition uses the same idempotency key, even after a
 * reload, so that data that a person saves again is stored once.
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
  // Requests that are still running, or were rejected temporarily, are repeated too.
  const isSettled = response.status < 500 && response.status !== 409 && response.status !== 429
  if (method !== 'GET' && isSettled) forgetAll()
  return response
}
