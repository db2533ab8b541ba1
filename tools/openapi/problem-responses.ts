import { type Issue, type ProblemCode, problems } from '../../src/platform/errors.ts'
import { exampleId } from '../../src/platform/http/openapi/examples.ts'
import { ref } from '../../src/platform/http/openapi/json-schema.ts'
import { type ApiOperation, capitalize, type HeaderName } from '../../src/platform/http/openapi/operation.ts'
import { problemCodes } from '../../src/platform/http/openapi/problem-schema.ts'
import type { Problem } from '../../src/platform/http/problem-details.ts'
import { pathParameters } from './parameters.ts'
import { problemDescriptions } from './problem-descriptions.ts'
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
  if (access === 'key' || access === 'session')
    yield* ['forbidden', 'merchant_suspended', 'address_not_allowed'] as const
  // Without an operator secret, the operator's routes do not exist. Other sites must not use a session.
  if (access === 'operator') yield* ['forbidden', 'address_not_allowed', 'not_found'] as const
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
