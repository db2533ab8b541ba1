import * as z from 'zod'
import { describeLimits } from './limit-descriptions.ts'

export type JsonSchema = z.core.JSONSchema.BaseSchema

/** The JSON Schema of a request. The limits of each field follow its description. `describe` can add the description. */
export const inputSchema = (
  schema: z.core.$ZodType,
  describe = (undescribed: JsonSchema): JsonSchema => undescribed,
): JsonSchema => withLimits(describe(simplify(z.toJSONSchema(schema, { io: 'input' }))))

/** The JSON Schema of a response. It allows unknown fields, because later releases add fields. */
export const outputSchema = (schema: z.core.$ZodType): JsonSchema =>
  simplify(z.toJSONSchema(schema, { io: 'output' }), openSchema)

/** The JSON Schema of an object in a response. */
export const objectSchema = (fields: z.core.$ZodLooseShape): JsonSchema => outputSchema(z.object(fields))

/** A reference to a shared schema. */
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** Whether a value is an object of JSON Schema. */
export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type SchemaChange = (schema: JsonSchema) => JsonSchema

const { MIN_SAFE_INTEGER, MAX_SAFE_INTEGER } = Number

/** Removes additions of zod that responses do not promise: closed objects, and the bounds of a double on integers. */
const openSchema: SchemaChange = ({ additionalProperties, minimum, maximum, decimals: _, trimmed: __, ...schema }) => ({
  ...schema,
  ...(isSchema(additionalProperties) ? { additionalProperties } : {}),
  ...(minimum === undefined || minimum === MIN_SAFE_INTEGER ? {} : { minimum }),
  ...(maximum === undefined || maximum === MAX_SAFE_INTEGER ? {} : { maximum }),
})

/** For a record with enum keys, zod omits the required properties. */
function nameProperties({ propertyNames, ...schema }: JsonSchema): JsonSchema {
  const { required, additionalProperties } = schema
  if (!isSchema(propertyNames) || !required || schema.properties || !isSchema(additionalProperties)) {
    return { ...schema, ...(propertyNames === undefined ? {} : { propertyNames }) }
  }
  return { ...schema, properties: Object.fromEntries(required.map((name) => [name, additionalProperties])) }
}

/** A shorter schema: flattens nested `anyOf`, and moves the description of the only described member to the union. */
function simplify({ $schema: _, ...raw }: JsonSchema, change: SchemaChange = (schema) => schema): JsonSchema {
  const schema = withParts(change(nameProperties(raw)), (part) => simplify(part, change))
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

/** Puts the limits of each field behind its description, and removes the metadata that is not JSON Schema. */
function withLimits({ decimals: _, trimmed: __, ...schema }: JsonSchema): JsonSchema {
  const { properties, ...rest } = withParts(schema, withLimits)
  if (!properties) return rest
  const describe = (field: JsonSchema, raw: unknown): JsonSchema => {
    const limits = isSchema(raw) ? describeLimits(raw) : undefined
    const description = [field.description, limits].filter((text) => text !== undefined).join(' ')
    return description === '' ? field : { ...field, description }
  }
  return {
    ...rest,
    properties: mapValues(properties, (field, key) =>
      isSchema(field) ? describe(field, schema.properties?.[key]) : field,
    ),
  }
}

/** The schema with a function applied to each nested schema. */
function withParts(schema: JsonSchema, change: SchemaChange): JsonSchema {
  const { properties, items, anyOf, additionalProperties } = schema
  return {
    ...schema,
    ...(properties ? { properties: mapValues(properties, (part) => (isSchema(part) ? change(part) : part)) } : {}),
    ...(isSchema(items) ? { items: change(items) } : {}),
    ...(isSchema(additionalProperties) ? { additionalProperties: change(additionalProperties) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(change) } : {}),
  }
}

/** A record with other values for the same keys. */
export const mapValues = <From, To>(record: Readonly<Record<string, From>>, change: (value: From, key: string) => To) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))

/** The schema of a response, with missing descriptions copied from the fields of a request. */
export function describedLike(shown: JsonSchema, written: JsonSchema): JsonSchema {
  const alternatives = [written, ...(written.anyOf ?? [])]
  const known = alternatives.find(({ properties }) => properties)?.properties ?? {}
  const element = alternatives.map(({ items }) => items).find(isSchema)
  const entry = alternatives.map(({ additionalProperties }) => additionalProperties).find(isSchema)
  const { properties, items, additionalProperties, description = written.description } = shown
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
    ...(isSchema(additionalProperties) && entry
      ? { additionalProperties: describedLike(additionalProperties, entry) }
      : {}),
  }
}

/** The schema with a function applied to each field. */
export const withFields = (
  schema: JsonSchema,
  change: (field: JsonSchema, name: string) => JsonSchema,
): JsonSchema => ({
  ...schema,
  properties: mapValues(schema.properties ?? {}, (field, name) => (isSchema(field) ? change(field, name) : field)),
})

/** Parts of a resource that a response schema uses. */
export interface DescribedResource {
  update: { schema: z.core.$ZodType }
}

/** The schema of a response of a resource. Its fields have the descriptions of the declaration. */
export const responseSchema = ({ update }: DescribedResource, shown: z.core.$ZodType): JsonSchema =>
  describedLike(outputSchema(shown), inputSchema(update.schema))
