import { html } from 'hono/html'
import type { JsonSchema } from '../../../../src/platform/http/openapi/json-schema.ts'
import type { SiteHtml } from '../page-frame.ts'
import { joinHtml, linkSchema, renderInline } from './inline-text.ts'
import {
  flattenFields,
  renderExample,
  renderFields,
  renderTerm,
  renderType,
  type SchemaField,
} from './schema-fields.ts'

const toKey = ({ path, type, description }: SchemaField) => `${path} ${type} ${description}`

/** Schemas of one kind of object, in the order in which they are described. Those of requests also include the limits. */
const variants = ['Create', 'Update', '', 'Full', 'Created', 'Restored'] as const

/** The name of a schema without its variant, and its position: `ProductUpdate` is the second one of `Product`. */
function getFamily(name: string, names: ReadonlySet<string>): { family: string; place: number } {
  const place = variants.findIndex(
    (each) => each !== '' && name.endsWith(each) && names.has(name.slice(0, -each.length)),
  )
  if (place < 0) return { family: name, place: variants.indexOf('') }
  return { family: name.slice(0, -(variants[place]?.length ?? 0)), place }
}

/** Names of schemas with those of one kind together. */
function sortNames(schemas: Readonly<Record<string, JsonSchema>>): readonly { name: string; family: string }[] {
  const names = new Set(Object.keys(schemas))
  const placed = [...names].map((name) => ({ name, ...getFamily(name, names) }))
  return [...Map.groupBy(placed, ({ family }) => family).values()].flatMap((members) =>
    members.toSorted((a, b) => a.place - b.place),
  )
}

/** A schema on the page. */
interface ShownSchema {
  name: string
  schema: JsonSchema
  /** Fields that only this schema of its kind has. */
  own: readonly SchemaField[]
  /** The schema of the same kind that describes the other fields. */
  like: { name: string; shared: readonly SchemaField[] } | undefined
  isRequest: boolean
  isOptional: boolean
}

function arrangeSchemas(schemas: Readonly<Record<string, JsonSchema>>): ShownSchema[] {
  const described = new Map<string, { name: string; fields: ReadonlyMap<string, SchemaField> }[]>()
  return sortNames(schemas).map(({ name, family }) => {
    const schema = schemas[name] ?? {}
    const fields = flattenFields(schema, schemas)
    const before = described.get(family) ?? []
    const [like] = before
      .map((other) => ({ name: other.name, shared: fields.filter((field) => isKnown(field, other.fields)) }))
      .filter(({ shared }) => shared.length > 0)
      .sort((a, b) => b.shared.length - a.shared.length)
    const shared = new Set(like?.shared)
    described.set(family, [...before, { name, fields: new Map(fields.map((each) => [each.path, each])) }])
    const isRequest = schema.additionalProperties === false
    const isOptional = isRequest && fields.every(({ isRequired }) => !isRequired)
    return { name, schema, own: fields.filter((field) => !shared.has(field)), like, isRequest, isOptional }
  })
}

/** Minimum number of schemas that share one description of a field. */
const minSchemas = 3

/** Fields of several schemas, with the ids of their descriptions, by their content. */
function findCommonFields(shown: readonly ShownSchema[]): ReadonlyMap<string, { field: SchemaField; id: string }> {
  const counted = Map.groupBy(
    shown.flatMap(({ own }) => own.filter(({ description }) => description !== '')),
    toKey,
  )
  const common = [...counted].filter(([, fields]) => fields.length >= minSchemas)
  return new Map(common.flatMap(([key, [field]], index) => (field ? [[key, { field, id: `f-${index + 1}` }]] : [])))
}

/**
 * Renders schemas, each description once. A schema refers to another schema of its kind for fields described there, and to the list of common fields.
 */
export function renderSchemas(
  schemas: Readonly<Record<string, JsonSchema>>,
  examples: ReadonlyMap<string, unknown>,
): SiteHtml {
  const shown = arrangeSchemas(schemas)
  const common = findCommonFields(shown)
  const terms = [...common.values()].map(({ field: { path, type, description }, id }) =>
    renderTerm({ name: path, type, description }, id),
  )
  const sections = shown.map(({ name, schema, own, like, isRequest, isOptional }) => {
    const links = own.flatMap((field) => common.get(toKey(field)) ?? [])
    const rest = own.filter((field) => !common.has(toKey(field)))
    const inherited = like
      ? html`<p>Fields as in ${linkSchema(like.name)}: ${listNames(like.shared)}.${isOptional ? ' None is required.' : ''}</p>`
      : ''
    const linked =
      links.length > 0
        ? html`<p>Common fields: ${joinHtml(
            links.map(({ field, id }) => html`<a href="#${id}">${field.path}</a>`),
            ', ',
          )}.</p>`
        : ''
    const about = schema.description === undefined ? '' : html`<p>${renderInline(schema.description)}</p>`
    const type = own.length === 0 && !like ? html`<p>${renderType(schema)}</p>` : ''
    return html`<section id="${name}"${getSizeClass(rest.length)}><h3>${name}</h3>
${about}${inherited}${linked}${type}${renderFields(rest, isRequest)}${renderExample(examples.get(name), name)}</section>
`
  })
  return html`<h3>Common fields</h3>
<dl>${terms}</dl>
${sections}`
}

/** Whether another schema already describes the field, with the same text or the same text plus limits. */
function isKnown(field: SchemaField, fields: ReadonlyMap<string, SchemaField>): boolean {
  const other = fields.get(field.path)
  return other !== undefined && (toKey(other) === toKey(field) || other.description.startsWith(field.description))
}

/** Class of a section by its number of fields. It lets browsers reserve space before the layout. */
const getSizeClass = (fields: number) => {
  if (fields < 7) return ''
  return fields < 14 ? html` class="tall"` : html` class="taller"`
}

const listNames = (fields: readonly SchemaField[]) =>
  fields
    .filter(({ path }) => !/[.[]/.test(path))
    .map(({ path }, index) => html`${index === 0 ? '' : ', '}<code>${path}</code>`)
