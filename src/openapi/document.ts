import type { EventType } from './event-catalogue.ts'
import { type JsonSchema, mapValues } from './json-schema.ts'
import type { ApiOperation, ApiResponse, OperationGroup } from './operation.ts'
import { describePath, describeQuery, pathParameters } from './parameters.ts'
import { listProblems, type OperationProblems, problemResponse, problemSchema } from './problem-responses.ts'
import {
  bookmarkHeader,
  headerDescriptions,
  listRequestHeaders,
  requestHeaders,
  toHeaderRefs,
} from './response-headers.ts'
import { deliveryHeaders, deliveryScheme, notifications, webhookDescriptions } from './webhooks.ts'

/** The OpenAPI 3.1 document of everything the chapters tell of, and of what is sent to webhooks. */
export function createDocument(
  chapters: readonly OperationGroup[],
  events: readonly EventType[],
  { version, license }: { version: string; license: string },
) {
  const operations = chapters.flatMap(({ operations }) => operations)
  const issues: OperationProblems = new Map()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { name, operations: own } of chapters) {
    for (const operation of own) {
      const path = operation.path.replace(/:(\w+)/g, '{$1}')
      paths[path] ??= pathItem(operation)
      paths[path][operation.method] = describe(operation, name, operations, issues)
    }
  }
  const schemas = collectSchemas(chapters)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Merchant Ordering API',
      version,
      summary: 'What a venue sells, where its guests sit, and who is told when something happens.',
      description: introduction,
      // Nobody in particular: each deployment has an operator of its own.
      contact: { name: 'The operator of the service' },
      license: { name: license, identifier: license },
    },
    // Wherever it is deployed, the document is served by what it describes.
    servers: [{ url: '/', description: 'The service that serves this document.' }],
    tags: [...chapters.map(({ name, description }) => ({ name, description })), notifications],
    paths,
    webhooks: webhookDescriptions(events, (name) => Object.hasOwn(schemas, name)),
    components: {
      schemas,
      responses: Object.fromEntries(Array.from(issues, ([name, codes]) => [name, problemResponse(codes)])),
      parameters: { ...requestHeaders(operations), ...deliveryHeaders },
      headers: headerDescriptions,
      securitySchemes: { ...listSchemes(operations), delivery: deliveryScheme },
    },
  }
}

/** Every schema that has a name. */
export const collectSchemas = (chapters: readonly OperationGroup[]): Readonly<Record<string, JsonSchema>> => ({
  ...Object.assign({}, ...chapters.map(({ schemas }) => schemas)),
  Problem: problemSchema(),
})

const introduction = `What a venue sells and how guests order it. Bodies are JSON. Lists are paged: \`Link\` leads to the next page.
Whatever goes wrong is answered with a problem document (RFC 9457), whose codes are at [/docs/errors](/docs/errors).
Times are in seconds since 1970-01-01 UTC, amounts in units of the merchant's currency. Strings count code points; a body
has at most 262,144 bytes. Every change is told to [webhooks](#tag/notifications).`

const securitySchemes = {
  key: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key of the merchant: `sk_live_…`, or `sk_test_…`, which sees and makes test objects only.',
  },
  operator: { type: 'http', scheme: 'bearer', description: 'The secret of whoever runs the service.' },
} as const

/** The schemes that are needed: a document should not tell of a door that leads nowhere. */
const listSchemes = (operations: readonly ApiOperation[]) =>
  Object.fromEntries(
    Object.entries(securitySchemes).filter(([scheme]) => operations.some(({ access }) => access === scheme)),
  )

/** What all methods of a path have in common. */
const pathItem = (operation: ApiOperation) => ({
  parameters: [
    ...describePath(operation),
    ...(operation.access === 'anyone' ? [] : [{ $ref: `#/components/parameters/${bookmarkHeader}` }]),
  ],
})

function describe(operation: ApiOperation, tag: string, all: readonly ApiOperation[], issues: OperationProblems) {
  const { id, summary, method, access, query, body, example, condition } = operation
  const parameters = [
    ...(query ? describeQuery(query) : []),
    ...listRequestHeaders(operation).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ]
  const replayed = method === 'post' ? (['Idempotent-Replayed'] as const) : []
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: createDescription(operation),
    security: access === 'anyone' ? [] : [{ [access]: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body, example } } } } : {}),
    responses: {
      ...mapValues(operation.responses, (answer, status) => ({
        ...response({ ...answer, headers: [...(answer.headers ?? []), ...replayed] }, access),
        ...(status === '201' ? createLinks(operation, all) : {}),
      })),
      ...(condition === 'If-None-Match'
        ? { 304: response({ description: 'It is that of `If-None-Match`.', headers: ['ETag'] }, access) }
        : {}),
      ...listProblems(operation, issues),
    },
  }
}

const describeAccess = {
  key: 'Any key of the merchant will do.',
  operator: 'For the operator only.',
  anyone: 'No key is needed.',
}

/** Scopes are told in words: for anything but OAuth, tools do not know what to make of them elsewhere. */
const createDescription = ({ description, access, scope }: ApiOperation) =>
  [
    ...(description === undefined ? [] : [description]),
    scope === undefined ? describeAccess[access] : `Needs the scope \`${scope}\`.`,
  ].join(' ')

const response = (
  { description, schema, headers = [], contentType, example }: ApiResponse,
  access: ApiOperation['access'],
) => ({
  description,
  headers: toHeaderRefs(['Request-Id', ...(access === 'anyone' ? [] : ([bookmarkHeader] as const)), ...headers]),
  ...(schema
    ? { content: { [contentType ?? 'application/json']: { schema, ...(example === undefined ? {} : { example }) } } }
    : {}),
})

/** What can be done with an object that was made: every operation whose path needs nothing but its id besides. */
function createLinks({ path }: ApiOperation, all: readonly ApiOperation[]) {
  const known = pathParameters(path)
  const links = all.flatMap((next) => {
    const [made, ...further] = pathParameters(next.path).slice(known.length)
    if (made === undefined || further.length > 0 || !next.path.startsWith(`${path}/:`)) return []
    const parameters = {
      ...Object.fromEntries(known.map((name) => [name, `$request.path.${name}`])),
      [made]: '$response.body#/id',
    }
    return [[next.id, { operationId: next.id, description: next.summary, parameters }]]
  })
  return links.length === 0 ? {} : { links: Object.fromEntries(links) }
}
