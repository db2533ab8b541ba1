import { type IssueCode, type ProblemCode, problems } from '../errors.ts'
import { limits } from '../http/fields.ts'
import { rateLimits } from '../http/rate-limit.ts'

const describeLimit = (name: keyof typeof rateLimits) => {
  const { limit, period } = rateLimits[name]
  return `more than ${limit.toLocaleString('en')} requests in ${period} seconds`
}

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code)
export const problemCodes = Object.keys(problems).filter(isProblemCode)

/** What each problem means to whoever gets it; what stands in backticks is code. */
export const problemDescriptions: Readonly<Record<ProblemCode, string>> = {
  unauthenticated: 'No API key, or one that is malformed, unknown, expired or revoked.',
  forbidden: 'The key is good, but not for this merchant, this mode or this operation.',
  not_found: 'Nothing is there: no such path, or no such object for this key.',
  gone: 'The tag was deleted; its codes are never used again.',
  method_not_allowed: 'The path exists; the Allow header lists its methods.',
  unsupported_media_type: 'A body must be sent as application/json, in UTF-8, unencoded.',
  body_too_large: 'A body may have at most 262,144 bytes (256 KiB).',
  malformed_path: 'The percent-encoding of the path cannot be decoded.',
  malformed_body: 'The body is not a JSON object in UTF-8.',
  malformed_bookmark: 'D1-Bookmark takes only what an earlier answer carried in it.',
  invalid_request: 'Fields or query parameters break a rule; `errors` names every one.',
  conflict: 'What was sent collides with something that exists already.',
  too_many: `The merchant has as many of these in this mode as it may have: ${limits.webhooks} webhooks. Delete one first.`,
  damaged:
    'The object is stored in a form that the service cannot read. Lists leave it out. It can be deleted, or repaired by an update that sets each unreadable field; `GET /admin/merchants/{merchantId}/damaged` names them to the operator.',
  idempotency_key_in_use: 'A request with the same `Idempotency-Key` is being answered. Ask again.',
  idempotency_key_reused: 'The `Idempotency-Key` was used within a day, with another body.',
  precondition_failed: 'The object is not in the state that `If-Match` names: it was changed since.',
  rate_limited: `Too much at once: ${describeLimit('REQUESTS')} with one key, or ${describeLimit('MISSES')} from one address that are refused or lead nowhere. \`Retry-After\` says when to go on.`,
  busy: 'The object is being changed by too many requests at once. Try again.',
  misconfigured:
    'The service is not configured as it must be; `detail` names the setting. Nothing was done. Its operator has to put it right.',
  unavailable: 'The database does not answer, or its migrations are not applied. Try again.',
  internal: 'A fault of ours. Quote the request id.',
}

/** What is wrong with one field or query parameter. */
export const issueDescriptions: Readonly<Record<IssueCode, string>> = {
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
}
