import type { Problem } from './models.ts'

/** The service returned an error (RFC 9457). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status. */
  readonly status: number
  /** Code of the problem; `unknown` if the response is not from the service, for example from a proxy. */
  readonly code: Problem['code'] | 'unknown'
  /** Id of the request; include it in support requests. */
  readonly requestId: string | undefined
  /** All issues of the body or the query. */
  readonly errors: NonNullable<Problem['errors']>
  /** All reasons why a coupon cannot be redeemed. */
  readonly reasons: NonNullable<Problem['reasons']>

  constructor(status: number, problem: Problem | undefined, requestId: string | undefined) {
    super(problem ? toMessage(problem) : `The service returned ${status}.`)
    this.status = status
    this.code = problem?.code ?? 'unknown'
    this.requestId = problem?.requestId ?? requestId
    this.errors = problem?.errors ?? []
    this.reasons = problem?.reasons ?? []
  }
}

/** The network or the time limit prevented a complete response; see `cause`. The request may have been processed. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

/** Throws an error for an incomplete body, or the reason of the signal if it aborted. */
export function throwUnread(cause: unknown, signal: AbortSignal | undefined): never {
  signal?.throwIfAborted()
  throw new ConnectionError('The response could not be read to its end.', { cause })
}

const toMessage = ({ detail, errors = [] }: Problem) =>
  [detail, ...errors.map((issue) => `${'pointer' in issue ? issue.pointer : issue.parameter} ${issue.message}.`)].join(
    ' ',
  )

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' &&
  value !== null &&
  ['code', 'detail', 'requestId'].every((key) => typeof Reflect.get(value, key) === 'string')

/** Converts an error response, and reads its body. */
export async function toApiError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined)
  const requestId = response.headers.get('request-id') ?? undefined
  return new ApiError(response.status, isProblem(body) ? body : undefined, requestId)
}
