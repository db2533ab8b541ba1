/** Every problem the service reports: its status and title. `openapi/problem-descriptions.ts` says what each means. */
export const problems = {
  unauthenticated: [401, 'Unauthenticated'],
  forbidden: [403, 'Forbidden'],
  not_found: [404, 'Not found'],
  gone: [410, 'Gone'],
  method_not_allowed: [405, 'Method not allowed'],
  unsupported_media_type: [415, 'Unsupported media type'],
  body_too_large: [413, 'Body too large'],
  malformed_path: [400, 'Malformed path'],
  malformed_body: [400, 'Malformed body'],
  malformed_bookmark: [400, 'Malformed bookmark'],
  invalid_request: [422, 'Invalid request'],
  conflict: [409, 'Conflict'],
  too_many: [409, 'Too many'],
  damaged: [409, 'Damaged'],
  idempotency_key_in_use: [409, 'Idempotency key in use'],
  idempotency_key_reused: [422, 'Idempotency key reused'],
  precondition_failed: [412, 'Precondition failed'],
  rate_limited: [429, 'Too many requests'],
  busy: [503, 'Busy'],
  misconfigured: [503, 'Misconfigured'],
  unavailable: [503, 'Unavailable'],
  internal: [500, 'Internal error'],
} as const

export type ProblemCode = keyof typeof problems

/** What can be wrong with one field or query parameter; the closed list of codes inside `errors`. */
export const issueCodes = [
  'required',
  'invalid_type',
  'invalid_format',
  'invalid_value',
  'invalid_character',
  'too_short',
  'too_long',
  'too_small',
  'too_large',
  'too_precise',
  'too_many',
  'duplicate',
  'conflict',
  'not_found',
  'read_only_field',
  'unknown_field',
  'unknown_parameter',
] as const

export type IssueCode = (typeof issueCodes)[number]

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

/** The database does not answer, or says that it cannot: the client may try again. What it says is for the log alone. */
export class UnavailableError extends Error {}

/** The database lacks a table or a column: migrations of this release are not applied. */
export class MissingMigrationError extends UnavailableError {}
