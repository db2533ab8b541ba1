import * as z from 'zod'
import { getReason } from '../cli-error.ts'

/** A merchant, where it is reached, and a key to it. */
export interface Account {
  /** The service's address, without a slash at its end. */
  url: string
  merchantId: string
  key: string
}

/** The service could not answer now; the same request may succeed later. */
export class Unavailable extends Error {
  /** How long the service asks to be left alone. */
  readonly retryAfterMs: number
  /** What was asked may have been done all the same. */
  readonly isOutcomeKnown: boolean

  constructor(message: string, retryAfterMs: number, isOutcomeKnown: boolean) {
    super(message)
    this.retryAfterMs = retryAfterMs
    this.isOutcomeKnown = isOutcomeKnown
  }
}

/** The service will not do what was asked, and says why. */
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
/** Statuses that speak of the moment, not of the request. */
const temporaryStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])

const problem = z.object({
  detail: z.string(),
  requestId: z.string().optional(),
  errors: z.array(z.object({ pointer: z.string().optional(), message: z.string() })).optional(),
})
const object = z.looseObject({ id: z.string() })
const page = z.array(object)
/** An object of the API, whatever else it has. */
export type ApiObject = z.output<typeof object>

/** What an answer holds; something else answers at the address when it is of another shape. */
function read<Shape extends z.ZodType>(shape: Shape, { status, body }: Answer): z.output<Shape> {
  const result = shape.safeParse(body)
  if (!result.success) throw new ApiRejection(status, ['the answer is not one of this API'])
  return result.data
}

interface Answer {
  status: number
  headers: Headers
  body: unknown
}

/** In seconds or as a date (RFC 9110); anything else asks for nothing. */
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

function createRejection({ status, body }: Answer): ApiRejection {
  const { data } = problem.safeParse(body)
  if (!data) return new ApiRejection(status, [`the service answered ${status}`])
  const { detail, errors = [], requestId } = data
  const reasons = errors.map(({ pointer, message }) => (pointer ? `${pointer} ${message}` : message))
  if (reasons.length > 0) return new ApiRejection(status, reasons)
  return new ApiRejection(status, [status >= 500 ? `${detail} (request ${requestId})` : detail])
}

/** The cursor in a `Link: <…>; rel="next"` header. Only the cursor: whatever host the link names, the key stays with ours. */
function nextCursor(link: string | null): string | undefined {
  const [, target] = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '') ?? []
  return target === undefined ? undefined : (new URL(target, 'http://any').searchParams.get('cursor') ?? undefined)
}

/** One merchant's part of the API. Every call throws `Unavailable` or `Refusal` when it does not succeed. */
export class Connection {
  readonly #account: Account
  #bookmark: string | undefined
  /** Something at the address has answered. */
  hasAnswered = false

  constructor(account: Account) {
    this.#account = account
  }

  async #ask(path: string, init: { method?: string; body?: string } = {}): Promise<Answer> {
    const { url, merchantId, key } = this.#account
    const headers = new Headers({ authorization: `Bearer ${key}` })
    // Reads see what was written, and writes what they name, even where a replica answers.
    if (this.#bookmark !== undefined) headers.set('d1-bookmark', this.#bookmark)
    if (init.body !== undefined) headers.set('content-type', 'application/json')
    let answer: Answer
    try {
      const signal = AbortSignal.timeout(timeoutMs)
      const address = `${url}/merchants/${encodeURIComponent(merchantId)}${path}`
      const response = await fetch(address, { ...init, headers, signal, redirect: 'error' })
      answer = { status: response.status, headers: response.headers, body: parseJson(await response.text()) }
    } catch (error) {
      throw new Unavailable(`${url} does not answer: ${getReason(error)}`, 0, false)
    }
    this.hasAnswered = true
    const bookmark = answer.headers.get('d1-bookmark')
    if (bookmark !== null && bookmark > (this.#bookmark ?? '')) this.#bookmark = bookmark
    if (answer.status < 300) return answer
    const refused = createRejection(answer)
    if (!temporaryStatuses.has(answer.status)) throw refused
    const after = retryAfterMs(answer.headers.get('retry-after'))
    throw new Unavailable(`${url} answers ${answer.status}: ${refused.message}`, after, answer.status === 429)
  }

  /** All objects of a list, oldest first, page by page. */
  async *list(name: string): AsyncGenerator<ApiObject[]> {
    let cursor: string | undefined
    do {
      const query = new URLSearchParams({ limit: '100', order: 'asc', ...(cursor === undefined ? {} : { cursor }) })
      const answer = await this.#ask(`/${name}?${query}`)
      yield read(page, answer)
      cursor = nextCursor(answer.headers.get('link'))
    } while (cursor !== undefined)
  }

  async create(name: string, body: object): Promise<ApiObject> {
    return read(object, await this.#ask(`/${name}`, { method: 'POST', body: JSON.stringify(body) }))
  }
}
