import type { ErrorHandler, NotFoundHandler } from 'hono'
import type { Env } from '../env.ts'

/** Every problem the service reports: its status, and what it means to whoever reads the documentation. */
export const problems = {
  unauthenticated: [401, 'Unauthenticated', 'No API key, or one that is malformed, unknown, expired or revoked.'],
  forbidden: [403, 'Forbidden', 'The key is good, but not for this merchant, this mode or this operation.'],
  not_found: [404, 'Not found', 'Nothing is there: no such path, or no such object for this key.'],
  gone: [410, 'Gone', 'The tag was deleted; its codes are never used again.'],
  method_not_allowed: [405, 'Method not allowed', 'The path exists; the Allow header lists its methods.'],
  unsupported_media_type: [
    415,
    'Unsupported media type',
    'A body must be sent as application/json, in UTF-8, unencoded.',
  ],
  body_too_large: [413, 'Body too large', 'A body may have at most 262,144 bytes (256 KiB).'],
  malformed_path: [400, 'Malformed path', 'The percent-encoding of the path cannot be decoded.'],
  malformed_body: [400, 'Malformed body', 'The body is not a JSON object in UTF-8.'],
  malformed_bookmark: [400, 'Malformed bookmark', 'D1-Bookmark takes only what an earlier answer carried in it.'],
  invalid_request: [422, 'Invalid request', 'Fields or query parameters break a rule; `errors` names every one.'],
  conflict: [409, 'Conflict', 'What was sent collides with something that exists already.'],
  busy: [503, 'Busy', 'The object is being changed by too many requests at once. Try again.'],
  unavailable: [503, 'Unavailable', 'The database does not answer. Try again.'],
  internal: [500, 'Internal error', 'A fault of ours. Quote the request id.'],
} as const

export type ProblemCode = keyof typeof problems

/** What can be wrong with one field or query parameter; the closed list of codes inside `errors`. */
export const issueCodes = {
  required: 'The field must be given.',
  invalid_type: 'The value is of another JSON type than the field.',
  invalid_format: 'The text does not have the form the field needs.',
  invalid_value: 'The value is not one of those allowed.',
  invalid_character: 'The text holds NUL or half of a surrogate pair.',
  too_short: 'The text has too few characters.',
  too_long: 'The text has too many characters.',
  too_small: 'The number is too small.',
  too_large: 'The number is too large.',
  too_precise: 'The number has too many decimals.',
  too_many: 'The list has too many elements.',
  duplicate: 'The same value stands in the list twice.',
  conflict: 'The field contradicts another one.',
  not_found: 'No such object for this merchant in this mode.',
  read_only_field: 'The field is set by the service.',
  unknown_field: 'The resource has no such field.',
  unknown_parameter: 'The operation has no such query parameter.',
} as const

export type IssueCode = keyof typeof issueCodes

/** One fault: where it is (a JSON pointer, RFC 6901, or the name of a query parameter) and what it is. */
export type Issue = { code: IssueCode; message: string } & ({ pointer: string } | { parameter: string })

/** An error the client may read. Whatever else is thrown leaves as `internal`, with no detail. */
export class ApiError extends Error {
  readonly code: ProblemCode
  readonly issues: readonly Issue[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ProblemCode,
    message: string,
    issues: readonly Issue[] = [],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
    this.code = code
    this.issues = issues
    this.headers = headers
  }
}

export const invalid = (issues: readonly Issue[]) =>
  new ApiError(
    'invalid_request',
    issues.length === 1 ? 'One value is not valid.' : `${issues.length} values are not valid.`,
    issues,
  )

/** One and the same answer for whatever a key cannot see, so that it does not tell what exists elsewhere. */
export const notFound = () => new ApiError('not_found', 'There is nothing here for this key.')

/** An error body: RFC 9457, `application/problem+json`. */
export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  code: ProblemCode
  requestId: string
  errors?: readonly Issue[]
}

function problemResponse({ code, message, issues, headers }: ApiError, requestId: string): Response {
  const [status, title] = problems[code]
  const problem: Problem = { type: `/docs/errors#${code}`, title, status, detail: message, code, requestId }
  const body: Problem = issues.length > 0 ? { ...problem, errors: issues } : problem
  return Response.json(body, {
    status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
  })
}

/** D1's own failures, as opposed to those of a statement: the client may try again. */
const unavailable =
  /D1_ERROR: .*(?:overloaded|connection lost|time(?:d )?out|reset|internal error|exceeded|transient|disconnected)/i

function toApiError(error: Error, requestId: string): ApiError {
  if (error instanceof ApiError) return error
  console.error(JSON.stringify({ requestId, error: error.message, stack: error.stack }))
  return unavailable.test(error.message)
    ? new ApiError('unavailable', 'The service cannot reach its database. Try again.', [], { 'retry-after': '1' })
    : new ApiError('internal', 'Something went wrong on our side.')
}

export const onError: ErrorHandler<Env> = (error, c) =>
  problemResponse(toApiError(error, c.var.requestId), c.var.requestId)

export const onNotFound: NotFoundHandler<Env> = (c) => problemResponse(notFound(), c.var.requestId)

type Statuses = (typeof problems)[ProblemCode][0]
/** The error answers of every operation, for the type of the client. */
export type ErrorResponses = { [Status in Statuses]: { json: Problem } }
