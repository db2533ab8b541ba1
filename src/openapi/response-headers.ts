import { maxKeyLength } from '../http/idempotency.ts'
import type { JsonSchema } from './json-schema.ts'
import type { ApiOperation, HeaderName } from './operation.ts'

export const bookmarkHeader = 'D1-Bookmark'

const text: JsonSchema = { type: 'string' }

/** Every header that answers carry, of those that clients read. */
export const headerDescriptions: Record<HeaderName, { description: string; schema: JsonSchema }> = {
  'Request-Id': { description: 'The request, as the logs know it.', schema: text },
  'D1-Bookmark': {
    description:
      'How far the answer has seen what was written. Sent along with the next request, it makes sure that one sees no less.',
    schema: text,
  },
  Location: { description: 'The path of what was made, or where to go on.', schema: text },
  Link: {
    description:
      '`<…>; rel="next"`: the next page, relative to the address of this one; absent on the last one (RFC 8288). Follow it rather than count: a page that would exceed 4 MiB ends early.',
    schema: text,
  },
  ETag: { description: 'The state of the object, for `If-None-Match` and `If-Match`.', schema: text },
  'Idempotent-Replayed': {
    description: '`true` where an earlier request with the same `Idempotency-Key` was answered so.',
    schema: text,
  },
  'Retry-After': { description: 'After how many seconds to try again.', schema: { type: 'integer' } },
  Allow: { description: 'The methods of the path.', schema: text },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: text },
}

export const toHeaderRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Headers that some requests may carry, and their limits. */
const requestHeaderDescriptions = {
  'If-Match': { description: 'The `ETag` of the state that is meant: in any other, nothing is done.', schema: text },
  'If-None-Match': {
    description: 'The `ETag` of what is known already: if it still holds, the answer is `304`.',
    schema: text,
  },
  'Idempotency-Key': {
    description:
      'Made up by the client, once for each thing it wants done, a UUID for example: within a day, the same request with the same key is done once and answered alike, however often it comes.',
    schema: { type: 'string', minLength: 1, maxLength: maxKeyLength },
  },
} as const satisfies Record<string, { description: string; schema: JsonSchema }>

/** Those that an operation takes. */
export const listRequestHeaders = ({ condition, method }: ApiOperation) => [
  ...(condition ? [condition] : []),
  ...(method === 'post' ? (['Idempotency-Key'] as const) : []),
]

/** Headers that requests may carry, as far as any operation takes them. */
export const requestHeaders = (operations: readonly ApiOperation[]) => ({
  [bookmarkHeader]: { name: bookmarkHeader, in: 'header', ...headerDescriptions[bookmarkHeader] },
  ...Object.fromEntries(
    operations
      .flatMap(listRequestHeaders)
      .map((name) => [name, { name, in: 'header', ...requestHeaderDescriptions[name] }]),
  ),
})
