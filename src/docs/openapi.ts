import * as z from 'zod'
import { issueCodes, type Problem, type ProblemCode, problems } from '../core/errors.ts'
import { mostKeyLength } from '../core/idempotency.ts'
import { problemCodes as codes, problemMeanings } from './meanings.ts'
import { type Answer, type Chapter, capitalize, type HeaderName, type Operation } from './operations.ts'
import { type JsonSchema, mapValues, outputSchema, ref } from './schemas.ts'

/** The OpenAPI 3.1 document of everything the chapters tell of. */
export function openapi(chapters: readonly Chapter[], version: string) {
  const operations = chapters.flatMap(({ name, operations }) => operations.map((operation) => ({ name, operation })))
  const faults = new Map<string, readonly ProblemCode[]>()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { name, operation } of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= pathItem(operation)
    paths[path][operation.method] = describe(operation, name, faults)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Merchant Ordering API', version, description: introduction },
    servers: [{ url: '/' }],
    tags: chapters.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      schemas: {
        ...Object.assign({}, ...chapters.map(({ schemas }) => schemas)),
        Problem: outputSchema(problemSchema()),
      },
      responses: Object.fromEntries(Array.from(faults, ([name, codes]) => [name, problemResponse(codes)])),
      parameters: parametersOf(operations.map(({ operation }) => operation)),
      headers,
      securitySchemes: schemesOf(operations.map(({ operation }) => operation)),
    },
  }
}

const introduction = `What a venue sells and how guests order it. Bodies are JSON. Lists are paged: \`Link\` leads to the next page.
Whatever goes wrong is answered with a problem document (RFC 9457), whose codes are at [/docs/errors](/docs/errors).`

const securitySchemes = {
  key: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key of the merchant: `sk_live_…`, or `sk_test_…`, which sees and makes test objects only.',
  },
  operator: { type: 'http', scheme: 'bearer', description: 'The secret of whoever runs the service.' },
} as const

/** The schemes that are needed: a document should not tell of a door that leads nowhere. */
const schemesOf = (operations: readonly Operation[]) =>
  Object.fromEntries(
    Object.entries(securitySchemes).filter(([scheme]) => operations.some(({ access }) => access === scheme)),
  )

const bookmark = 'D1-Bookmark'
const text: JsonSchema = { type: 'string' }
const headers: Record<HeaderName, { description: string; schema: JsonSchema }> = {
  'Request-Id': { description: 'The request, as the logs know it.', schema: text },
  'D1-Bookmark': {
    description:
      'How far the answer has seen what was written. Sent along with the next request, it makes sure that one sees no less.',
    schema: text,
  },
  Location: { description: 'The path of what was made, or where to go on.', schema: text },
  Link: { description: '`<…>; rel="next"`: the next page; absent on the last one (RFC 8288).', schema: text },
  ETag: { description: 'The state of the object, for `If-None-Match` and `If-Match`.', schema: text },
  'Idempotent-Replayed': {
    description: '`true` where an earlier request with the same `Idempotency-Key` was answered so.',
    schema: text,
  },
  'Retry-After': { description: 'After how many seconds to try again.', schema: { type: 'integer' } },
  Allow: { description: 'The methods of the path.', schema: text },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: text },
}

/** Headers that some requests may carry, and their limits. */
const requestHeaders = {
  'If-Match': { description: 'The `ETag` of the state that is meant: in any other, nothing is done.', schema: text },
  'If-None-Match': {
    description: 'The `ETag` of what is known already: if it still holds, the answer is `304`.',
    schema: text,
  },
  'Idempotency-Key': {
    description:
      'Made up by the client, once for each thing it wants done, a UUID for example: within a day, the same request with the same key is done once and answered alike, however often it comes.',
    schema: { type: 'string', minLength: 1, maxLength: mostKeyLength },
  },
} as const satisfies Record<string, { description: string; schema: JsonSchema }>

/** Those that an operation takes. */
const carriedBy = ({ condition, method }: Operation) => [
  ...(condition ? [condition] : []),
  ...(method === 'post' ? (['Idempotency-Key'] as const) : []),
]

const parametersOf = (operations: readonly Operation[]) => ({
  [bookmark]: { name: bookmark, in: 'header', ...headers[bookmark] },
  ...Object.fromEntries(
    operations.flatMap(carriedBy).map((name) => [name, { name, in: 'header', ...requestHeaders[name] }]),
  ),
})

const headersOf = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** The headers that every problem of a status carries. */
const problemHeaders: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

const pathParameters = (path: string) => Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name)

/** What all methods of a path have in common. */
const pathItem = ({ path, access }: Operation) => ({
  parameters: [
    ...pathParameters(path).map((name) => ({ name, in: 'path', required: true, schema: text })),
    ...(access === 'anyone' ? [] : [{ $ref: `#/components/parameters/${bookmark}` }]),
  ],
})

