import type { Problem } from './models.ts'

/** The service refused a request, and says why (RFC 9457). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status. */
  readonly status: number
  /** What went wrong, of a closed list; `unknown` where something else has answered, a proxy for instance. */
  readonly code: Problem['code'] | 'unknown'
  /** What to name when asking the service's operator. */
  readonly requestId: string | undefined
  /** Every fault of the body or the query. */
  readonly errors: NonNullable<Problem['errors']>

  constructor(status: number, problem: Problem | undefined, requestId: string | undefined) {
    super(problem ? toMessage(problem) : `The service answered ${status}.`)
    this.status = status
    this.code = problem?.code ?? 'unknown'
    this.requestId = problem?.requestId ?? requestId
    this.errors = problem?.errors ?? []
  }
}

/** No answer came: the network, or the time limit. What was asked may have been done; the cause is in `cause`. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

const toMessage = ({ detail, errors = [] }: Problem) =>
  [detail, ...errors.map((issue) => `${'pointer' in issue ? issue.pointer : issue.parameter} ${issue.message}.`)].join(
    ' ',
  )

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' &&
  value !== null &&
  ['code', 'detail', 'requestId'].every((key) => typeof Reflect.get(value, key) === 'string')

/** The error that an answer is; its body is read. */
export async function toApiError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined)
  const requestId = response.headers.get('request-id') ?? undefined
  return new ApiError(response.status, isProblem(body) ? body : undefined, requestId)
}
