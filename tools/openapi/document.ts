import type { EventType } from '../../src/catalogue/events/event-catalogue.operations.ts'
import { operatorCookieName } from '../../src/platform/auth/operator/operator-sessions.ts'
import { cookieName } from '../../src/platform/auth/sessions.ts'
import { limits } from '../../src/platform/http/fields.ts'
import { apiVersion, hasApiVersion } from '../../src/platform/http/headers.ts'
import { type JsonSchema, mapValues } from '../../src/platform/http/openapi/json-schema.ts'
import {
  type ApiOperation,
  type ApiResponse,
  notModified,
  type OperationGroup,
} from '../../src/platform/http/openapi/operation.ts'
import { problemSchema } from '../../src/platform/http/openapi/problem-schema.ts'
import { describePath, describeQuery, pathParameters } from './parameters.ts'
import { listProblems, type OperationProblems, problemResponse } from './problem-responses.ts'
import {
  bookmarkHeader,
  headerDescriptions,
  listRequestHeaders,
  requestHeaders,
  toHeaderRefs,
} from './response-headers.ts'
import { deliveryHeaders, deliveryScheme, notifications, webhookDescriptions } from './webhook-requests.ts'

/** The OpenAPI 3.1 document of the operations and of the requests to webhooks. */
export function createDocument(
  groups: readonly OperationGroup[],
  events: readonly EventType[],
  { version, license }: { version: string; license: string },
) {
  const operations = groups.flatMap(({ operations }) => operations)
  const issues: OperationProblems = new Map()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { name, operations: own } of groups) {
    for (const operation of own) {
      const path = operation.path.replace(/:(\w+)/g, '{$1}')
      paths[path] ??= pathItem(operation)
      paths[path][operation.method] = describe(operation, name, operations, issues)
    }
  }
  const schemas = collectSchemas(groups)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Merchant Ordering API',
      version,
      'x-api-version': apiVersion,
      summary: 'Products, menus, tables and webhooks of restaurants, cafés and bars.',
      description: introduction,
      // The terms differ, because each deployment has its own operator.
      contact: { name: 'The operator of the service' },
      license: { name: license, identifier: license },
    },
    // A relative address, because each deployment serves its own document.
    servers: [{ url: '/', description: 'The service that serves this document.' }],
    tags: [...groups.map(({ name, description }) => ({ name, description })), notifications],
    paths,
    webhooks: webhookDescriptions(events),
    components: {
      schemas,
      responses: Object.fromEntries(Array.from(issues, ([name, codes]) => [name, problemResponse(codes)])),
      parameters: { ...requestHeaders(operations), ...deliveryHeaders },
      headers: headerDescriptions,
      securitySchemes: { ...listSchemes(operations), delivery: deliveryScheme },
    },
  }
}

/** All named schemas. */
export const collectSchemas = (groups: readonly OperationGroup[]): Readonly<Record<string, JsonSchema>> => ({
  ...Object.assign({}, ...groups.map(({ schemas }) => schemas)),
  Problem: problemSchema(),
})

export const introduction = `Manages the catalogue of a venue and the tags on its tables. Bodies are JSON, up to ${limits.bodyBytes.toLocaleString('en')} bytes. Lists
are paginated: the \`Link\` header has the next page. Errors are problem documents (RFC 9457) with one of the
[error codes](/docs/errors). Outside the API, browsers get a page for an unknown path. Times are in seconds since 1970-01-01
UTC. Amounts are in the merchant's currency. String lengths count Unicode code points. Every change raises an event for [webhooks](#tag/notifications).`

const securitySchemes = {
  key: {
    type: 'http',
    scheme: 'bearer',
    description: 'API key of the merchant: `sk_live_…`, or `sk_test_…` for test objects only.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: cookieName,
    description:
      'Session of the console. Accepted only with `Sec-Fetch-Site: same-origin` and without `Authorization`. A body must be JSON, JSONL, CSV or an image, or multipart with `X-Requested-With: console`. The session of a member chooses the mode of each request with the header `Mode`: `live`, the default, or `test`.',
  },
  operator: {
    type: 'http',
    scheme: 'bearer',
    description:
      '`ADMIN_TOKEN` of the service, or a platform key (`sk_platform_…`) for the operations that its scopes allow.',
  },
  operatorSession: {
    type: 'apiKey',
    in: 'cookie',
    name: operatorCookieName,
    description: 'Session of an operator in the console, accepted under the same conditions as `session`.',
  },
} as const

