import type * as z from 'zod'
import type { Kept } from '../../core/resource.ts'
import { type Chapter, capitalize, envelope, listAnswer } from '../operations.ts'
import { describedLike, inputSchema, type JsonSchema, outputSchema, ref, withFields } from '../schemas.ts'

/** What the document needs of a resource; narrower than `Resource`, so that a list of different ones has one type. */
export interface Documented extends Pick<Kept, 'name' | 'uniqueFields' | 'hooks'> {
  create: { schema: z.core.$ZodType; readOnly: ReadonlySet<string> }
  update: { schema: z.core.$ZodType }
  query: z.core.$ZodType
  view: z.core.$ZodType
  full: z.core.$ZodType
}

/** The chapter of a resource: its five operations, as `routes` serves them under `path`. */
export function resourceChapter(path: string, resource: Documented): Chapter {
  const { name, uniqueFields, create, update, query, view, full } = resource
  const [one, many] = [capitalize(name), capitalize(path)]
  const collection = `/merchants/:merchantId/${path}`
  const object = `${collection}/:${name}Id`
  const reading = { access: 'key', scope: `${path}:read` } as const
  const writing = { access: 'key', scope: `${path}:write` } as const
  const conflicts = Object.keys(uniqueFields).length > 0 ? (['conflict'] as const) : []

  const written = inputSchema(update.schema)
  const asShown = (schema: z.core.$ZodType) =>
    withFields(describedLike(outputSchema(schema), written), (field, key) =>
      create.readOnly.has(key) ? { ...field, readOnly: true } : field,
    )
  const revealed = asShown(full)
  // Only some resources keep something from lists: the others need no second schema.
  const fullName = full === view ? one : `${one}Full`

  return {
    name: many,
    description: revealed.description ?? many,
    schemas: {
      [`${one}Create`]: withDefaults(inputSchema(create.schema), resource),
      [`${one}Update`]: written,
      [one]: asShown(view),
      [fullName]: revealed,
      [`${one}Deleted`]: envelope(`${one} deleted`, ref(one)),
    },
    operations: [
      {
        id: `list${many}`,
        method: 'get',
        path: collection,
        summary: `List ${path}`,
        ...reading,
        query,
        answers: { 200: listAnswer(ref(one)) },
      },
      {
        id: `create${one}`,
        method: 'post',
        path: collection,
        summary: `Create a ${name}`,
        ...writing,
        body: ref(`${one}Create`),
        answers: { 201: { description: `The new ${name}.`, schema: ref(fullName), headers: ['Location', 'ETag'] } },
        problems: [...conflicts, 'busy'],
      },
      {
        id: `retrieve${one}`,
        method: 'get',
        path: object,
        summary: `Retrieve a ${name}`,
        ...reading,
        condition: 'If-None-Match',
        answers: { 200: { description: `The ${name}.`, schema: ref(fullName), headers: ['ETag'] } },
        problems: ['not_found'],
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
        condition: 'If-Match',
        answers: { 200: { description: `The ${name} after the update.`, schema: ref(one), headers: ['ETag'] } },
        problems: ['not_found', ...conflicts, 'busy'],
      },
      {
        id: `delete${one}`,
        method: 'delete',
        path: object,
        summary: `Delete a ${name}`,
        ...writing,
        condition: 'If-Match',
        answers: { 200: { description: `The ${name} as it was.`, schema: ref(`${one}Deleted`) } },
        problems: ['not_found'],
      },
    ],
  }
}

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
