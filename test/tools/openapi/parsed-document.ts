import { buildFiles } from '../../../tools/openapi/build.ts'

export const { 'openapi.json': text = '' } = await buildFiles()
export const document = JSON.parse(text)
export const { schemas } = document.components

export interface Documented {
  operationId: string
  description: string
  tags: string[]
  security: object[]
  requestBody?: { content: Record<string, { example?: object; examples?: Record<string, { value: object }> }> }
  parameters?: { $ref?: string; name: string; schema: object; style?: string; explode?: boolean }[]
  responses: Record<string, { $ref?: string; content?: object; headers?: object }>
}

export const operations = Object.entries<Record<string, Documented>>(document.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([key]) => key !== 'parameters')
    .map(([method, operation]) => ({ path, method, operation })),
)
export const operation = (id: string) => {
  const found = operations.find(({ operation }) => operation.operationId === id)
  if (!found) throw new Error(`no operation ${id}`)
  return found.operation
}

/** Every object in a JSON value, with its path. */
export function* walk(value: unknown, path = '#'): Iterable<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [path, { ...value }]
  for (const [key, part] of Object.entries(value)) yield* walk(part, `${path}/${key.replaceAll('/', '~1')}`)
}

/** The schema at a path of field names, in whichever alternative of `anyOf` has them; `*` is an element of a list. */
export function at(schema: Record<string, unknown>, path: string): object {
  const forms = (whole: Record<string, unknown>) => [whole, ...(Array.isArray(whole['anyOf']) ? whole['anyOf'] : [])]
  return path.split('/').reduce<Record<string, unknown>>((inner, key) => {
    for (const form of forms(inner)) {
      const part = key === '*' ? form.items : form.properties?.[key]
      if (part) return part
    }
    throw new Error(`nothing at ${path}`)
  }, schema)
}
