import * as z from 'zod'
import { getReason } from '../cli-error.ts'

/** A merchant, its service, and a key. */
export interface MerchantAccount {
  /** Origin of the service, without a trailing slash. */
  url: string
  merchantId: string
  key: string
}

/** A temporary failure: the same request may succeed later. */
export class Unavailable extends Error {
  /** Minimum wait before the next request, in milliseconds; from `Retry-After`. */
  readonly retryAfterMs: number
  /** False if the service may have processed the request although no response arrived. */
  readonly isOutcomeKnown: boolean

  constructor(message: string, retryAfterMs: number, isOutcomeKnown: boolean) {
    super(message)
    this.retryAfterMs = retryAfterMs
    this.isOutcomeKnown = isOutcomeKnown
  }
}

/** The service rejected a request. */
export class ApiRejection extends Error {
  readonly status: number
  readonly reasons: readonly string[]

  constructor(status: number, reasons: readonly string[]) {
    super(reasons.join('; '))
    this.status = status
    this.reasons = reasons
  }
}

const timeoutMs = 60_000
/** Statuses of temporary failures. */
const temporaryStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])

const problem = z.object({
  detail: z.string(),
  requestId: z.string().optional(),
  errors: z.array(z.object({ pointer: z.string().optional(), message: z.string() })).optional(),
})
const object = z.looseObject({ id: z.string(), externalId: z.string().optional() })
const page = z.array(object)
/** An object of the API: its id and its other fields. */
export type ApiObject = z.output<typeof object>

/** Parses a response. Throws if another service responds at the address. */
function read<Shape extends z.ZodType>(shape: Shape, { status, body }: ApiResponse): z.output<Shape> {
  const result = shape.safeParse(body)
  if (!result.success) throw new ApiRejection(status, ['the response is not one of this API'])
  return result.data
}

interface ApiResponse {
  status: number
  headers: Headers
  body: unknown
}

/** Parses `Retry-After`: seconds or a date (RFC 9110); anything else is 0. */
function retryAfterMs(header: string | null): number {
  if (header === null) return 0
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Math.max(Number.isNaN(ms) ? 0 : ms, 0)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function createRejection({ status, body }: ApiResponse): ApiRejection {
  const { data } = problem.safeParse(body)
  if (!data) return new ApiRejection(status, [`the service returned ${status}`])
  const { detail, errors = [], requestId } = data
  const reasons = errors.map(({ pointer, message }) => (pointer ? `${pointer} ${message}` : message))
  if (reasons.length > 0) return new ApiRejection(status, reasons)
  return new ApiRejection(status, [status >= 500 ? `${detail} (request ${requestId})` : detail])
}

/** The cursor of a `Link: <…>; rel="next"` header. Its host is ignored, so that the key is never sent elsewhere. */
function nextCursor(link: string | null): string | undefined {
  const [, target] = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '') ?? []
  return target === undefined
    ? undefined
    : (new URL(target, 'http://service.invalid').searchParams.get('cursor') ?? undefined)
}

/** The API of one merchant. Every method throws `Unavailable` or `ApiRejection` on failure. */
export class ApiConnection {
  readonly #account: MerchantAccount
  #bookmark: string | undefined
  /** Whether a response has arrived. */
  hasResponded = false

  constructor(account: MerchantAccount) {
    this.#account = account
  }

  async #send(
    path: string,
    init: { method?: string; body?: string; headers?: Record<string, string> } = {},
  ): Promise<ApiResponse> {
    const { url, merchantId, key } = this.#account
    const headers = new Headers({ ...init.headers, authorization: `Bearer ${key}` })
    // The bookmark lets a replica see earlier writes of this connection.
    if (this.#bookmark !== undefined) headers.set('d1-bookmark', this.#bookmark)
    if (init.body !== undefined) headers.set('content-type', 'application/json')
    let response: ApiResponse
    try {
      const signal = AbortSignal.timeout(timeoutMs)
      const address = `${url}/merchants/${encodeURIComponent(merchantId)}${path}`
      const received = await fetch(address, { ...init, headers, signal, redirect: 'error' })
      response = { status: received.status, headers: received.headers, body: parseJson(await received.text()) }
    } catch (error) {
      throw new Unavailable(`${url} does not respond: ${getReason(error)}`, 0, false)
    }
    this.hasResponded = true
    const bookmark = response.headers.get('d1-bookmark')
    if (bookmark !== null && bookmark > (this.#bookmark ?? '')) this.#bookmark = bookmark
    if (response.status < 300) return response
    const rejection = createRejection(response)
    if (!temporaryStatuses.has(response.status)) throw rejection
    const after = retryAfterMs(response.headers.get('retry-after'))
    throw new Unavailable(`${url} returned ${response.status}: ${rejection.message}`, after, response.status === 429)
  }

  /** Yields a list page by page, oldest object first. */
  async *list(name: string): AsyncGenerator<ApiObject[]> {
    let cursor: string | undefined
    do {
      const query = new URLSearchParams({
        limit: '100',
        order: 'asc',
        include: 'externalId',
        ...(cursor === undefined ? {} : { cursor }),
      })
      const response = await this.#send(`/${name}?${query}`)
      yield read(page, response)
      cursor = nextCursor(response.headers.get('link'))
    } while (cursor !== undefined)
  }

  async create(name: string, body: object): Promise<ApiObject> {
    return read(object, await this.#send(`/${name}`, { method: 'POST', body: JSON.stringify(body) }))
  }

  /** Creates the object with an external id. Updates an existing one, or with `createOnly` throws `ApiRejection`. */
  async upsert(name: string, externalId: string, body: object, createOnly: boolean): Promise<ApiObject> {
    return read(
      object,
      await this.#send(`/${name}/external/${encodeURIComponent(externalId)}`, {
        method: 'PUT',
        body: JSON.stringify(body),
        headers: createOnly ? { 'if-none-match': '*' } : {},
      }),
    )
  }

  /** Gives an object its external id. */
  async setExternalId(name: string, id: string, externalId: string): Promise<void> {
    await this.#send(`/${name}/${encodeURIComponent(id)}/external-id`, {
      method: 'POST',
      body: JSON.stringify({ externalId }),
    })
  }
}
