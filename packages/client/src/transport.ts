import { ConnectionError, throwUnread, toApiError } from './client-errors.ts'

/** Options of a client. */
export interface ClientOptions {
  /** Origin of the service: `https://api.example`. */
  origin: string
  /** An API key, or the operator token. Absent in the console, whose requests carry the cookie of its session. */
  key?: string | undefined
  /** Replaces the global `fetch`, for example with that of a service binding. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Retries of a request after temporary failures. Default: 3. */
  retries?: number | undefined
  /** Time limit of one attempt, in milliseconds. Default: 30,000. */
  timeoutMs?: number | undefined
}

/** Options of one call. */
export interface RequestOptions {
  /** Ensures that a POST takes effect once, even if it is sent several times. Default: a random key for each call. */
  idempotencyKey?: string | undefined
  /** The `ETag` that the object must still have; otherwise the call throws `precondition_failed`. */
  ifMatch?: string | undefined
  /** With `*`, an upsert only creates: if the object exists, the call throws `precondition_failed`. */
  ifNoneMatch?: '*' | undefined
  /** Name of a change set: batches with the same name can be undone together, for an hour. */
  changeSet?: string | undefined
  /** Receives the response before its body is read, for example for its `ETag`. */
  onResponse?: ((response: Response) => void) | undefined
  /** Aborts the request. */
  signal?: AbortSignal | undefined
}

/** Query parameters. Absent values are not sent. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** A request as the transport sends it. */
export interface Request extends RequestOptions {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** Repeated parameters require `URLSearchParams`. */
  query?: Query | URLSearchParams | undefined
  /** Sent as JSON. */
  body?: object | undefined
  /** Sent unchanged instead of `body`. A request is retried only if the data can be sent again. */
  file?: { data: Blob | string; type: string } | undefined
  /** Media type of the response. */
  accept?: string | undefined
  /** The time limit ends with the headers of the response: a long body is read as a stream. */
  isStreamed?: boolean | undefined
}

interface PreparedRequest extends RequestInit {
  url: string
  headers: Headers
  isStreamed: boolean
}

const defaultRetries = 3
const defaultTimeoutMs = 30_000
const firstPauseMs = 500
const maxPauseMs = 8_000
/** Maximum `Retry-After` that the client obeys, in milliseconds. The call throws for a longer one. */
const maxRetryAfterMs = 60_000

/** Sends requests. Retries temporary failures with the same idempotency key, and reads its own writes. */
export class Transport {
  readonly #options: ClientOptions
  #bookmark: string | undefined

  constructor(options: ClientOptions) {
    this.#options = { ...options, origin: new URL(options.origin).origin }
  }

  /** Sends a request and returns its response, with its body unread. Throws `ApiError` or `ConnectionError`. */
  send(request: Request): Promise<Response> {
    return this.#repeat(request, async (response) => response)
  }

