import type * as z from 'zod'
import type { ResourceDefinition } from '../../resource/definition.ts'
import { resourceDescriptions, withDescriptions } from '../descriptions.ts'
import { createExample, type ExampleResource } from '../examples.ts'
import { describedLike, inputSchema, type JsonSchema, outputSchema, ref, withFields } from '../json-schema.ts'
import {
  capitalize,
  createDeletionResponse,
  createDeletionSchema,
  createListResponse,
  type OperationGroup,
} from '../operation.ts'

/** What the document needs of a resource; narrower than `Resource`, so that a list of different ones has one type. */
interface Documented
  extends ExampleResource,
    Pick<ResourceDefinition, 'name' | 'path' | 'uniqueFields' | 'maxPerMode'> {
  create: ExampleResource['create'] & { schema: z.core.$ZodType; readOnly: ReadonlySet<string> }
  update: { schema: z.core.$ZodType }
  query: z.core.$ZodType
  view: z.core.$ZodType
  full: z.core.$ZodType
  createdOnly: z.core.$ZodType
}

/** The chapter of a resource: its five operations, as `routes` serves them under `path`. */
export async function createResourceGroup(resource: Documented): Promise<OperationGroup> {
  const { name, path, uniqueFields, maxPerMode, create, update, query, view, full, createdOnly, examples } = resource
  const [one, many] = [capitalize(name), capitalize(path)]
  const collection = `/merchants/:merchantId/${path}`
  const object = `${collection}/:${name}Id`
  const reading = { access: 'key', scope: `${path}:read` } as const
  const writing = { access: 'key', scope: `${path}:write` } as const
  const conflicts = Object.keys(uniqueFields).length > 0 ? (['conflict'] as const) : []
  const limited = maxPerMode === undefined ? [] : (['too_many'] as const)

  const texts = resourceDescriptions[name]
  const written = withDescriptions(inputSchema(update.schema), texts)
  // In words: the keyword `readOnly` would forbid the field in events, which are requests too.
  const asShown = (schema: z.core.$ZodType) =>
    withFields(withDescriptions(describedLike(outputSchema(schema), written), texts), (field, key) =>
      create.readOnly.has(key)
        ? { ...field, description: `${field.description ?? ''} Set by the service.`.trim() }
        : field,
    )
  const revealed = asShown(full)
  // Only some resources keep something from lists: the others need no second schema.
  const fullName = full === view ? one : `${one}Full`
  // Few show something once, in the response to create.
  const shownOnce = outputSchema(createdOnly)
  const isShownOnce = Object.keys(shownOnce.properties ?? {}).length > 0
  const createdName = isShownOnce ? `${one}Created` : fullName
  const example = await createExample(resource, examples.create)
  const changed = await createExample(resource, { ...examples.create, ...examples.update })

  return {
    name: many,
    description: revealed.description ?? many,
    schemas: {
      [`${one}Create`]: withDefaults(withDescriptions(inputSchema(create.schema), texts), resource),
      [`${one}Update`]: written,
      [one]: asShown(view),
      [fullName]: revealed,
      ...(isShownOnce && {
        [createdName]: {
          ...revealed,
          properties: { ...revealed.properties, ...shownOnce.properties },
          required: [...(revealed.required ?? []), ...(shownOnce.required ?? [])],
        },
      }),
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
        responses: { 200: createListResponse(ref(one), example.view) },
      },
      {
        id: `create${one}`,
        method: 'post',
        path: collection,
        summary: `Create a ${name}`,
        ...(maxPerMode !== undefined && {
          description: `A merchant can have ${maxPerMode} ${path} in each mode; one more is refused with \`409\` \`too_many\`.`,
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
        problems: [...conflicts, ...limited, 'busy'],
      },
      {
        id: `retrieve${one}`,
        method: 'get',
        path: object,
        summary: `Retrieve a ${name}`,
        ...reading,
        condition: 'If-None-Match',
        responses: {
          200: { description: `The ${name}.`, schema: ref(fullName), headers: ['ETag'], example: example.full },
        },
        problems: ['not_found', 'damaged'],
      },
      {
        id: `update${one}`,
        method: 'post',
        path: object,
        summary: `Update a ${name}`,
        description:
          'A merge (RFC 7396): fields that are left out stay as they are, null brings an optional one back to its default, objects merge by key, lists are replaced whole.',
        ...writing,
        body: ref(`${one}Update`),
        example: examples.update,
        condition: 'If-Match',
        responses: {
          200: {
            description: `The ${name} after the update.`,
            schema: ref(one),
            headers: ['ETag'],
            example: changed.view,
          },
        },
        problems: ['not_found', ...conflicts, 'damaged', 'busy'],
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
    ],
  }
}

/** An object of which a part may be missing: it was damaged. */
const readable = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  required: ['id'],
  description: 'The object as it was. If its row was damaged, only the fields that could be read.',
})

/**
 * Says of each field what it is when it is not given. In words: generators take the keyword `default` for a promise that
 * the field is always there, and would ask for it in every body.
 */
function withDefaults(schema: JsonSchema, { hooks }: Documented): JsonSchema {
  const defaults = hooks.defaults({})
  return withFields(schema, (field, key) => {
    if (defaults[key] === undefined) return field
    const said = `By default \`${JSON.stringify(defaults[key])}\`.`
    return { ...field, description: field.description === undefined ? said : `${field.description} ${said}` }
  })
}
