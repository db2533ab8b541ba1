import * as z from 'zod'
import { type Issue, issueCodes, type ProblemCode, problems } from '../../src/platform/errors.ts'
import type { Problem } from '../../src/platform/http/problem-details.ts'
import { problemFieldDescriptions, withDescriptions } from './descriptions.ts'
import { exampleId } from './examples.ts'
import { outputSchema, ref } from './json-schema.ts'
import { type ApiOperation, capitalize, type HeaderName } from './operation.ts'
import { pathParameters } from './parameters.ts'
import { problemCodes, problemDescriptions } from './problem-descriptions.ts'
import { toHeaderRefs } from './response-headers.ts'

/** The problems that follow from the access, the parameters and the body of an operation. A code can occur twice. */
export function* listProblemCodes({
  access,
  method,
  path,
  query,
  body,
  file,
  condition,
  ignoresIdempotencyKey,
  problems = [],
}: ApiOperation): Iterable<ProblemCode> {
  yield 'internal'
  // Public operations only read, so no other problem is possible.
  if (access === 'anyone') yield 'method_not_allowed'
  else yield* ['unauthenticated', 'rate_limited', 'malformed_bookmark', 'misconfigured', 'unavailable'] as const
  if (access === 'key' || access === 'session') yield* ['forbidden', 'merchant_suspended'] as const
  // Without an operator secret, the operator's routes do not exist. Other sites must not use a session.
  if (access === 'operator') yield* ['forbidden', 'not_found'] as const
  if (access !== 'anyone' && pathParameters(path).length > 0) yield 'malformed_path'
  if (query || body) yield 'invalid_request'
  if (file) yield* ['unsupported_media_type', 'body_too_large'] as const
  if (body) yield* ['unsupported_media_type', 'body_too_large', 'malformed_body'] as const
  if (condition && access !== 'anyone') yield 'precondition_failed'
  // During a move or a restore of the merchant, writes wait for some seconds.
  if (access === 'key' && method !== 'get' && !ignoresIdempotencyKey) yield 'busy'
  if (method === 'post' && !ignoresIdempotencyKey) {
    yield* ['invalid_request', 'body_too_large', 'idempotency_key_reused', 'idempotency_key_in_use'] as const
  }
  yield* problems
}

/** Problems that share a status, as one response of the document. */
export type OperationProblems = Map<string, readonly ProblemCode[]>

const isSuccess = (status: string) => status.startsWith('2')

/**
 * References to the problem responses of an operation by status. Adds each new combination of problems to `combinations`. An operation
 * without a success response has its 500 response as the default.
 */
export function listProblems(operation: ApiOperation, combinations: OperationProblems) {
  const possible = new Set(listProblemCodes(operation))
  const byStatus = Map.groupBy(
    problemCodes.filter((code) => possible.has(code) && !(problems[code][0] in operation.responses)),
    (code) => problems[code][0],
  )
  const hasSuccess = Object.keys(operation.responses).some(isSuccess)
  return Object.fromEntries(
    Array.from(byStatus, ([status, together]) => {
      const name = together.map((code) => code.split('_').map(capitalize).join('')).join('Or')
      combinations.set(name, together)
      return [status === 500 && !hasSuccess ? 'default' : status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}

/** The schema of a problem document. The compiler checks that it fits `Problem`. */
export function problemSchema() {
  const available = z.number().meta({ description: 'Units in stock, with `insufficient_stock`.' })
  const issue = { code: z.enum(issueCodes), message: z.string(), available: available.exactOptional() }
  const pointer = z.string().meta({ description: 'Location in the body: a JSON pointer (RFC 6901).' })
  const parameter = z.string().meta({ description: 'Name of the query parameter.' })
  const problem = z.object({
    type: z.string().meta({ format: 'uri-reference', description: 'Address of the documentation of the code.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'Explanation of the problem for people.' }),
    code: z.enum(problemCodes),
    requestId: z.string().meta({ description: 'Id of the request, as in `Request-Id`.' }),
    errors: z
      .array(z.union([z.object({ ...issue, pointer }), z.object({ ...issue, parameter })]))
      .meta({ description: 'All issues of the body or the query.' })
      .exactOptional(),
    reasons: z
      .array(
        z.object({
          code: issue.code.meta({ description: 'Code of the reason for programs.' }),
          message: issue.message.meta({ description: 'Explanation of the reason for people.' }),
        }),
      )
      .meta({ description: 'With `coupon_not_redeemable`: all reasons.' })
      .exactOptional(),
  }) satisfies z.ZodType<Problem>
  return withDescriptions(outputSchema(problem), problemFieldDescriptions)
}

/** Headers of all problems with a status. */
const statusHeaders: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

const issues: readonly Issue[] = [{ pointer: '/title', code: 'required', message: 'must be given' }]

function createProblemExample(code: ProblemCode): Problem {
  const [status, title] = problems[code]
  const detail = problemDescriptions[code].replaceAll('`', '')
  const problem = { type: `/docs/errors#${code}`, title, status, detail, code, requestId: exampleId('req') }
  return code === 'invalid_request' ? { ...problem, detail: 'One value is not valid.', errors: issues } : problem
}

/** The response for problems that share a status. */
export const problemResponse = (codes: readonly ProblemCode[]) => ({
  description: codes.map((code) => `\`${code}\`: ${problemDescriptions[code]}`).join('\n\n'),
  headers: toHeaderRefs(['Request-Id', ...new Set(codes.flatMap((code) => statusHeaders[problems[code][0]] ?? []))]),
  content: {
    'application/problem+json': {
      schema: { ...ref('Problem'), properties: { code: { enum: codes } } },
      examples: Object.fromEntries(
        codes.map((code) => [code, { summary: problems[code][1], value: createProblemExample(code) }]),
      ),
    },
  },
})
