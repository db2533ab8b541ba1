import * as z from 'zod/mini'
import { exampleId } from '../../../platform/http/openapi/examples.ts'
import {
  describedLike,
  inputSchema,
  type JsonSchema,
  outputSchema,
  ref,
} from '../../../platform/http/openapi/json-schema.ts'
import { formatSize } from '../../../platform/http/openapi/limit-descriptions.ts'
import { type ApiOperation, capitalize, type OperationGroup } from '../../../platform/http/openapi/operation.ts'
import { resourceNames } from '../../../platform/names.ts'
import { resourceList } from '../../resources/registry.ts'
import type { ResourceDefinition } from '../definition.ts'
import { pastFields } from '../history/history.operations.ts'
import { maxDetailBytes, type WritableDetails } from './details-definition.ts'

const all: readonly Pick<ResourceDefinition, 'name' | 'path' | 'idPrefix' | 'details'>[] = resourceList
/** The resources with details, in the order of `resourceNames`, each with its declaration. */
const detailed = await Promise.all(
  resourceNames.flatMap((wanted) =>
    all.flatMap(({ name, path, idPrefix, details }) =>
      name === wanted && details
        ? [details.load().then((declared) => ({ name, path, idPrefix, ...declared, ...describe(declared) }))]
        : [],
    ),
  ),
)
type Detailed = (typeof detailed)[number]

function describe({ body, view }: WritableDetails<object, object>): { shown: JsonSchema; written: JsonSchema } {
  const written = inputSchema(body.schema)
  return { shown: describedLike(outputSchema(view), written), written }
}

/** Name of the schema of a resource's details; undefined if it has none. */
export const toDetailsName = (name: string): string | undefined =>
  detailed.some((each) => each.name === name) ? `${capitalize(name)}Details` : undefined

/** The schemas of the data of events of details, by name in the document. */
const detailEventSchemas: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  detailed.map((resource) => [
    `${capitalize(resource.name)}DetailsChanged`,
    {
      type: 'object',
      properties: {
        id: { type: 'string', description: `Id of the ${resource.name}.` },
        details: { description: 'Details after the change.', ...resource.shown },
      },
      required: ['id', 'details'],
    },
  ]),
)

/** Schema and sample of the data of an event of details. */
export function getDetailEventData(type: string): { schema: JsonSchema; schemaName: string; sample: object } {
  const [name = ''] = type.split('.')
  const resource = detailed.find((each) => each.name === name)
  const schemaName = `${capitalize(name)}DetailsChanged`
  const schema = detailEventSchemas[schemaName]
  if (!resource || !schema) throw new Error(`${type} is not an event of details.`)
  return { schema, schemaName, sample: { id: exampleId(resource.idPrefix), details: resource.example } }
}

function createOperations({ name, path, example, maxBytes = maxDetailBytes }: Detailed): ApiOperation[] {
  const one = capitalize(name)
  const address = `/merchants/:merchantId/${path}/:${name}Id/details`
  const respond = (description: string) =>
    ({
      200: { description, schema: ref(`${one}Details`), headers: ['ETag'], example },
    }) as const
  return [
    {
      id: `retrieve${one}Details`,
      method: 'get',
      path: address,
      summary: `Retrieve the details of a ${name}`,
      description: 'Fields that are not set are absent.',
      access: 'key',
      scope: `${path}:read`,
      query: z.object(pastFields),
      condition: 'If-None-Match',
      responses: respond('The details.'),
      problems: ['not_found', 'events_expired', 'damaged'],
    },
    {
      id: `update${one}Details`,
      method: 'post',
      path: address,
      summary: `Set or clear details of a ${name}`,
      description: `Merges the body into the details (RFC 7396): omitted fields do not change, \`null\` clears a field, objects merge by key, lists are replaced. The ${name} and its version do not change. Raises \`${name}.details_updated\`, whose \`version\` counts the changes of the details. Details have at most ${formatSize(maxBytes)} of JSON.`,
      access: 'key',
      scope: `${path}:write`,
      body: ref(`${one}DetailsUpdate`),
      example,
      condition: 'If-Match',
      responses: respond('The updated details.'),
      problems: ['not_found', 'damaged'],
    },
  ]
}

/** Operations on details. */
export default {
  name: 'Details',
  description:
    'Allergens, diets, nutrition, translations, days and prices, destinations of tags: data in addition to the fields of products, modifiers, menus and tags.',
  schemas: {
    ...Object.fromEntries(
      detailed.flatMap(({ shown, written, ...resource }) => {
        const name = `${capitalize(resource.name)}Details`
        return [
          [name, shown],
          [`${name}Update`, written],
        ]
      }),
    ),
    ...detailEventSchemas,
  },
  operations: detailed.flatMap(createOperations),
} satisfies OperationGroup
