import type * as z from 'zod'
import {
  inputSchema,
  type JsonSchema,
  outputSchema,
  ref,
  responseSchema,
  withFields,
} from '../../platform/http/openapi/json-schema.ts'
import {
  capitalize,
  createDeletionResponse,
  createDeletionSchema,
  createListResponse,
  type OperationGroup,
} from '../../platform/http/openapi/operation.ts'
import { objectQuery, objectQueryWithDetails } from '../../platform/http/pagination.ts'
import { resourceList } from '../resources/registry.ts'
import type { ResourceDefinition } from './definition.ts'
import { createRestoreOperation, createRestoreSchemas, toRestorableName } from './deleted/deleted.operations.ts'
import { toDetailsName } from './details/details.operations.ts'
import { createExample, type ExampleResource } from './example.operations.ts'
import { createExternalIdOperations, withIncludedFields } from './external-ids.operations.ts'
import { createVersionsOperation, withPast } from './history/history.operations.ts'

/** The parts of a resource that the document needs. Narrower than `Resource`, so that all resources have one type. */
interface Documented
  extends ExampleResource,
    Pick<ResourceDefinition, 'name' | 'path' | 'uniqueFields' | 'maxPerMode' | 'isRestorable'> {
  create: ExampleResource['create'] & { schema: z.core.$ZodType; readOnly: ReadonlySet<string> }
  update: { schema: z.core.$ZodType }
  query: z.core.$ZodType
  view: z.core.$ZodType
  full: z.core.$ZodType
  createdOnly: z.core.$ZodType
}

