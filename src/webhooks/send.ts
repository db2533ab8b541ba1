import { toSeconds } from '../platform/lib/time.ts'
import { parseRetryAfter } from './retry-schedule.ts'

/** Timeout until an endpoint's response begins, in milliseconds. */
const timeoutMs = 15_000
/** Number of bytes of a response body that the log keeps, and the timeout for reading them in milliseconds. Neither affects the outcome. */
export const maxStoredBytes = 16_384
const bodyTimeoutMs = 2_000

interface Call {
  url: string
  bearerToken: string
  /** Creates the `webhook-signature` header of an attempt at a time in seconds. */
  sign: (timestamp: number) => Promise<string>
  eventId: string
  body: string
}

/** Outcome of one call. Without `status` there was no response. */
export interface CallOutcome {
  status?: number
  durationMs: number
  error?: string
  response?: string
  /** Seconds from the `Retry-After` header. */
  retryAfter?: number | undefined
}

/** Whether the endpoint took the event: a status of 200 to 299. */
export const isSuccess = ({ status = 0 }: CallOutcome) => status >= 200 && status < 300

/** Minimum length of a cut-off token at the end of a response that is masked. It is longer than the prefix that all tokens share. */
const leastMasked = 8
const mask = '[bearerToken]'
const utf8 = new TextEncoder()

/** A text without a token, and without the beginning of a token at its end, because the response may be cut off there. */
function maskToken(text: string, token: string): string {
  const masked = text.replaceAll(token, mask)
  for (let length = token.length - 1; length >= leastMasked; length--)
    if (masked.endsWith(token.slice(0, length))) return `${masked.slice(0, -length)}${mask}`
  return masked
}

/** The first `maxStoredBytes` of a text. */
const cut = (text: string): string => new TextDecoder().decode(utf8.encode(text).subarray(0, maxStoredBytes))

/** Reads the first `maxBytes` of a response body until the timeout. Never throws: an error ends the reading. */
async function readStart(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  if (!reader) return ''
  let text = ''
  let left = maxBytes
  const { promise: timedOut, resolve: stop } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => stop(undefined), bodyTimeoutMs)
  try {
    while (left > 0) {
      const chunk = await Promise.race([reader.read(), timedOut])
      if (!chunk || chunk.done) break
      const kept = chunk.value.subarray(0, left)
      left -= kept.byteLength
      text += decoder.decode(kept, { stream: true })
    }
  } catch {
    // Keeps the part that was read.
  } finally {
    clearTimeout(timer)
  }
  reader.cancel().catch(() => undefined)
  return text + decoder.decode()
}

/** Calls an endpoint once. Never throws: an error is an outcome. */
export async function send({ url, bearerToken, sign, eventId, body }: Call): Promise<CallOutcome> {
  const startMs = Date.now()
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  try {
    const timestamp = toSeconds(startMs)
    const response = await fetch(url, {
      method: 'POST',
      // A redirect would send the token to a host that was not validated.
      redirect: 'manual',
      signal: controller.signal,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'merchant-ordering-api',
        'webhook-id': eventId,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': await sign(timestamp),
        authorization: `Bearer ${bearerToken}`,
      },
      body,
    })
    clearTimeout(timer)
    const result = { status: response.status, durationMs: Date.now() - startMs }
    const retryAfter = parseRetryAfter(response.headers.get('retry-after'), Date.now())
    // An endpoint may echo its request. The log must not contain the token.
    const start = await readStart(response, maxStoredBytes + utf8.encode(bearerToken).length)
    const text = cut(maskToken(start, bearerToken))
    return { ...result, retryAfter, ...(text === '' ? {} : { response: text }) }
  } catch (error) {
    const reason = controller.signal.aborted
      ? `no response within ${timeoutMs / 1000} s`
      : String(error instanceof Error ? error.message : error)
    return { durationMs: Date.now() - startMs, error: reason.slice(0, 300) }
  } finally {
    clearTimeout(timer)
  }
}
