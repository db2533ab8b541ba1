import { dereference, initialBaseURI, type Schema, validate } from '@cfworker/json-schema'

type Json = Readonly<Record<string, unknown>>

/** A response and its request. */
export interface Exchange {
  method: string
  /** Without the query. */
  path: string
  status: number
  headers: Headers
  text: string
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const part = (whole: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce((inner, key) => (isObject(inner) ? inner[key] : undefined), whole)
const keysOf = (value: unknown) => (isObject(value) ? Object.keys(value) : [])

/** A schema that rejects undocumented fields. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (!isObject(value)) return value
  const parts = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner)]))
  return parts['type'] === 'object' && parts['properties'] ? { additionalProperties: false, ...parts } : parts
}

const problem = { $ref: '#/components/schemas/Problem' }

/**
 * Addresses that are no operations: files of pages of the documentation, and screens of the console whose address is that of an operation
 * with another method.
 */
const partOfPage =
  /^\/docs\/\w+\.(?:css|js)$|^\/demo\/[a-z-]+\.svg$|^\/fonts\/[\w-]+\.woff2$|^\/(?:plate|icon-\d+)\.png$|^\/console\/[\w-]+(?:\/[\w-]+)?$/

/** Documented headers that are absent from some responses: from the last page, without a response of the database, from a first response. */
const optional = new Set(['Link', 'Search-Match', 'External-Id', 'D1-Bookmark', 'Idempotent-Replayed'])

/** Returns the first deviation of a response from the document; undefined if it does not exist. */
export function createContract(document: unknown) {
  // Shared by all schemas: to resolve the references of all components takes longer than most checks.
  const lookup = dereference({ components: closed(part(document, 'components')) })
  const templates = keysOf(part(document, 'paths')).map((template) => ({
    template,
    variables: template.split('{').length,
    form: new RegExp(
      `^${template
        .replaceAll('.', '\\.')
        .replace(/\{\w+\}(?=\\)/g, '[^/]*')
        .replace(/\{\w+\}/g, '[^/]+')}$`,
    ),
  }))
  // `/tags/sheet` is no tag, `/tags/external/scans` has an external id, and `.json` is no part of an id.
  const isExternal = ({ template }: { template: string }) => Number(template.includes('/external/{'))
  templates.sort(
    (a, b) => a.variables - b.variables || isExternal(b) - isExternal(a) || b.template.length - a.template.length,
  )
  const countParts = (path: string) => path.split('/').length
  const templatesByParts = Map.groupBy(templates, ({ template }) => countParts(template))

  const resolve = (value: unknown): unknown => {
    const reference = part(value, '$ref')
    return typeof reference === 'string' ? part(document, ...reference.split('/').slice(1)) : value
  }

  /**
   * Two templates can match: in `/external/external-id`, the last part can be an external id, and `external` can be an object. Only the
   * templates with the fewest variables belong to the path, with any methods.
   */
  function findResponses(path: string, method: string): unknown {
    const matches = templatesByParts.get(countParts(path))?.filter(({ form }) => form.test(path)) ?? []
    for (const { template, variables } of matches) {
      if (variables !== matches[0]?.variables) return undefined
      const found = part(document, 'paths', template, method, 'responses')
      if (found !== undefined) return found
    }
    return undefined
  }

  const prepared = new Map<unknown, Schema>()
  function prepare(schema: unknown): Schema {
    const own: Schema = { ...Object(closed(schema)) }
    dereference(own, lookup, initialBaseURI, `/checked/${prepared.size}`)
    prepared.set(schema, own)
    return own
  }
  function findDeviation(schema: unknown, value: unknown): string | undefined {
    const { errors } = validate(value, prepared.get(schema) ?? prepare(schema), '2020-12', lookup, false)
    return errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`).join('\n') || undefined
  }

  /** Checks a response of an undocumented path: a problem, or a page for guests. */
  function findUndocumented({ method, path, status, headers, text }: Exchange): string | undefined {
    if (method === 'OPTIONS' && status === 204)
      return headers.has('allow') || headers.has('access-control-allow-methods') ? undefined : 'no Allow'
    if (partOfPage.test(path) && (status === 200 || status === 304)) return undefined
    if (/^\/(?:docs|console)\/$/.test(path) && status === 308) return undefined
    if (status < 400) return 'is not documented'
    if (status === 405 && !headers.has('allow')) return 'no Allow'
    const type = headers.get('content-type') ?? ''
    if (type.startsWith('text/html')) return undefined
    if (type !== 'application/problem+json') return `${type} instead of a problem`
    if (method === 'HEAD') return text === '' ? undefined : 'a body'
    return findDeviation(problem, JSON.parse(text))
  }

  return (exchange: Exchange): string | undefined => {
    const { status, headers, text } = exchange
    const path = exchange.path
      .replace(/^\/[TN](?=\/)/, (segment) => segment.toLowerCase())
      // A scanned address leads to the same with a slash behind it.
      .replace(/^(\/[tn]\/.+)\/$/, '$1')
    const method = exchange.method === 'HEAD' ? 'GET' : exchange.method
    const responses = findResponses(path, method.toLowerCase())
    if (responses === undefined) return findUndocumented(exchange)
    const response = resolve(part(responses, String(status)) ?? part(responses, 'default'))
    if (response === undefined) return 'is not documented'
    const absent = keysOf(part(response, 'headers')).find((name) => !optional.has(name) && !headers.has(name))
    if (absent !== undefined) return `no ${absent}`
    const content = part(response, 'content')
    const type = headers.get('content-type')?.replace(/;.*/, '') ?? ''
    if (text === '') return exchange.method === 'HEAD' || content === undefined ? undefined : 'no body'
    if (exchange.method === 'HEAD') return 'a body'
    // The introduction of the document says so for all paths outside the API.
    if (status === 404 && type === 'text/html' && path.startsWith('/docs/')) return undefined
    const schema = part(content, type, 'schema')
    if (schema === undefined) return `${type} is not documented`
    return /json$/.test(type) ? findDeviation(schema, JSON.parse(text)) : undefined
  }
}

/** A response whose body was read. */
interface ReadResponse {
  status: number
  headers: Headers
  body: unknown
}

/** The validator of such a response, as a list. */
export function listDeviations(document: unknown) {
  const findDeviation = createContract(document)
  return (method: string, path: string, { status, headers, body }: ReadResponse): string[] => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const deviation = findDeviation({ method, path: path.replace(/\?.*/, ''), status, headers, text })
    return deviation === undefined ? [] : [deviation]
  }
}

/** Throws if a response with these bytes is not as documented. */
export function createContractCheck(document: unknown) {
  const findDeviation = createContract(document)
  return (request: Pick<Request, 'method' | 'url'>, { status, headers }: Response, bytes: ArrayBuffer): void => {
    const { method, url } = request
    const path = new URL(url).pathname
    const isText = /^text|json|svg/.test(headers.get('content-type') ?? '')
    const text = isText ? new TextDecoder().decode(bytes) : bytes.byteLength > 0 ? 'a picture' : ''
    const deviation = findDeviation({ method, path, status, headers, text })
    if (deviation !== undefined) throw new Error(`not as documented: ${method} ${path} ${status}: ${deviation}`)
  }
}
