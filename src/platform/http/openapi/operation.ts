import type * as z from 'zod'
import { pageBytes } from '../../db/page-budget.ts'
import type { ProblemCode } from '../../errors.ts'
import type { JsonSchema } from './json-schema.ts'
import { formatSize } from './limit-descriptions.ts'

/** A group of operations, shown as a tag of the document. */
export interface OperationGroup {
  name: string
  description: string
  /** Schemas by names that are unique in the document. `ref` refers to them. */
  schemas?: Readonly<Record<string, JsonSchema>>
  operations: readonly ApiOperation[]
}

/** A method of a path. The document adds problems and parameters that follow from other fields. */
export interface ApiOperation {
  /** Unique, a verb and a noun: `listProducts`. */
  id: string
  method: 'get' | 'post' | 'put' | 'delete'
  /** Full path in Hono's syntax: `/merchants/:merchantId/products`. */
  path: string
  summary: string
  description?: string
  /** Required credential: an API key or a session, a session only, the operator's secret, or none. */
  access: 'key' | 'session' | 'operator' | 'anyone'
  /** Scope that an API key requires, or several that it requires together. */
  scope?: string | readonly string[]
  /** Whether a POST ignores `Idempotency-Key`, because it stores no data of a merchant. */
  ignoresIdempotencyKey?: true
  /** Whether the operation takes the header `Change-Set`. */
  joinsChangeSet?: true
  query?: z.core.$ZodType
  body?: JsonSchema
  /** Whether the request may have no body. */
  isBodyOptional?: true
  /** Content types of a body that is a file, and the schema of each. Replaces `body`. */
  file?: Readonly<Record<string, JsonSchema>>
  /** Example of a valid body. */
  example?: unknown
  /** Conditional request header that the operation accepts. */
  condition?: 'If-Match' | 'If-None-Match'
  /** Responses by status. A status given here is not documented as a problem. */
  responses: Readonly<Record<number, ApiResponse>>
  /** Additional problems of this operation. */
  problems?: readonly ProblemCode[]
}

export interface ApiResponse {
  description: string
  /** Absent: no body. */
  schema?: JsonSchema
  /** Default: `application/json`. Binary content has the schema `{}`. */
  contentType?: string
  /** Schemas of the other content types that a query parameter selects. */
  otherContent?: Readonly<Record<string, JsonSchema>>
  headers?: readonly HeaderName[]
  /** Example of the body. */
  example?: unknown
  /** Problems with the same status, which callers with a key get instead of a page. */
  problems?: readonly ProblemCode[]
}

export type HeaderName =
  | 'Content-Disposition'
  | 'Location'
  | 'Link'
  | 'Search-Match'
  | 'Tags-Omitted'
  | 'ETag'
  | 'External-Id'
  | 'D1-Bookmark'
  | 'Idempotent-Replayed'
  | 'Request-Id'
  | 'API-Version'
  | 'Retry-After'
  | 'Allow'
  | 'WWW-Authenticate'

/** A response with an HTML page. */
export const createPageResponseSpec = (description: string, headers: readonly HeaderName[] = []): ApiResponse => ({
  description,
  schema: { type: 'string' },
  contentType: 'text/html',
  headers,
})

/** A response with one page of a list. */
export const createListResponse = (items: JsonSchema, element: unknown): ApiResponse => ({
  description: `One page of up to ${formatSize(pageBytes)}. A larger object has its own page.`,
  schema: { type: 'array', items },
  example: [element],
  headers: ['Link'],
})

/** A response with a list that has no pages. */
export const createArrayResponse = (
  description: string,
  items: JsonSchema,
  example: readonly unknown[],
): ApiResponse => ({ description, schema: { type: 'array', items }, example })

/** The response to a conditional request for what the client has. */
export const notModified: ApiResponse = {
  description: 'Not modified: the `ETag` matches `If-None-Match`.',
  headers: ['ETag'],
}

/** A word with a capital first letter. */
export const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** The schema of the response to a deletion. */
export const createDeletionSchema = (message: string, object: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: {
    id: { type: 'string', description: 'Id of the deleted object.' },
    object: { description: 'The deleted object.', ...object },
    message: { type: 'string', const: message, description: 'Confirmation for people.' },
    deleted: { type: 'boolean', const: true, description: 'Always `true`.' },
  },
  required: ['id', 'object', 'message', 'deleted'],
})

/** The response to a deletion. */
export const createDeletionResponse = (name: string, schema: JsonSchema, object: { id?: unknown }): ApiResponse => ({
  description: `The deleted ${name}.`,
  schema,
  example: { id: object.id, object, message: `${capitalize(name)} deleted`, deleted: true },
})
