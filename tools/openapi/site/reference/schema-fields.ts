import { html } from 'hono/html'
import { isSchema, type JsonSchema } from '../../../../src/platform/http/openapi/json-schema.ts'
import type { SiteHtml } from '../page-frame.ts'
import { joinHtml, linkSchema, renderInline } from './inline-text.ts'

/** The type of a schema in words, with links to named schemas. */
export function renderType(schema: JsonSchema): SiteHtml {
  const { $ref, const: only, enum: choices, anyOf, allOf, type, items, additionalProperties } = schema
  if ($ref) return linkSchema($ref.replace(/.*\//, ''))
  if (only !== undefined) return html`<code>${JSON.stringify(only)}</code>`
  if (choices) {
    return html`${joinHtml(
      choices.map((choice) => html`<code>${typeof choice === 'string' ? choice : JSON.stringify(choice)}</code>`),
      ' | ',
    )}`
  }
  if (anyOf) {
    const types = new Map(anyOf.map((member) => [String(renderType(member)), renderType(member)]))
    return html`${joinHtml([...types.values()], ' or ')}`
  }
  if (allOf?.[0]) return renderType(allOf[0])
  if (type === 'array') return html`list of ${isSchema(items) ? renderType(items) : 'JSON value'}`
  if (type === 'object' && isSchema(additionalProperties) && Object.keys(additionalProperties).length > 0) {
    return html`object of ${renderType(additionalProperties)}`
  }
  return html`${typeof type === 'string' ? type : 'JSON value'}`
}

/** A field of a schema. Fields of nested objects have a path: `images[].url`. */
export interface SchemaField {
  path: string
  type: SiteHtml
  isRequired: boolean
  description: string
}

/** The object schemas inside a schema, each with its path. */
function* listObjects(schema: JsonSchema, suffix = ''): Iterable<{ object: JsonSchema; suffix: string }> {
  if (schema.properties) yield { object: schema, suffix }
  if (isSchema(schema.items)) yield* listObjects(schema.items, `${suffix}[]`)
  if (isSchema(schema.additionalProperties)) yield* listObjects(schema.additionalProperties, `${suffix}.*`)
  for (const member of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) yield* listObjects(member, suffix)
}

/** Minimum number of fields of an object that refer to a named schema instead of repeating it. */
const minSharedFields = 5

/** The named schema that contains all fields of an object with the same descriptions; undefined if no schema does, or the object has few fields. */
function findNamed({ properties = {} }: JsonSchema, named: Readonly<Record<string, JsonSchema>>): string | undefined {
  const own = Object.entries(properties)
  if (own.length < minSharedFields) return undefined
  const isShared = (other: JsonSchema, name: string, field: unknown) => {
    const like = other.properties?.[name]
    return isSchema(like) && isSchema(field) && like.description === field.description
  }
  return Object.keys(named).find((name) => own.every(([key, field]) => isShared(named[name] ?? {}, key, field)))
}

/** The fields of a schema, including those of nested objects, except objects of a named schema. */
export function flattenFields(
  schema: JsonSchema,
  named: Readonly<Record<string, JsonSchema>>,
  prefix = '',
): SchemaField[] {
  const seen = new Set<string>()
  return [...listObjects(schema)].flatMap(({ object, suffix }) => {
    const required = new Set(object.required)
    return Object.entries(object.properties ?? {}).flatMap(([name, field]): SchemaField[] => {
      const start = `${prefix}${suffix}`
      const path = start === '' ? name : `${start.replace(/^\./, '')}.${name}`
      if (!isSchema(field) || seen.has(path)) return []
      seen.add(path)
      const like = findNamed(field, named)
      const type = like === undefined ? renderType(field) : html`fields of ${linkSchema(like)}`
      const own = { path, type, isRequired: required.has(name), description: field.description ?? '' }
      return [own, ...(like === undefined ? flattenFields(field, named, path) : [])]
    })
  })
}

/** A term of a list of fields or parameters, with its description. */
export const renderTerm = (
  { name, type, description }: { name: string; type: SiteHtml; description: string },
  id?: string,
) =>
  html`<dt${id === undefined ? '' : html` id="${id}"`}><code>${name}</code> <small>${type}</small></dt>${description === '' ? '' : html`<dd>${renderInline(description)}</dd>`}`

/** A list of fields. Only requests state whether a field is required. */
export const renderFields = (fields: readonly SchemaField[], isRequest: boolean): SiteHtml =>
  fields.length === 0
    ? html``
    : html`<dl>${fields.map(({ path, type, isRequired, description }) =>
        renderTerm({ name: path, type: isRequest && isRequired ? html`${type}, required` : type, description }),
      )}</dl>`

/** An example that opens on demand. */
export const renderExample = (example: unknown, label: string): SiteHtml =>
  example === undefined
    ? html``
    : html`<details><summary>Example</summary><pre tabindex="0" role="region" aria-label="Example of ${label}"><code>${JSON.stringify(example, null, 1)}</code></pre></details>`
