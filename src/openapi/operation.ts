import type * as z from 'zod'
import type { ProblemCode } from '../errors.ts'
import type { JsonSchema } from './json-schema.ts'

/** What the document says of one group of routes. */
export interface OperationGroup {
  name: string
  description: string
  /** Schemas to refer to with `ref`, by names that no other chapter uses. */
  schemas?: Readonly<Record<string, JsonSchema>>
  operations: readonly ApiOperation[]
}

/** One method of one path. What follows from `access`, the path, `query` and `body` need not be said again. */
export interface ApiOperation {
  /** Unique, a verb and a noun: `listProducts`. */
  id: string
  method: 'get' | 'post' | 'delete'
  /** As Hono writes it, the mounts in front included: `/merchants/:merchantId/products`. */
  path: string
  summary: string
  description?: string
  /** Who may call it: the holder of an API key, only the operator, or anyone. */
  access: 'key' | 'operator' | 'anyone'
  /** What an API key must be allowed to do. */
  scope?: string
  query?: z.core.$ZodType
  body?: JsonSchema
  /** A body that it takes. */
  example?: unknown
  /** The header that makes it depend on the state of the object. */
  condition?: 'If-Match' | 'If-None-Match'
  /** By status; one that is told of here, a page for guests for example, is no problem document. */
  responses: Readonly<Record<number, ApiResponse>>
  /** Problems of this operation in particular. */
  problems?: readonly ProblemCode[]
}

export interface ApiResponse {
  description: string
  /** Absent: no body. */
  schema?: JsonSchema
  /** Absent: `application/json`. What is not text has the schema `{}`. */
  contentType?: string
  headers?: readonly HeaderName[]
  /** One such body. */
  example?: unknown
}

export type HeaderName =
  | 'Location'
  | 'Link'
  | 'ETag'
  | 'D1-Bookmark'
  | 'Idempotent-Replayed'
  | 'Request-Id'
  | 'Retry-After'
  | 'Allow'
  | 'WWW-Authenticate'

/** An answer that people read. */
export const createPageResponseSpec = (description: string, headers: readonly HeaderName[] = []): ApiResponse => ({
  description,
  schema: { type: 'string' },
  contentType: 'text/html',
  headers,
})

/** An answer of one page of a list. */
export const createListResponse = (items: JsonSchema, element: unknown): ApiResponse => ({
  description: 'One page: at most 4 MiB, unless one object alone is larger.',
  schema: { type: 'array', items },
  example: [element],
  headers: ['Link'],
})

export const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** What every deletion answers. */
export const createDeletionSchema = (message: string, object: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: {
    id: { type: 'string', description: 'What was deleted.' },
    object: { description: 'What it was like.', ...object },
    message: { type: 'string', const: message, description: 'The same, for people.' },
    deleted: { type: 'boolean', const: true, description: 'Always `true`.' },
  },
  required: ['id', 'object', 'message', 'deleted'],
})

/** A deletion's answer for one object. */
export const createDeletionResponse = (name: string, schema: JsonSchema, object: { id?: unknown }): ApiResponse => ({
  description: `The ${name} as it was.`,
  schema,
  example: { id: object.id, object, message: `${capitalize(name)} deleted`, deleted: true },
})
