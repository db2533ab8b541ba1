import * as z from 'zod'

export type JsonSchema = z.core.JSONSchema.BaseSchema

/** What a request may send, as JSON Schema. */
export const inputSchema = (schema: z.core.$ZodType): JsonSchema => simplify(z.toJSONSchema(schema, { io: 'input' }))

/** What an answer holds, as JSON Schema. It is open: fields are added in time, and no client should stumble over a new one. */
export const outputSchema = (schema: z.core.$ZodType): JsonSchema =>
  simplify(z.toJSONSchema(schema, { io: 'output' }), openSchema)

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type SchemaChange = (schema: JsonSchema) => JsonSchema

const { MIN_SAFE_INTEGER, MAX_SAFE_INTEGER } = Number

/** zod closes every object, and gives each integer the bounds of a double: neither is promised. */
const openSchema: SchemaChange = ({ additionalProperties, minimum, maximum, ...schema }) => ({
  ...schema,
  ...(isSchema(additionalProperties) ? { additionalProperties } : {}),
  ...(minimum === undefined || minimum === MIN_SAFE_INTEGER ? {} : { minimum }),
  ...(maximum === undefined || maximum === MAX_SAFE_INTEGER ? {} : { maximum }),
})

/** The same schema, shorter: a choice within a choice is one, and what is said of its only described member is said of it. */
function simplify({ $schema: _, ...raw }: JsonSchema, change: SchemaChange = (schema) => schema): JsonSchema {
  const schema = withParts(change(raw), (part) => simplify(part, change))
  if (!schema.anyOf) return schema
  const { description: own, anyOf, ...rest } = schema
  const [only, another] = anyOf.filter((member) => member.description !== undefined)
  const hoisted = own === undefined && another === undefined ? only?.description : undefined
  const members = anyOf.map(({ description, ...member }) =>
    description === undefined || description === hoisted ? member : { ...member, description },
  )
  const description = own ?? hoisted
  return {
    ...(description === undefined ? {} : { description }),
    ...rest,
    anyOf: members.flatMap((member) => (member.anyOf && Object.keys(member).length === 1 ? member.anyOf : [member])),
  }
}

/** The schema with each schema inside it changed. */
function withParts(schema: JsonSchema, change: SchemaChange): JsonSchema {
  const { properties, items, anyOf } = schema
  return {
    ...schema,
    ...(properties ? { properties: mapValues(properties, (part) => (isSchema(part) ? change(part) : part)) } : {}),
    ...(isSchema(items) ? { items: change(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(change) } : {}),
  }
}

export const mapValues = <From, To>(record: Readonly<Record<string, From>>, change: (value: From, key: string) => To) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))

/** The schema of an answer, with whatever is said of the same fields in the schema of a request. */
export function describedLike(shown: JsonSchema, written: JsonSchema): JsonSchema {
  const alternatives = [written, ...(written.anyOf ?? [])]
  const known = alternatives.find(({ properties }) => properties)?.properties ?? {}
  const element = alternatives.map(({ items }) => items).find(isSchema)
  const { properties, items, description = written.description } = shown
  return {
    ...(description === undefined ? {} : { description }),
    ...shown,
    ...(properties
      ? {
          properties: mapValues(properties, (part, key) => {
            const like = known[key]
            return isSchema(part) && isSchema(like) ? describedLike(part, like) : part
          }),
        }
      : {}),
    ...(isSchema(items) && element ? { items: describedLike(items, element) } : {}),
  }
}

/** The schema with something changed about each of its fields. */
export const withFields = (
  schema: JsonSchema,
  change: (field: JsonSchema, name: string) => JsonSchema,
): JsonSchema => ({
  ...schema,
  properties: mapValues(schema.properties ?? {}, (field, name) => (isSchema(field) ? change(field, name) : field)),
})