/** The operations of a resource and their schemas. */
async function createGroup(resource: Documented): Promise<OperationGroup> {
  const {
    name,
    path,
    uniqueFields,
    maxPerMode,
    isRestorable,
    create,
    update,
    query,
    view,
    full,
    createdOnly,
    examples,
  } = resource
  const [one, many] = [capitalize(name), capitalize(path)]
  const collection = `/merchants/:merchantId/${path}`
  const object = `${collection}/:${name}Id`
  const reading = { access: 'key', scope: `${path}:read` } as const
  const writing = { access: 'key', scope: `${path}:write` } as const
  const conflicts = Object.keys(uniqueFields).length > 0 ? (['conflict'] as const) : []
  const limited = maxPerMode === undefined ? [] : (['too_many'] as const)

  // Describes it in words, because the keyword `readOnly` would forbid the field in events, which are requests.
  const asShown = (schema: z.core.$ZodType) =>
    withFields(responseSchema(resource, schema), (field, key) =>
      create.readOnly.has(key)
        ? { ...field, description: `${field.description ?? ''} Set by the service.`.trim() }
        : field,
    )
  const description = outputSchema(view).description ?? outputSchema(full).description
  if (description === undefined) throw new Error(`The resource ${name} has no description.`)
  const details = toDetailsName(name)
  const retrieveQuery = details === undefined ? objectQuery : objectQueryWithDetails
  const revealed = withIncludedFields({ description, ...asShown(full) }, details)
  // Only some resources have fields that lists do not show. The others need no second schema.
  const fullName = full === view ? one : `${one}Full`
  // Only some resources have fields that are shown only in the response to create.
  const shownOnce = outputSchema(createdOnly)
  const isShownOnce = Object.keys(shownOnce.properties ?? {}).length > 0
  const createdName = isShownOnce ? `${one}Created` : fullName
  const example = await createExample(resource, examples.create)
  const changed = await createExample(resource, { ...examples.create, ...examples.update })

  const listed = isRestorable ? { anyOf: [ref(one), ref(toRestorableName(name))] } : ref(one)
  return {
    name: many,
    description,
    schemas: {
      [`${one}Create`]: withDefaults(inputSchema(create.schema), resource),
      [`${one}Update`]: inputSchema(update.schema),
      [one]: withIncludedFields(asShown(view), details),
      [fullName]: revealed,
      ...(isShownOnce && {
        [createdName]: {
          ...revealed,
          properties: { ...revealed.properties, ...shownOnce.properties },
          required: [...(revealed.required ?? []), ...(shownOnce.required ?? [])],
        },
      }),
      ...(isRestorable && createRestoreSchemas(resource, revealed)),
      [`${one}Deleted`]: createDeletionSchema(`${one} deleted`, readable(asShown(view))),
    },
    operations: [
      {
        id: `list${many}`,
        method: 'get',
        path: collection,
        summary: `List ${path}`,
        ...reading,
        query,
        responses: { 200: { ...createListResponse(listed, example.view), headers: ['Link', 'Search-Match'] } },
      },
      {
        id: `create${one}`,
        method: 'post',
        path: collection,
        summary: `Create a ${name}`,
        ...(maxPerMode !== undefined && {
          description: `A merchant can have ${maxPerMode} ${path} in each mode: another create returns \`409\` \`too_many\`.`,
        }),
        ...writing,
        body: ref(`${one}Create`),
        example: examples.create,
        responses: {
          201: {
            description: `The new ${name}.`,
            schema: ref(createdName),
            headers: ['Location', 'ETag'],
            example: example.created,
          },
        },
        problems: [...conflicts, ...limited],
      },
      {
        id: `retrieve${one}`,
        method: 'get',
        path: object,
        summary: `Retrieve a ${name}`,
        ...reading,
        query: isRestorable ? withPast(retrieveQuery) : retrieveQuery,
        condition: 'If-None-Match',
        responses: {
          200: {
            description: `The ${name}.`,
            schema: ref(fullName),
            headers: ['ETag', 'External-Id'],
            example: example.full,
          },
        },
        problems: ['not_found', ...(isRestorable ? (['events_expired'] as const) : []), 'damaged'],
      },
      createVersionsOperation(resource),
      {
        id: `update${one}`,
        method: 'post',
        path: object,
        summary: `Update a ${name}`,
        description:
          'Merges the body into the object (RFC 7396). Omitted fields do not change. `null` resets an optional field to its default. Objects merge by key. Lists are replaced.',
        ...writing,
        body: ref(`${one}Update`),
        example: examples.update,
        condition: 'If-Match',
        responses: {
          200: {
            description: `The updated ${name}.`,
            schema: ref(one),
            headers: ['ETag', 'External-Id'],
            example: changed.view,
          },
        },
        problems: ['not_found', ...conflicts, 'damaged'],
      },
      {
        id: `delete${one}`,
        method: 'delete',
        path: object,
        summary: `Delete a ${name}`,
        ...writing,
        condition: 'If-Match',
        responses: { 200: createDeletionResponse(name, ref(`${one}Deleted`), example.view) },
        problems: ['not_found'],
      },
      ...(isRestorable ? [createRestoreOperation(resource, [...conflicts, ...limited], example.full)] : []),
      ...createExternalIdOperations({
        name,
        path,
        schemas: {
          body: `${one}Create`,
          update: `${one}Update`,
          view: one,
          full: fullName,
          created: createdName,
          deleted: `${one}Deleted`,
        },
        examples: { body: examples.create, view: changed.view, full: example.full, created: example.created },
        query: isRestorable ? withPast(retrieveQuery) : retrieveQuery,
        isPast: isRestorable,
        problems: [...limited],
      }),
    ],
  }
}

/** The schema of a deleted object, which can be damaged. */
const readable = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  required: ['id'],
  description: 'The deleted object. If its row was damaged, only the readable fields.',
})

/**
 * Adds the default of each field to its description. It does not use the keyword `default`, because client generators treat such a field as always
 * present, and require it in every body.
 */
function withDefaults(schema: JsonSchema, { hooks }: Documented): JsonSchema {
  const defaults = hooks.defaults({})
  return withFields(schema, (field, key) => {
    if (defaults[key] === undefined) return field
    const text = `Default: \`${JSON.stringify(defaults[key])}\`.`
    return { ...field, description: field.description === undefined ? text : `${field.description} ${text}` }
  })
}

export default await Promise.all(resourceList.map((resource) => createGroup(resource)))
