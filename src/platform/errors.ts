/** Status and title of every problem that the service returns. `tools/openapi/problem-descriptions.ts` describes each. */
export const problems = {
  unauthenticated: [401, 'Unauthenticated'],
  forbidden: [403, 'Forbidden'],
  merchant_suspended: [403, 'Merchant suspended'],
  address_not_allowed: [403, 'Address not allowed'],
  assertion_required: [403, 'Assertion required'],
  not_found: [404, 'Not found'],
  gone: [410, 'Gone'],
  events_expired: [410, 'Events expired'],
  method_not_allowed: [405, 'Method not allowed'],
  unsupported_media_type: [415, 'Unsupported media type'],
  body_too_large: [413, 'Body too large'],
  malformed_path: [400, 'Malformed path'],
  malformed_body: [400, 'Malformed body'],
  malformed_bookmark: [400, 'Malformed bookmark'],
  invalid_request: [422, 'Invalid request'],
  batch_failed: [422, 'Batch failed'],
  batch_too_large: [422, 'Batch too large'],
  conflict: [409, 'Conflict'],
  too_many: [409, 'Too many'],
  questions_open: [409, 'Questions open'],
  mapping_changed: [409, 'Mapping changed'],
  confirm_required: [409, 'Confirmation required'],
  unsupported_file: [422, 'Unsupported file'],
  quota_exceeded: [409, 'Quota exceeded'],
  damaged: [409, 'Damaged'],
  not_supported: [409, 'Not supported'],
  idempotency_key_in_use: [409, 'Idempotency key in use'],
  idempotency_key_reused: [422, 'Idempotency key reused'],
  insufficient_stock: [409, 'Insufficient stock'],
  coupon_not_redeemable: [409, 'Coupon not redeemable'],
  unknown_order: [409, 'Unknown order'],
  order_cancelled: [409, 'Order cancelled'],
  order_changed: [409, 'Order changed'],
  release_conflict: [409, 'Release conflict'],
  precondition_failed: [412, 'Precondition failed'],
  rate_limited: [429, 'Too many requests'],
  busy: [503, 'Busy'],
  misconfigured: [503, 'Misconfigured'],
  unavailable: [503, 'Unavailable'],
  internal: [500, 'Internal error'],
} as const

export type ProblemCode = keyof typeof problems

/** Codes of issues: the closed list of codes inside `errors`. */
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
  'ambiguous',
  'conflict',
  'contradicts',
  'not_found',
  'read_only_field',
  'unknown_field',
  'unknown_parameter',
  'stock_not_managed',
  'insufficient_stock',
  'unresolved_reference',
  'precondition_failed',
  'damaged',
  'forbidden',
  'inactive',
  'not_started',
  'expired',
  'limit_reached',
  'customer_limit_reached',
  'customer_required',
  'code_used',
] as const

export type IssueCode = (typeof issueCodes)[number]

/** An issue of one field or query parameter, with its JSON pointer (RFC 6901) or the parameter's name. */
export type Issue = {
  code: IssueCode
  message: string
  /** Units in stock, with `insufficient_stock`. */
  available?: number
  /** Number of objects that would be deleted, with `confirm_required`. */
  count?: number
} & ({ pointer: string } | { parameter: string })

/** Why a coupon cannot be redeemed. */
export interface ProblemReason {
  code: IssueCode
  message: string
}

/** An error that the client sees as a problem. Every other error becomes `internal`, without its message. */
export class ApiError extends Error {
  readonly code: ProblemCode
  readonly issues: readonly Issue[]
  readonly headers: Readonly<Record<string, string>>
  readonly reasons: readonly ProblemReason[]

  constructor(
    code: ProblemCode,
    message: string,
    issues: readonly Issue[] = [],
    headers: Readonly<Record<string, string>> = {},
    reasons: readonly ProblemReason[] = [],
  ) {
    super(message)
    this.code = code
    this.issues = issues
    this.headers = headers
    this.reasons = reasons
  }
}

/** The error of a request with invalid fields or parameters. */
export const invalid = (issues: readonly Issue[]) =>
  new ApiError(
    'invalid_request',
    issues.length === 1 ? 'One value is not valid.' : `${issues.length} values are not valid.`,
    issues,
  )

/** The message of the issue `not_found`: a reference in a body. */
export const unknownReference = 'does not name an object that this key can access'

/** The problem for every object that a key cannot access. It does not reveal whether the object exists. */
export const notFound = () =>
  new ApiError(
    'not_found',
    'The resource does not exist, or this key cannot access it. Test and live mode have separate objects.',
  )

/** Access to a merchant that is suspended or closed. */
export const merchantSuspended = () => new ApiError('merchant_suspended', 'The operator has suspended this merchant.')

/** A temporary failure of the database: the client can repeat the request. The message is only logged. */
export class UnavailableError extends Error {}

/** The database lacks a table or column: migrations of this release are not applied. */
export class MissingMigrationError extends UnavailableError {}
