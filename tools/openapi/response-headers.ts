import { pageBytes } from '../../src/platform/db/page-budget.ts'
import { maxKeyLength } from '../../src/platform/http/idempotency.ts'
import type { JsonSchema } from '../../src/platform/http/openapi/json-schema.ts'
import { formatSize } from '../../src/platform/http/openapi/limit-descriptions.ts'
import type { ApiOperation, HeaderName } from '../../src/platform/http/openapi/operation.ts'
import { maxChangeSetName } from '../../src/platform/outbox/change-sets.ts'

export const bookmarkHeader = 'D1-Bookmark'

const text: JsonSchema = { type: 'string' }

/** Response headers for clients. */
export const headerDescriptions: Record<HeaderName, { description: string; schema: JsonSchema }> = {
  'Request-Id': { description: 'Id of the request. The logs contain it.', schema: text },
  'API-Version': {
    description: 'Date of the contract that the response follows: `info.x-api-version` of this document.',
    schema: { type: 'string', format: 'date' },
  },
  'D1-Bookmark': {
    description:
      'Bookmark of the database state that the response has seen. A request that sends it sees at least this state.',
    schema: text,
  },
  'Content-Disposition': { description: '`attachment` with the name of the file.', schema: text },
  Location: { description: 'Path of the created object, or target of the redirect.', schema: text },
  Link: {
    description: `\`<…>; rel="next"\`: address of the next page, relative to this page (RFC 8288). Absent on the last page. Follow the link instead of counting objects: a page that would exceed ${formatSize(pageBytes)} ends early.`,
    schema: text,
  },
  'Search-Match': {
    description:
      '`similar` if nothing matches `q` exactly: the objects have names with a word that differs from it by one typing error. Such a list has one page. Absent otherwise.',
    schema: { type: 'string', enum: ['similar'] },
  },
  'Tags-Omitted': {
    description: 'Number of selected tags that are not on the sheet.',
    schema: { type: 'integer' },
  },
  ETag: { description: 'State of the object, for `If-None-Match` and `If-Match`.', schema: text },
  'External-Id': {
    description: 'External id of the object, as percent-encoded UTF-8. Absent if it has none.',
    schema: text,
  },
  'Idempotent-Replayed': {
    description: '`true` if the response repeats that of an earlier request with the same `Idempotency-Key`.',
    schema: text,
  },
  'Retry-After': { description: 'Number of seconds to wait before a retry.', schema: { type: 'integer' } },
  Allow: { description: 'Methods that the path supports.', schema: text },
  'WWW-Authenticate': { description: 'Authentication scheme.', schema: text },
}

/** References to shared headers, by their names. */
export const toHeaderRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Optional request headers and their limits. */
const requestHeaderDescriptions = {
  'If-Match': {
    description: '`ETag` of the expected state. In every other state, the request changes nothing and returns `412`.',
    schema: text,
  },
  'If-None-Match': {
    description: '`ETag` of the state that the client has. If the object has not changed, the response is `304`.',
    schema: text,
  },
  'Idempotency-Key': {
    description:
      'Key that the client generates for each operation, for example a UUID. Within a day, repeated requests with the same key run once and return the same response.',
    schema: { type: 'string', minLength: 1, maxLength: maxKeyLength },
  },
  'Change-Set': {
    description:
      'Name of a change set. Batches of a key with the same name belong to the set of the first one, for an hour. Without it, each batch has a set of its own.',
    schema: { type: 'string', minLength: 1, maxLength: maxChangeSetName },
  },
} as const satisfies Record<string, { description: string; schema: JsonSchema }>

/** Optional headers that an operation takes. */
export const listRequestHeaders = ({ condition, method, ignoresIdempotencyKey, joinsChangeSet }: ApiOperation) => [
  ...(condition ? [condition] : []),
  ...(method === 'post' && !ignoresIdempotencyKey ? (['Idempotency-Key'] as const) : []),
  ...(joinsChangeSet ? (['Change-Set'] as const) : []),
]

/** Optional request headers that at least one operation takes. */
export const requestHeaders = (operations: readonly ApiOperation[]) => ({
  [bookmarkHeader]: { name: bookmarkHeader, in: 'header', ...headerDescriptions[bookmarkHeader] },
  ...Object.fromEntries(
    operations
      .flatMap(listRequestHeaders)
      .map((name) => [name, { name, in: 'header', ...requestHeaderDescriptions[name] }]),
  ),
})
