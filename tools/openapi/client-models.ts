import { eventNames, testEventType } from '../../src/catalogue/events/event-types.ts'
import { resourceIdentities } from '../../src/platform/names.ts'
import { refToData } from './events/event-catalogue.ts'
import type { JsonSchema } from './json-schema.ts'
import { capitalize, type OperationGroup } from './operation.ts'
import { describeQuery } from './parameters.ts'

/** The types of the client: TypeScript of the document's schemas and of each operation's query. */
export function renderModels(schemas: Readonly<Record<string, JsonSchema>>, groups: readonly OperationGroup[]): string {
  const queries = groups
    .flatMap(({ operations }) => operations)
    .flatMap(({ id, query }) => (query ? [[`${capitalize(id)}Query`, queryShape(query)] as const] : []))
  const declarations = [...Object.entries(schemas).filter(([name]) => !name.endsWith('Deleted')), ...queries]
  return [
    '// Made by `npm run models` from the declarations of the routes.',
    ...declarations.map(
      ([name, schema]) => `${renderComment(schema, '')}export interface ${name} ${renderType(schema, '')}`,
    ),
    '',
  ].join('\n\n')
}

/** TypeScript of the client's collections: one for each resource, with the types of its operations. */
export function renderCollections(schemas: Readonly<Record<string, JsonSchema>>): string {
  const has = (model: string) => Object.hasOwn(schemas, model)
  const collections = Object.entries(resourceIdentities).map(([name, { path }]) => {
    const one = capitalize(name)
    const [full, created] = [`${one}Full`, `${one}Created`]
    const types = [
      `${one}Create`,
      `${one}Update`,
      `List${capitalize(path)}Query`,
      one,
      ...(has(full) || has(created) ? [has(full) ? full : one] : []),
      ...(has(created) ? [created] : []),
    ]
    const listTypes = (indent: string) => types.map((type) => `${indent}model.${type}`).join(',\n')
    const details = `${one}Details`
    return has(details)
      ? `  ${path}: {
    ...collectionAt<
${listTypes('      ')}
    >(transport, at('${path}')),
    ...detailsAt<model.${details}Update, model.${details}>(transport, at('${path}')),
  },`
      : `  ${path}: collectionAt<
${listTypes('    ')}
  >(transport, at('${path}')),`
  })
  const imports = [
    "import { collectionAt, detailsAt } from './collection.ts'",
    "import type * as model from './models.ts'",
    "import type { Transport } from './transport.ts'",
  ]
  return `// Made by \`npm run models\` from the declarations of the resources.

${imports.join('\n')}

/** Paths of the resources. */
export const resourcePaths = [${Object.values(resourceIdentities)
    .map(({ path }) => `'${path}'`)
    .join(', ')}] as const

/** The operations of each resource. */
export const createCollections = (transport: Transport, at: (path: string) => string) => ({
${collections.join('\n')}
})
`
}

/** TypeScript of the data of each type of event. */
export function renderEventData(): string {
  const members = [...eventNames, testEventType].map((type) => {
    const schema = refToData(type)
    return { type, data: renderType(schema, '  '), model: schema.$ref?.replace(/.*\//, '') }
  })
  const models = [...new Set(members.flatMap(({ model }) => model ?? []))].sort()
  return `// Made by \`npm run models\` from the table of events.

import type {
${models.map((model) => `  ${model},`).join('\n')}
} from './models.ts'

/** Data of each type of event. */
export interface EventData {
${members.map(({ type, data }) => `  '${type}': ${data}`).join('\n')}
}
`
}

const queryShape = (query: Parameters<typeof describeQuery>[0]): JsonSchema => ({
  properties: Object.fromEntries(
    describeQuery(query).map(({ name, description = '', schema }) => [name, { description, ...schema }]),
  ),
  additionalProperties: false,
})

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

const renderComment = ({ description }: JsonSchema, indent: string) =>
  description ? `/** ${description.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n${indent}` : ''

/** A schema as a type. Bodies of requests are closed and take `undefined` as absent. Responses are open. */
function renderType(schema: JsonSchema, indent: string): string {
  const { $ref, const: only, enum: choices, anyOf, type, items, properties, additionalProperties } = schema
  if ($ref) return $ref.replace(/.*\//, '')
  if (only !== undefined) return JSON.stringify(only)
  if (choices) return renderUnion(choices.map((choice) => JSON.stringify(choice)))
  if (anyOf) return renderUnion(anyOf.map((member) => renderType(member, indent)))
  if (type === 'array') return `Array<${isSchema(items) ? renderType(items, indent) : 'unknown'}>`
  if (properties) return renderShape(schema, properties, indent)
  if (type === 'object' && isSchema(additionalProperties)) {
    return `Record<string, ${renderType(additionalProperties, indent)}>`
  }
  if (type === 'object') return 'Record<string, unknown>'
  if (type === 'integer') return 'number'
  return typeof type === 'string' ? type : 'unknown'
}

function renderShape({ required = [], additionalProperties }: JsonSchema, properties: object, indent: string): string {
  const inner = `${indent}  `
  const absent = additionalProperties === false ? ' | undefined' : ''
  const lines = Object.entries(properties).map(([name, field]) => {
    const isGiven = required.includes(name)
    return `${inner}${renderComment(field, inner)}${name}${isGiven ? '' : '?'}: ${renderType(field, inner)}${isGiven ? '' : absent}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

const renderUnion = (members: readonly string[]) => [...new Set(members)].join(' | ')
