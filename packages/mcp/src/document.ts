import * as z from 'zod/mini'

const schema = z.record(z.string(), z.unknown())
const parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.optional(z.boolean()),
  description: z.optional(z.string()),
  schema: z.optional(schema),
})
const reference = z.object({ $ref: z.string() })
const content = z.record(z.string(), z.object({ schema: z.optional(schema) }))
const operationShape = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string(),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.optional(z.array(z.union([reference, parameter]))),
  requestBody: z.optional(z.object({ content })),
  responses: z.record(
    z.string(),
    z.union([reference, z.object({ description: z.string(), content: z.optional(content) })]),
  ),
})
const documentShape = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ schemas: z.record(z.string(), schema), parameters: z.record(z.string(), parameter) }),
})

type Schema = z.infer<typeof schema>
export type Parameter = z.infer<typeof parameter>
/** An operation with its method, its path and all its parameters. */
export interface Operation extends Omit<z.infer<typeof operationShape>, 'parameters'> {
  method: string
  path: string
  parameters: readonly Parameter[]
}

const formType = 'application/x-www-form-urlencoded'
const methods = ['get', 'post', 'put', 'delete'] as const

/** Parts of the OpenAPI document that the tools use. */
export interface ApiDocument {
  /** Operations that take a merchant's key, or none, by id. Excludes redirects, because following the redirect of a tag is a scan, and forms of guests. */
  operations: ReadonlyMap<string, Operation>
  schemas: Readonly<Record<string, Schema>>
}

const resolve = (all: Readonly<Record<string, Parameter>>, each: Parameter | z.infer<typeof reference>) =>
  '$ref' in each ? all[each.$ref.split('/').at(-1) ?? ''] : each

/** Reads the operations of an OpenAPI document. Those of the operator, of the console's sessions, with redirects and with forms are left out. */
export function parseDocument(json: unknown): ApiDocument {
  const { paths, components } = documentShape.parse(json)
  const operations = new Map<string, Operation>()
  for (const [path, item] of Object.entries(paths)) {
    if (path.startsWith('/console')) continue
    const shared = z.array(z.union([reference, parameter])).parse(item['parameters'] ?? [])
    for (const method of methods) {
      if (item[method] === undefined) continue
      const operation = operationShape.parse(item[method])
      const { security, responses, requestBody } = operation
      if (security.length > 0 && !security.some((scheme) => 'key' in scheme)) continue
      if ('302' in responses || formType in (requestBody?.content ?? {})) continue
      const parameters = [...shared, ...(operation.parameters ?? [])].flatMap(
        (each) => resolve(components.parameters, each) ?? [],
      )
      operations.set(operation.operationId, { ...operation, method, path, parameters })
    }
  }
  return { operations, schemas: components.schemas }
}

/** The named schemas that a value refers to, directly or through others. */
export function collectSchemas(value: unknown, schemas: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const found: Record<string, Schema> = {}
  const queue = [JSON.stringify(value) ?? '']
  for (let text = queue.pop(); text !== undefined; text = queue.pop()) {
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const known = schemas[name]
      if (found[name] || !known) continue
      found[name] = known
      queue.push(JSON.stringify(known))
    }
  }
  return found
}
