import { type JsonSchema, ref } from '../../../platform/http/openapi/json-schema.ts'
import { type ApiOperation, capitalize } from '../../../platform/http/openapi/operation.ts'
import type { ResourceDefinition } from '../definition.ts'

const seconds = 'in seconds since 1970-01-01 UTC'
const idList = (description: string, members: Readonly<Record<string, string>>): JsonSchema => ({
  type: 'array',
  description,
  items: {
    type: 'object',
    required: Object.keys(members),
    properties: Object.fromEntries(
      Object.entries(members).map(([name, text]) => [name, { type: 'string', description: text }]),
    ),
  },
})

/** Name of the schema of a deleted object in lists. */
export const toRestorableName = (name: string) => `Restorable${capitalize(name)}`

/** The schemas of a deleted object in lists, and of a restored one. `full` is the schema of an object. */
export function createRestoreSchemas(
  { name }: Pick<ResourceDefinition, 'name'>,
  full: JsonSchema,
): Readonly<Record<string, JsonSchema>> {
  return {
    [toRestorableName(name)]: {
      type: 'object',
      description: `A deleted ${name} that can be restored.`,
      required: ['id', 'deletedAt', 'title', 'object'],
      properties: {
        id: { type: 'string', description: `Id of the ${name}.` },
        deletedAt: { type: 'integer', description: `Time of the deletion, ${seconds}.` },
        by: {
          type: 'string',
          description: 'Id of the API key or the member that deleted it. Absent for deletions by the service.',
        },
        title: {
          type: 'string',
          description: 'Title, name of the person or location of the tag. Empty if it has none.',
        },
        object: ref(capitalize(name)),
      },
    },
    [`${capitalize(name)}Restored`]: {
      ...full,
      required: [...(full.required ?? []), 'restored'],
      properties: {
        ...full.properties,
        restored: {
          type: 'object',
          description: 'Parts that returned with the object, and parts that did not.',
          required: ['omitted', 'placed'],
          properties: {
            omitted: idList(
              'References to objects that no longer exist, and the external id if another object has it.',
              {
                field: 'Name of the field.',
                id: 'The id that was left out.',
              },
            ),
            placed: idList('Objects that name the restored one again.', {
              resource: 'Path of the resource.',
              id: 'Id of the object.',
            }),
          },
        },
      },
    },
  }
}

/** The operation that restores an object. */
export const createRestoreOperation = (
  { name, path }: Pick<ResourceDefinition, 'name' | 'path'>,
  problems: ApiOperation['problems'],
  example: object,
): ApiOperation => ({
  id: `restore${capitalize(name)}`,
  method: 'post',
  path: `/merchants/:merchantId/${path}/:${name}Id/restore`,
  summary: `Restore a deleted ${name}`,
  description: `Brings back a ${name} that was deleted in the last 30 days, with its id, its details and everything else that the deletion removed, behind the neighbors that it had in other objects. References to objects that no longer exist are left out and named in \`restored\`. An existing ${name} is returned unchanged. Raises \`${name}.created\` with \`restored: true\`.`,
  access: 'key',
  scope: `${path}:write`,
  responses: {
    200: {
      description: `The ${name}.`,
      schema: ref(`${capitalize(name)}Restored`),
      headers: ['ETag', 'External-Id'],
      example: { ...example, restored: { omitted: [], placed: [] } },
    },
  },
  problems: ['not_found', 'gone', 'damaged', ...(problems ?? [])],
})
