import type * as z from 'zod'
import type { ProblemCode } from '../../platform/errors.ts'
import { exampleId } from '../../platform/http/openapi/examples.ts'
import { inputSchema, type JsonSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import { type ApiOperation, capitalize, createDeletionResponse } from '../../platform/http/openapi/operation.ts'
import { externalIdRules } from './routes.ts'

/** The schema of an object with the fields that a request can include. */
export const withIncludedFields = (schema: JsonSchema, details?: string): JsonSchema => ({
  ...schema,
  properties: {
    ...schema.properties,
    externalId: {
      type: 'string',
      description: 'External id of the object. Only in lists and retrievals with `?include=externalId`.',
    },
    version: {
      type: 'integer',
      minimum: 1,
      description: 'Version of the object, as in its events. Only in lists and retrievals with `?include=version`.',
    },
    ...(details !== undefined && {
      details: {
        ...ref(details),
        description: 'Details of the object. Only in lists and retrievals with `?include=details`.',
      },
    }),
  },
})

const example = 'ARTICLE-17'

const externalIdSchema: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'Id of the object.' },
    externalId: { type: ['string', 'null'], description: 'External id of the object. `null`: no external id.' },
  },
  required: ['id', 'externalId'],
}

interface Documented {
  name: string
  path: string
  /** Names of schemas of the document. */
  schemas: Readonly<Record<'body' | 'update' | 'view' | 'full' | 'created' | 'deleted', string>>
  examples: Readonly<Record<'body' | 'created' | 'full', object>> & { view: { id?: unknown } }
  /** Query of a retrieval. */
  query: z.core.$ZodType
  /** Whether retrievals show objects as they were. */
  isPast: boolean
  /** Problems of a create that only some resources have. */
  problems: readonly ProblemCode[]
}

/** The operations that name an object by its external id, and the one that sets it. */
export function createExternalIdOperations({
  name,
  path,
  schemas,
  examples,
  query,
  isPast,
  problems,
}: Documented): ApiOperation[] {
  const one = capitalize(name)
  const collection = `/merchants/:merchantId/${path}`
  const object = `${collection}/external/:externalId`
  const reading = { access: 'key', scope: `${path}:read` } as const
  const writing = { access: 'key', scope: `${path}:write` } as const
  const stateHeaders = ['ETag', 'External-Id'] as const
  return [
    {
      id: `retrieve${one}ByExternalId`,
      method: 'get',
      path: object,
      summary: `Retrieve a ${name} by its external id`,
      ...reading,
      query,
      condition: 'If-None-Match',
      responses: {
        200: { description: `The ${name}.`, schema: ref(schemas.full), headers: stateHeaders, example: examples.full },
      },
      problems: isPast ? ['not_found', 'events_expired', 'damaged'] : ['not_found', 'damaged'],
    },
    {
      id: `upsert${one}`,
      method: 'put',
      path: object,
      summary: `Create or update a ${name} by its external id`,
      description: `Creates a ${name} if no ${name} has the external id. Otherwise merges the body into the object, like an update. Required fields can then be omitted, and options and sections without an id keep the id of the part with the same label or title. Concurrent first requests create one object. \`If-None-Match: *\` only creates, \`If-Match\` only updates: otherwise the response is \`412\`.`,
      ...writing,
      body: {
        description: `\`${schemas.body}\` if no ${name} has the external id, otherwise \`${schemas.update}\`.`,
        anyOf: [ref(schemas.body), ref(schemas.update)],
      },
      example: examples.body,
      condition: 'If-Match',
      responses: {
        200: {
          description: `The updated ${name}.`,
          schema: ref(schemas.view),
          headers: stateHeaders,
          example: examples.view,
        },
        201: {
          description: `The new ${name}.`,
          schema: ref(schemas.created),
          headers: ['Location', ...stateHeaders],
          example: examples.created,
        },
      },
      problems: ['conflict', ...problems, 'damaged'],
    },
    {
      id: `delete${one}ByExternalId`,
      method: 'delete',
      path: object,
      summary: `Delete a ${name} by its external id`,
      description: 'Another object can then use the external id.',
      ...writing,
      condition: 'If-Match',
      responses: { 200: createDeletionResponse(name, ref(schemas.deleted), examples.view) },
      problems: ['not_found'],
    },
    {
      id: `set${one}ExternalId`,
      method: 'post',
      path: `${collection}/:${name}Id/external-id`,
      summary: `Set or clear the external id of a ${name}`,
      description: `Increases the version of the ${name} and raises \`${name}.updated\`. Returns \`409\` if another ${name} has the external id.`,
      ...writing,
      body: inputSchema(externalIdRules.schema),
      example: { externalId: example },
      condition: 'If-Match',
      responses: {
        200: {
          description: 'The id and the external id.',
          schema: externalIdSchema,
          headers: stateHeaders,
          example: { id: exampleId(String(examples.view.id).split('_')[0] ?? ''), externalId: example },
        },
      },
      problems: ['not_found', 'conflict', 'damaged'],
    },
  ]
}
