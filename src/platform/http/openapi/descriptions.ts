import type * as z from 'zod'
import { inputSchema, isSchema, type JsonSchema, mapValues } from './json-schema.ts'

/** Descriptions of fields by their path in the object; `*` is an element of a list or a member of a record. */
export type Descriptions = Readonly<Record<string, string>>

/** Descriptions of fields that many objects have. */
export const objectDescriptions = {
  id: 'Unique identifier. Ids sort by time of creation.',
  createdAt: 'Time of creation, in seconds since 1970-01-01 UTC.',
  updatedAt: 'Time of the last change, in seconds since 1970-01-01 UTC. Increases with every change.',
} as const satisfies Descriptions

/** The descriptions of a schema's fields. */
export function collectDescriptions(schema: JsonSchema, path = ''): Descriptions {
  const { properties = {}, items, additionalProperties, anyOf = [] } = schema
  const elements = [items, additionalProperties].filter(isSchema)
  const fields = Object.entries(properties).flatMap(([key, field]) =>
    isSchema(field) ? [{ path: path + key, field }] : [],
  )
  return Object.assign(
    {},
    ...anyOf.map((form) => collectDescriptions(form, path)),
    ...elements.map((element) => collectDescriptions(element, `${path}*/`)),
    ...fields.map(({ path, field }) => ({
      ...(field.description !== undefined && { [path]: field.description }),
      ...collectDescriptions(field, `${path}/`),
    })),
  )
}

/** The schema of a request, with descriptions added to fields without their own. */
export const describedInput = (schema: z.core.$ZodType, texts: Descriptions) =>
  inputSchema(schema, (undescribed) => withDescriptions(undescribed, texts))

/** The schema, with descriptions added to fields without their own. */
export function withDescriptions(schema: JsonSchema, texts: Descriptions, path = ''): JsonSchema {
  const { properties, items, anyOf } = schema
  const describe = (field: JsonSchema, at: string): JsonSchema => {
    const { description = texts[at] } = field
    return withDescriptions(description === undefined ? field : { ...field, description }, texts, `${at}/`)
  }
  return {
    ...schema,
    ...(properties && {
      properties: mapValues(properties, (field, key) => (isSchema(field) ? describe(field, path + key) : field)),
    }),
    ...(isSchema(items) && { items: withDescriptions(items, texts, `${path}*/`) }),
    ...(anyOf && { anyOf: anyOf.map((form) => withDescriptions(form, texts, path)) }),
  }
}
