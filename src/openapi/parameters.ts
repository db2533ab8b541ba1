import type * as z from 'zod'
import { resourceIdentities } from '../names.ts'
import { queryDescriptions, withDescriptions } from './descriptions.ts'
import { exampleId, exampleSeconds } from './examples.ts'
import { type JsonSchema, outputSchema } from './json-schema.ts'
import type { ApiOperation } from './operation.ts'

/** What stands in paths: what it is, and one such. */
const pathDescriptions: Readonly<Record<string, { description: string; example: string }>> = {
  merchantId: { description: 'The merchant.', example: exampleId('mer') },
  ...Object.fromEntries(
    Object.entries(resourceIdentities).map(([name, { idPrefix }]) => [
      `${name}Id`,
      { description: `Id of the ${name}.`, example: exampleId(idPrefix) },
    ]),
  ),
  eventId: { description: 'The event.', example: exampleId('evt') },
  keyId: { description: 'The key, by its id.', example: exampleId('key') },
  code: { description: "The tag's code, its id or one of its aliases, in any case.", example: '7KQ2M5XZ8CE4FA9R' },
  signature: { description: 'What only the chip knows.', example: 'v3ja8k2m9qxr5tbw' },
  expires: {
    description: 'Until when the link is good, in seconds since 1970-01-01 UTC.',
    example: `${exampleSeconds + 3_600}`,
  },
  seal: { description: 'What only the service can have written.', example: 'v3ja8k2m9qxr5tbw' },
}

export const pathParameters = (path: string) => Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name)

/** What a path holds; one that nothing is said of is a mistake in a chapter. */
export const describePath = ({ path }: ApiOperation) =>
  pathParameters(path).map((name) => {
    const said = pathDescriptions[name]
    if (!said) throw new Error(`Nothing is said of ${name} in ${path}.`)
    return { name, in: 'path', required: true, ...said, schema: { type: 'string' } }
  })

/** A parameter's schema is that of the value it stands for, which its text is parsed into. */
export function describeQuery(query: z.core.$ZodType) {
  const { properties = {}, required = [] } = withDescriptions(outputSchema(query), queryDescriptions)
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest }: JsonSchema = typeof schema === 'object' ? schema : {}
    return {
      name,
      in: 'query',
      ...(required.includes(name) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      schema: rest,
      ...(rest.type === 'array' ? { style: 'form', explode: false } : {}),
    }
  })
}
