import { adjustmentRetentionDays } from '../../src/checkout/stock/adjustment-retention.ts'
import { assertionSeconds } from '../../src/platform/auth/assertion.ts'
import type { IssueCode, ProblemCode } from '../../src/platform/errors.ts'
import { limits } from '../../src/platform/http/fields.ts'
import { describeBytes } from '../../src/platform/http/openapi/limit-descriptions.ts'
import { rateLimits } from '../../src/platform/http/rate-limit.ts'
import { pictureRetentionDays } from '../../src/storefront/media/picture-statements.ts'
import { retentionDays } from '../../src/webhooks/event-retention.ts'

const describeLimit = (name: keyof typeof rateLimits) => {
  const { limit, period } = rateLimits[name]
  return `more than ${limit.toLocaleString('en')} requests in ${period} seconds`
}

/** The meaning of each problem for clients, as Markdown. */
export const problemDescriptions: Readonly<Record<ProblemCode, string>> = {
  unauthenticated: 'The API key is missing, malformed, unknown, expired or revoked.',
  forbidden: 'The API key is valid, but not for this merchant, mode or operation.',
  address_not_allowed:
    'The API key, or the key of the session, is limited to other addresses: see its `allowedIps`. Send the request from one of them.',
  merchant_suspended:
    'The operator has suspended or closed the merchant. A change of this state takes up to a minute to apply everywhere.',
  assertion_required: `The session of the console must be confirmed: by a passkey of the member (\`POST /console/passkeys/assertion\`), or by a sign-in of the operator with the token, at most ${assertionSeconds / 60} minutes ago.`,
  not_found: 'The path does not exist, or the object does not exist for this API key.',
  events_expired: `The event in \`after\` is older than ${retentionDays} days. Events after it may be missing: read all objects again, then continue with \`after=latest\`.`,
  gone: 'The tag was deleted. Its codes are never reused.',
  method_not_allowed: 'The path does not support the method. The `Allow` header lists the supported methods.',
  unsupported_media_type:
    'The body must be `application/json` in UTF-8, or a file of a type that the operation accepts, without content encoding.',
  body_too_large: `The body exceeds ${describeBytes(limits.bodyBytes)}, or that of a batch ${describeBytes(limits.batchBytes)}, or a picture ${describeBytes(limits.pictureBytes)}.`,
  malformed_path: 'The percent-encoding of the path cannot be decoded.',
  malformed_body: 'The body is not a JSON object in UTF-8, or it is incomplete.',
  malformed_bookmark: '`D1-Bookmark` is not a bookmark from an earlier response.',
  invalid_request: 'Fields or query parameters are not valid. `errors` lists all issues.',
  batch_failed:
    'At least one operation of an atomic batch fails. Nothing was changed. `errors` lists all issues of all operations.',
  batch_too_large: `The objects that the batch updates have more than ${describeBytes(limits.batchObjectBytes)}. Split the batch.`,
  conflict: 'The request conflicts with an existing object.',
  too_many: `The maximum number of objects is reached, for example ${limits.webhooks} webhooks in each mode. \`detail\` names the limit.`,
  questions_open:
    'The reading of an imported file has open questions. Answer them with `POST /merchants/{merchantId}/imports/{importId}/mapping`.',
  mapping_changed:
    'Somebody else has mapped the import since the revision that the request names. Retrieve the import, and repeat the request with its `revision`.',
  confirm_required:
    'Applying the import would delete more objects than were confirmed. `errors` has their number, `count`. Repeat the request with `confirmDeletes`, the highest number to delete.',
  unsupported_file: 'The file cannot be read. `detail` says what it looks like, and what to do.',
  quota_exceeded: `The pictures of the merchant would have more than ${describeBytes(limits.pictureQuotaBytes)}. Remove pictures from products and menus: unused pictures are deleted after ${pictureRetentionDays} days.`,
  damaged:
    'The service cannot read the stored object. Lists omit it. Delete it, or repair it with an update that sets each unreadable field. `GET /admin/merchants/{merchantId}/damaged` lists these fields for the operator.',
  not_supported:
    'The platform, the home of the merchant, or the stored data does not support this operation. `detail` names an alternative.',
  idempotency_key_in_use: 'A request with the same `Idempotency-Key` is in progress. Try again later.',
  idempotency_key_reused: 'The `Idempotency-Key` was used with a different body or query within the last day.',
  insufficient_stock:
    'At least one product has less stock than the request needs. Nothing was changed. `errors` lists each product with its `available` stock.',
  coupon_not_redeemable: 'The coupon cannot be redeemed. Nothing was changed. `reasons` lists why.',
  unknown_order: `No order of the last ${adjustmentRetentionDays} days has the reference: it was not published yet, or without effects. Nothing was changed.`,
  order_cancelled:
    'The order was cancelled. Its effects cannot be made again under the same reference. Nothing was changed.',
  order_changed:
    'The order was changed by a higher revision, or by the same one with another body. Nothing was changed.',
  release_conflict:
    'Somebody else has changed fields since they were put into the release. `errors` names the first of them. Nothing was changed.',
  precondition_failed: 'The object has changed: its `ETag` does not match `If-Match`.',
  rate_limited: `One API key made ${describeLimit('REQUESTS')}, or one IP address made ${describeLimit('MISSES')} that were rejected or not found. \`Retry-After\` has the time to wait.`,
  busy: 'Too many requests change the object at the same time, writes of the merchant wait for a move or a restore, or the service handles too many large requests. `Retry-After` has the time to wait.',
  misconfigured:
    'The configuration of the service is invalid. `detail` names the setting. The request changed nothing. The operator must correct the setting.',
  unavailable: 'The database does not respond, or lacks a migration. Try again later.',
  internal: 'The service failed. Report the request id to the operator.',
}

