import { ConnectionError, toApiError } from './client-errors.ts'

export interface ClientOptions {
  /** Where the service is: `https://api.example`. */
  origin: string
  /** An API key; for an operator, the operator's secret. */
  key: string
  /** Instead of the global `fetch`: that of a service binding, say. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** How often a request is repeated that the moment was against; by default 3. */
  retries?: number | undefined
  /** How long one attempt may take, in milliseconds; by default 30,000. */
  timeoutMs?: number | undefined
}

export interface RequestOptions {
  /** Makes a POST happen once, however often it is sent; by default one is made up for each call. */
  idempotencyKey?: string | undefined
  /** The `ETag` an object must still have; otherwise the call fails with `precondition_failed`. */
  ifMatch?: string | undefined
  /** Calls the request off. */
  signal?: AbortSignal | undefined
}

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

export interface Request extends RequestOptions {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  /** Parameters that are given more than once need `URLSearchParams`. */
  query?: Query | URLSearchParams | undefined
  body?: object | undefined
}

interface Prepared extends RequestInit {
  url: string
  headers: Headers
}

const firstPauseMs = 500
const maxPauseMs = 8_000
/** Who is asked to wait longer than this is told so instead. */
const maxRetryAfterMs = 60_000

/** Sends requests: repeats what the moment was against, once each, and reads what it has written. */
export class Transport {
  readonly #options: ClientOptions
  #bookmark: string | undefined

  constructor(options: ClientOptions) {
    this.#options = { ...options, origin: new URL(options.origin).origin }
  }

  /** The answer of a request that succeeded; throws `ApiError` or `ConnectionError`. */
  async send(request: Request): Promise<Response> {
    const { retries = 3 } = this.#options
    const prepared = this.#prepare(request)
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt(prepared, request.signal)
      if ('response' in outcome) return outcome.response
      const { error, waitMs } = outcome
      if (waitMs === undefined || waitMs > maxRetryAfterMs || attempt >= retries) throw error
      const backOff = Math.min(maxPauseMs, firstPauseMs * 2 ** attempt) * (0.5 + Math.random() / 2)
      await pause(Math.max(waitMs, backOff), request.signal)
    }
  }

  /** What a request's answer holds. */
  async read<Answer>(request: Request): Promise<Answer> {
    return readJson(await this.send(request))
  }

  #prepare({ method, path, query = {}, body, idempotencyKey, ifMatch }: Request): Prepared {
    const url = new URL(path, this.#options.origin)
    for (const [name, value] of query instanceof URLSearchParams ? query : Object.entries(query)) {
      if (value !== undefined) url.searchParams.append(name, String(value))
    }
    const headers = new Headers({ authorization: `Bearer ${this.#options.key}` })
    if (method === 'POST') {
      headers.set('content-type', 'application/json')
      headers.set('idempotency-key', idempotencyKey ?? crypto.randomUUID())
    }
    if (ifMatch !== undefined) headers.set('if-match', ifMatch)
    return { url: url.href, method, headers, ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}) }
  }

  /** An answer, or the error and after how many milliseconds the same request may succeed; undefined: never. */
  async #attempt({ url, headers, ...init }: Prepared, signal: AbortSignal | undefined) {
    const { fetch = globalThis.fetch, timeoutMs = 30_000 } = this.#options
    // Reads see what was written, even where a replica answers.
    if (this.#bookmark !== undefined) headers.set('d1-bookmark', this.#bookmark)
    const limit = AbortSignal.timeout(timeoutMs)
    let response: Response
    try {
      // Followed, a redirect would take the key along to wherever it leads.
      const sent = { ...init, headers, redirect: 'manual' as const }
      response = await fetch(url, { ...sent, signal: signal ? AbortSignal.any([signal, limit]) : limit })
    } catch (cause) {
      signal?.throwIfAborted()
      return { error: new ConnectionError(`${url} does not answer.`, { cause }), waitMs: 0 }
    }
    const bookmark = response.headers.get('d1-bookmark')
    if (bookmark !== null && bookmark > (this.#bookmark ?? '')) this.#bookmark = bookmark
    if (response.ok) return { response }
    const error = await toApiError(response)
    return { error, waitMs: isTemporary(error) ? retryAfterMs(response.headers.get('retry-after')) : undefined }
  }
}

/** A path of these segments. An id that would lead elsewhere, being empty or dots, is a `TypeError`. */
export const pathTo = (...segments: readonly string[]) =>
  segments
    .map((segment) => {
      if (/^\.{0,2}$/.test(segment)) throw new TypeError(`${JSON.stringify(segment)} is not an id.`)
      return `/${encodeURIComponent(segment)}`
    })
    .join('')

/** Whether an error speaks of the moment, not of the request. */
const isTemporary = ({ status, code }: { status: number; code: string }) =>
  status === 429 || status >= 500 || code === 'idempotency_key_in_use' || code === 'busy'

/** In seconds or as a date (RFC 9110); anything else asks for nothing. */
function retryAfterMs(header: string | null): number {
  if (header === null) return 0
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Math.max(Number.isNaN(ms) ? 0 : ms, 0)
}

const pause = (ms: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })

/** The body of an answer, of the type that the service's own document says it has. */
export const readJson = async <Answer>(response: Response): Promise<Answer> => response.json()
