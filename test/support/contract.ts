import { Validator } from '@cfworker/json-schema'
import type { Answer } from './api.ts'

/** A schema that allows only the fields it tells of, so that answers cannot have ones that nobody knows. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, closed(part)]))
  return parts['type'] === 'object' && parts['properties'] ? { additionalProperties: false, ...parts } : parts
}

/** What is wrong with an answer of an operation that the document does not have. */
export const notTold = 'is no operation of the document'

/** Headers that only some of the answers have which may. */
const sometimes: ReadonlySet<string> = new Set(['Link', 'Idempotent-Replayed'])

/** The OpenAPI document as a judge of answers: tells what is wrong with one to this method and path, headers and body included. */
// biome-ignore lint/suspicious/noExplicitAny: the document is JSON from outside
export function createContract(document: any) {
  const components = Object(closed(document.components))
  const resolve = ({ $ref, ...rest }: { $ref?: string }) =>
    $ref
      ?.split('/')
      .slice(1)
      .reduce((part, key) => part[key], { ...document, components }) ?? rest
  const variables = (template: string) => template.split('{').length
  const templates = Object.keys(document.paths)
    .map((template) => ({
      template,
      form: new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    }))
    // `/tags/sheet` is no tag, and `.json` no part of an id.
    .sort((a, b) => variables(a.template) - variables(b.template) || b.template.length - a.template.length)
  const validators = new Map<unknown, Validator>()
  const validatorOf = (schema: unknown) => {
    const known = validators.get(schema) ?? new Validator({ ...Object(closed(schema)), components }, '2020-12', false)
    validators.set(schema, known)
    return known
  }

  return (method: string, path: string, answer: Answer): string[] => {
    const found = templates.find(({ form }) => form.test(path.replace(/\?.*/, '')))
    const operation = document.paths[found?.template ?? '']?.[method.toLowerCase()]
    if (!operation) return [notTold]
    const response = operation.responses[answer.status]
    if (!response) return [`${answer.status} is not told of`]
    const { headers, content = {} } = resolve(response)
    const missing = Object.keys(headers).filter((name) => !sometimes.has(name) && !answer.headers.has(name))
    const type = answer.headers.get('content-type')?.replace(/;.*/, '') ?? ''
    const types = answer.body === '' ? [] : [type]
    if (Object.keys(content).join() !== types.join()) return [`is ${types.join()}, not ${Object.keys(content).join()}`]
    const faults = answer.body === '' ? [] : validatorOf(content[type].schema).validate(answer.body).errors
    return [
      ...missing.map((name) => `has no ${name}`),
      ...faults.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`),
    ]
  }
}