function describe(operation: Operation, tag: string, faults: Map<string, readonly ProblemCode[]>) {
  const { id, summary, method, access, query, body, condition } = operation
  const parameters = [
    ...(query ? queryParameters(query) : []),
    ...carriedBy(operation).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ]
  const replayed = method === 'post' ? (['Idempotent-Replayed'] as const) : []
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: descriptionOf(operation),
    security: access === 'anyone' ? [] : [{ [access]: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    responses: {
      ...mapValues(operation.answers, (answer) =>
        response({ ...answer, headers: [...(answer.headers ?? []), ...replayed] }, access),
      ),
      ...(condition === 'If-None-Match'
        ? { 304: response({ description: 'It is that of `If-None-Match`.', headers: ['ETag'] }, access) }
        : {}),
      ...faultsOf(operation, faults),
    },
  }
}

const admission = {
  key: 'Any key of the merchant will do.',
  operator: 'For the operator only.',
  anyone: 'No key is needed.',
}

/** Scopes are told in words: for anything but OAuth, tools do not know what to make of them elsewhere. */
const descriptionOf = ({ description, access, scope }: Operation) =>
  [
    ...(description === undefined ? [] : [description]),
    scope === undefined ? admission[access] : `Needs the scope \`${scope}\`.`,
  ].join(' ')

/** A parameter's schema is that of the value it stands for, which its text is parsed into. */
export function queryParameters(query: z.core.$ZodType) {
  const { properties = {}, required = [] } = outputSchema(query)
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest }: JsonSchema = typeof schema === 'object' ? schema : {}
    return {
      name,
      in: 'query',
      ...(required.includes(name) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      schema: rest,
      ...(rest.type === 'array' ? { style: 'form', explode: false } : {}),
    }
  })
}

const response = ({ description, schema, headers = [], contentType }: Answer, access: Operation['access']) => ({
  description,
  headers: headersOf(['Request-Id', ...(access === 'anyone' ? [] : ([bookmark] as const)), ...headers]),
  ...(schema ? { content: { [contentType ?? 'application/json']: { schema } } } : {}),
})

/** The problems that follow from who may call an operation and from what it takes. */
function* problemsOf({
  access,
  method,
  path,
  query,
  body,
  condition,
  problems = [],
}: Operation): Iterable<ProblemCode> {
  yield 'internal'
  // Nothing else can be wrong with a request for what is open to anyone, and is read only.
  if (access === 'anyone') yield 'method_not_allowed'
  else yield* ['unauthenticated', 'rate_limited', 'malformed_bookmark', 'unavailable'] as const
  if (access === 'key') yield 'forbidden'
  // Where the operator has no secret, there are no operator's routes.
  if (access === 'operator') yield 'not_found'
  if (access !== 'anyone' && pathParameters(path).length > 0) yield 'malformed_path'
  if (query || body) yield 'invalid_request'
  if (body) yield* ['unsupported_media_type', 'body_too_large', 'malformed_body'] as const
  if (condition) yield 'precondition_failed'
  if (method === 'post') {
    yield* ['invalid_request', 'body_too_large', 'idempotency_key_reused', 'idempotency_key_in_use'] as const
  }
  yield* problems
}

/** References to the error answers of an operation by status; each new combination of problems is added to `faults`. */
function faultsOf(operation: Operation, faults: Map<string, readonly ProblemCode[]>) {
  const possible = new Set(problemsOf(operation))
  const byStatus = Map.groupBy(
    codes.filter((code) => possible.has(code) && !(problems[code][0] in operation.answers)),
    (code) => problems[code][0],
  )
  return Object.fromEntries(
    Array.from(byStatus, ([status, together]) => {
      const name = together.map((code) => code.split('_').map(capitalize).join('')).join('Or')
      faults.set(name, together)
      return [status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}

/** An error body; a field that `Problem` has not, or has otherwise, does not compile. */
function problemSchema() {
  const fault = { code: z.enum(issueCodes), message: z.string() }
  const pointer = z.string().meta({ description: 'Where in the body: a JSON pointer (RFC 6901).' })
  const parameter = z.string().meta({ description: 'The name of the query parameter.' })
  return z.object({
    type: z.string().meta({ format: 'uri-reference', description: 'Where the documentation explains the code.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'What is wrong, in a sentence for people.' }),
    code: z.enum(codes),
    requestId: z.string().meta({ description: 'The same as in `Request-Id`.' }),
    errors: z
      .array(z.union([z.object({ ...fault, pointer }), z.object({ ...fault, parameter })]))
      .meta({ description: 'Every fault of the body or the query.' })
      .exactOptional(),
  }) satisfies z.ZodType<Problem>
}

const problemResponse = (codes: readonly ProblemCode[]) => ({
  description: codes.map((code) => `\`${code}\`: ${problemMeanings[code]}`).join('\n\n'),
  headers: headersOf(['Request-Id', ...new Set(codes.flatMap((code) => problemHeaders[problems[code][0]] ?? []))]),
  content: { 'application/problem+json': { schema: { ...ref('Problem'), properties: { code: { enum: codes } } } } },
})