/** The accepted credentials. Each one is sufficient. */
const schemesOf = (access: ApiOperation['access']): readonly string[] => {
  if (access === 'anyone') return []
  if (access === 'operator') return ['operator', 'operatorSession']
  return access === 'key' ? ['key', 'session'] : [access]
}

/** The security schemes that at least one operation uses. */
const listSchemes = (operations: readonly ApiOperation[]) =>
  Object.fromEntries(
    Object.entries(securitySchemes).filter(([scheme]) =>
      operations.some(({ access }) => schemesOf(access).includes(scheme)),
    ),
  )

/** The parameters that all methods of a path share. */
const pathItem = (operation: ApiOperation) => ({
  parameters: [
    ...describePath(operation),
    ...(operation.access === 'anyone' ? [] : [{ $ref: `#/components/parameters/${bookmarkHeader}` }]),
  ],
})

function describe(operation: ApiOperation, tag: string, all: readonly ApiOperation[], issues: OperationProblems) {
  const { id, summary, method, access, query, body, file, example, condition, ignoresIdempotencyKey } = operation
  const parameters = [
    ...(query ? describeQuery(query) : []),
    ...listRequestHeaders(operation).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ]
  const replayed = method === 'post' && !ignoresIdempotencyKey ? (['Idempotent-Replayed'] as const) : []
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: createDescription(operation),
    security: schemesOf(access).map((scheme) => ({ [scheme]: [] })),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? {
          requestBody: {
            required: !operation.isBodyOptional,
            content: { 'application/json': { schema: body, example } },
          },
        }
      : {}),
    ...(file ? { requestBody: { required: true, content: mapValues(file, (schema) => ({ schema })) } } : {}),
    responses: {
      ...mapValues(operation.responses, (documented, status) => ({
        ...response({ ...documented, headers: [...(documented.headers ?? []), ...replayed] }, operation),
        ...(status === '201' ? createLinks(operation, all) : {}),
      })),
      ...(condition === 'If-None-Match'
        ? {
            304: response(notModified, operation),
          }
        : {}),
      ...listProblems(operation, issues),
    },
  }
}

const describeAccess = {
  key: 'Requires an API key of the merchant, with no particular scope.',
  session: 'Requires a session of the console.',
  operator: 'Requires `ADMIN_TOKEN` or a session of an operator.',
  anyone: 'Requires no API key.',
}

const describeScopes = (scopes: readonly string[]) =>
  `Requires the scope${scopes.length > 1 ? 's' : ''} ${scopes.map((scope) => `\`${scope}\``).join(' and ')}.`

/** Scopes are in the description, because OpenAPI defines scopes only for OAuth. */
const createDescription = ({ description, access, scope }: ApiOperation) =>
  [
    ...(description === undefined ? [] : [description]),
    scope === undefined ? describeAccess[access] : describeScopes([scope].flat()),
  ].join(' ')

const response = (
  { description, schema, headers = [], contentType, otherContent = {}, example, problems }: ApiResponse,
  { path, access }: ApiOperation,
) => ({
  description,
  headers: toHeaderRefs([
    'Request-Id',
    ...(hasApiVersion(`https://api.example${path}`) ? (['API-Version'] as const) : []),
    ...(access === 'anyone' ? [] : ([bookmarkHeader] as const)),
    ...headers,
  ]),
  ...(schema
    ? {
        content: {
          [contentType ?? 'application/json']: { schema, ...(example === undefined ? {} : { example }) },
          ...mapValues(otherContent, (other) => ({ schema: other })),
          ...(problems && problemResponse(problems).content),
        },
      }
    : {}),
})

/** Links from a created object to all operations whose path needs only its id in addition. */
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
