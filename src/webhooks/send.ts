import { parseRetryAfter } from './retry-schedule.ts'
import { sign } from './sign.ts'

/** How long an endpoint may take until its answer begins. */
export const timeoutMs = 15_000
/** How much of an answer is kept, and how long it may take to come in. The answer's status has been decided before. */
export const maxStoredBytes = 16_384
export const bodyTimeoutMs = 2_000

export interface Call {
  url: string
  bearerToken: string
  secrets: readonly string[]
  eventId: string
  body: string
}

/** What came of one call; without a `status` there was no answer. */
export interface Outcome {
  status?: number
  durationMs: number
  error?: string
  response?: string
  /** Seconds that the endpoint asks to be left alone. */
  retryAfter?: number | undefined
}

export const isSuccess = ({ status = 0 }: Outcome) => status >= 200 && status < 300

/** The beginning of an answer, as far as it comes in time; whatever goes wrong with it changes nothing. */
async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  if (!reader) return ''
  let text = ''
  let left = maxStoredBytes
  const { promise: late, resolve: giveUp } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => giveUp(undefined), bodyTimeoutMs)
  try {
    while (left > 0) {
      const chunk = await Promise.race([reader.read(), late])
      if (!chunk || chunk.done) break
      const kept = chunk.value.subarray(0, left)
      left -= kept.byteLength
      text += decoder.decode(kept, { stream: true })
    }
  } catch {
    // A body that breaks off is kept as far as it came.
  } finally {
    clearTimeout(timer)
  }
  reader.cancel().catch(() => undefined)
  return text + decoder.decode()
}

/** Makes one call. Never throws: whatever goes wrong is an outcome. */
export async function send({ url, bearerToken, secrets, eventId, body }: Call): Promise<Outcome> {
  const startMs = Date.now()
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  try {
    const timestamp = Math.floor(startMs / 1000)
    const response = await fetch(url, {
      method: 'POST',
      // A redirect would carry the token to a host that nobody has checked.
      redirect: 'manual',
      signal: controller.signal,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'merchant-ordering-api',
        'webhook-id': eventId,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': await sign(secrets, eventId, timestamp, body),
        authorization: `Bearer ${bearerToken}`,
      },
      body,
    })
    clearTimeout(timer)
    const answered = { status: response.status, durationMs: Date.now() - startMs }
    const retryAfter = parseRetryAfter(response.headers.get('retry-after'), Date.now())
    // An endpoint may echo what it got; the log is no place for the token.
    const text = (await readStart(response)).replaceAll(bearerToken, '[bearerToken]')
    return { ...answered, retryAfter, ...(text === '' ? {} : { response: text }) }
  } catch (error) {
    const reason = controller.signal.aborted
      ? `no answer within ${timeoutMs / 1000} s`
      : String(error instanceof Error ? error.message : error)
    return { durationMs: Date.now() - startMs, error: reason.slice(0, 300) }
  } finally {
    clearTimeout(timer)
  }
}