  /** Sends a request and returns its response and the parsed body. Retries it too if the connection is lost while the body is read. */
  receive<Body>(request: Request): Promise<{ response: Response; body: Body }> {
    return this.#repeat(request, async (response) => {
      request.onResponse?.(response)
      return { response, body: await readJson<Body>(response, request.signal) }
    })
  }

  /** Sends a request and returns the parsed body. */
  async read<Body>(request: Request): Promise<Body> {
    const { body } = await this.receive<Body>(request)
    return body
  }

  /** Sends a GET and returns the parsed body. */
  get<Body>(path: string, query?: Query, options?: RequestOptions): Promise<Body> {
    return this.read({ method: 'GET', path, query, ...options })
  }

  /** Sends a POST and returns the parsed body. Default of `body`: an empty object. */
  post<Body>(path: string, body?: object, options?: RequestOptions): Promise<Body> {
    return this.read({ method: 'POST', path, body, ...options })
  }

  /** Sends a DELETE and returns the parsed body. */
  delete<Body>(path: string, options?: RequestOptions): Promise<Body> {
    return this.read({ method: 'DELETE', path, ...options })
  }

  async #repeat<Result>(request: Request, read: (response: Response) => Promise<Result>): Promise<Result> {
    const { retries = defaultRetries } = this.#options
    const prepared = this.#prepare(request)
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt(prepared, request.signal, read)
      if ('result' in outcome) return outcome.result
      const { error, waitMs } = outcome
      if (waitMs === undefined || waitMs > maxRetryAfterMs || attempt >= retries) throw error
      const backOff = Math.min(maxPauseMs, firstPauseMs * 2 ** attempt) * (0.5 + Math.random() / 2)
      await pause(Math.max(waitMs, backOff), request.signal)
    }
  }

  #prepare({
    method,
    path,
    query = {},
    body,
    file,
    accept,
    isStreamed = false,
    ...conditions
  }: Request): PreparedRequest {
    const url = new URL(path, this.#options.origin)
    for (const [name, value] of query instanceof URLSearchParams ? query : Object.entries(query)) {
      if (value !== undefined) url.searchParams.append(name, String(value))
    }
    const headers = new Headers()
    const { key } = this.#options
    if (key === undefined) headers.set('x-requested-with', 'console')
    else headers.set('authorization', `Bearer ${key}`)
    const { idempotencyKey, ifMatch, ifNoneMatch, changeSet } = conditions
    if (accept !== undefined) headers.set('accept', accept)
    if (ifMatch !== undefined) headers.set('if-match', ifMatch)
    if (ifNoneMatch !== undefined) headers.set('if-none-match', ifNoneMatch)
    if (changeSet !== undefined) headers.set('change-set', changeSet)
    if (method === 'POST') headers.set('idempotency-key', idempotencyKey ?? crypto.randomUUID())
    if (method !== 'POST' && method !== 'PUT') return { url: url.href, method, headers, isStreamed }
    headers.set('content-type', file?.type ?? 'application/json')
    return { url: url.href, method, headers, isStreamed, body: file?.data ?? JSON.stringify(body ?? {}) }
  }

  /** Returns what `read` returns, or the error and the wait before a retry in milliseconds; undefined means no retry. */
  async #attempt<Result>(
    { url, headers, isStreamed, ...init }: PreparedRequest,
    signal: AbortSignal | undefined,
    read: (response: Response) => Promise<Result>,
  ) {
    const { fetch = globalThis.fetch, timeoutMs = defaultTimeoutMs } = this.#options
    // The bookmark lets a replica see earlier writes of this client.
    if (this.#bookmark !== undefined) headers.set('d1-bookmark', this.#bookmark)
    const headersLimit = new AbortController()
    const timer = isStreamed ? setTimeout(() => headersLimit.abort(), timeoutMs) : undefined
    const limit = isStreamed ? headersLimit.signal : AbortSignal.timeout(timeoutMs)
    let response: Response
    try {
      // A followed redirect could send the key to another host.
      const sent = { ...init, headers, redirect: 'manual' as const }
      response = await fetch(url, { ...sent, signal: signal ? AbortSignal.any([signal, limit]) : limit })
    } catch (cause) {
      signal?.throwIfAborted()
      return { error: new ConnectionError(`${url} does not respond.`, { cause }), waitMs: 0 }
    } finally {
      if (timer !== undefined) clearTimeout(timer)
    }
    const bookmark = response.headers.get('d1-bookmark')
    if (bookmark !== null && bookmark > (this.#bookmark ?? '')) this.#bookmark = bookmark
    if (response.ok) {
      try {
        return { result: await read(response) }
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error
        return { error, waitMs: 0 }
      }
    }
    const error = await toApiError(response)
    return { error, waitMs: isTemporary(error) ? retryAfterMs(response.headers.get('retry-after')) : undefined }
  }
}

/** Builds a path from segments. Throws `TypeError` for empty segments and dots, which would change the path. */
export const pathTo = (...segments: readonly string[]) =>
  segments
    .map((segment) => {
      if (/^\.{0,2}$/.test(segment)) throw new TypeError(`${JSON.stringify(segment)} is not an id.`)
      return `/${encodeURIComponent(segment)}`
    })
    .join('')

/** Whether an error is temporary. */
export const isTemporary = ({ status, code }: { status: number; code: string }) =>
  status === 429 || status >= 500 || code === 'idempotency_key_in_use' || code === 'busy'

/** Parses `Retry-After`: seconds or a date (RFC 9110); anything else is 0. */
function retryAfterMs(header: string | null): number {
  if (header === null) return 0
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Math.max(Number.isNaN(ms) ? 0 : ms, 0)
}

/** Resolves after a time in milliseconds. Rejects with the signal's reason if it aborts. */
export const pause = (ms: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    const stop = () => {
      if (timer !== undefined) clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })

/** Parses the body of a response; its type follows from the OpenAPI document. */
async function readJson<Body>(response: Response, signal: AbortSignal | undefined): Promise<Body> {
  try {
    return await response.json()
  } catch (cause) {
    return throwUnread(cause, signal)
  }
}