/** The meaning of each issue of a field or query parameter. */
export const issueDescriptions: Readonly<Record<IssueCode, string>> = {
  required: 'The field is required.',
  invalid_type: 'The value has the wrong JSON type.',
  invalid_format: 'The string does not have the required format.',
  invalid_value: 'The value is not an allowed value.',
  invalid_character: 'The string contains NUL or an unpaired surrogate.',
  too_short: 'The string is too short.',
  too_long: 'The string is too long.',
  too_small: 'The number is too small.',
  too_large: 'The number is too large.',
  too_precise: 'The number has too many decimal places.',
  too_many: 'The list has too many elements.',
  contradicts: 'The value contradicts another field: a diet, and what the product contains.',
  duplicate: 'The list contains the value twice.',
  ambiguous: 'The key selects more than one object.',
  conflict: 'The field contradicts another field.',
  not_found: 'The object does not exist for this merchant and mode.',
  read_only_field: 'Only the service sets the field.',
  unknown_field: 'The resource does not have the field.',
  unknown_parameter: 'The operation does not have the query parameter.',
  stock_not_managed: 'The stock of the product is not managed.',
  insufficient_stock: 'The stock is too low for the request.',
  unresolved_reference: 'The `ref` does not belong to an operation of the batch, or belongs to a failed one.',
  precondition_failed: 'The object of the operation has changed since `ifMatch`.',
  damaged: 'The service cannot read the object of the operation.',
  forbidden: 'The API key does not allow the operation.',
  inactive: 'The coupon is not active.',
  not_started: 'The period of the coupon has not started.',
  expired: 'The period of the coupon has ended.',
  limit_reached: 'The coupon has reached its maximum number of redemptions. Holds count.',
  customer_limit_reached: 'The customer has reached the maximum number of redemptions of the coupon. Holds count.',
  code_used: 'Another order uses the single-use code.',
  customer_required: 'The coupon has a limit for each customer. The request must name the customer.',
}
