import type * as z from 'zod'
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
import type { menuDetails } from '../../resources/details/menu-details.ts'
import type { modifierDetails } from '../../resources/details/modifier-details.ts'
import type { productDetails } from '../../resources/details/product-details.ts'
import { resources } from '../../resources/registry.ts'
import { maxDetailBytes } from './details-definition.ts'

const examples = {
  product: {
    allergens: [
      { code: 'gluten', level: 'contains' },
      { code: 'nuts', level: 'may_contain' },
    ],
    diets: ['vegetarian'],
    nutrition: { basis: 'portion', energyKcal: 320, fat: 12.5 },
    translations: { fr: { title: 'Tartine', description: 'Au beurre' } },
  } satisfies z.core.output<typeof productDetails.view>,
  modifier: {
    translations: { fr: { title: 'Lait', instructions: 'Choisissez', options: { oat: { label: 'Avoine' } } } },
  } satisfies z.core.output<typeof modifierDetails.view>,
  menu: {
    position: 1,
    days: ['mon', 'tue', 'wed', 'thu', 'fri'],
    dates: { from: '2026-12-01', until: '2026-12-24' },
    prices: [{ product: exampleId('prod'), price: 3.5 }],
    translations: { fr: { title: 'Petit déjeuner', sections: { [exampleId('sec')]: { title: 'Cafés' } } } },
  } satisfies z.core.output<typeof menuDetails.view>,
}

const detailed = [resources.products, resources.modifiers, resources.menus] as const
for (const { details } of detailed) await details?.load()

type Detailed = (typeof detailed)[number]
type DetailedName = keyof typeof examples
const isDetailedName = (name: string): name is DetailedName => Object.hasOwn(examples, name)

/** Name of the schema of a resource's details; undefined if it has none. */
export const toDetailsName = (name: string): string | undefined =>
  isDetailedName(name) ? `${capitalize(name)}Details` : undefined

const describe = ({ details }: Detailed): { shown: JsonSchema; written: JsonSchema } => {
  if (!details) return { shown: {}, written: {} }
  const { body, view } = details.get()
  const written = inputSchema(body.schema)
  return { shown: describedLike(outputSchema(view), written), written }
}

/** The schemas of the data of events of details, by name in the document. */
const detailEventSchemas: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  detailed.map((resource) => [
    `${capitalize(resource.name)}DetailsChanged`,
    {
      type: 'object',
      properties: {
        id: { type: 'string', description: `Id of the ${resource.name}.` },
        details: { description: 'Details after the change.', ...describe(resource).shown },
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
  if (!resource || !schema || !isDetailedName(name)) throw new Error(`${type} is not an event of details.`)
  return { schema, schemaName, sample: { id: exampleId(resource.idPrefix), details: examples[name] } }
}

function createOperations({ name, path }: Detailed): ApiOperation[] {
  if (!isDetailedName(name)) return []
  const one = capitalize(name)
  const address = `/merchants/:merchantId/${path}/:${name}Id/details`
  const respond = (description: string) =>
    ({
      200: { description, schema: ref(`${one}Details`), headers: ['ETag'], example: examples[name] },
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
      condition: 'If-None-Match',
      responses: respond('The details.'),
      problems: ['not_found', 'damaged'],
    },
    {
      id: `update${one}Details`,
      method: 'post',
      path: address,
      summary: `Set or clear details of a ${name}`,
      description: `Merges the body into the details (RFC 7396): omitted fields do not change, \`null\` clears a field, objects merge by key, lists are replaced. The ${name} and its version do not change. Raises \`${name}.details_updated\`, whose \`version\` counts the changes of the details. Details have at most ${formatSize(maxDetailBytes)} of JSON.`,
      access: 'key',
      scope: `${path}:write`,
      body: ref(`${one}DetailsUpdate`),
      example: examples[name],
      condition: 'If-Match',
      responses: respond('The updated details.'),
      problems: ['not_found', 'damaged'],
    },
  ]
}

/** Operations on the details of products, modifiers and menus. */
export default {
  name: 'Details',
  description:
    'Allergens, diets, nutrition, translations, days and prices: data for guests in addition to the fields of products, modifiers and menus.',
  schemas: {
    ...Object.fromEntries(
      detailed.flatMap((resource) => {
        const { shown, written } = describe(resource)
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
