import * as z from 'zod'
import { type Issue, issueCodes, type ProblemCode, problems } from '../errors.ts'
import type { Problem } from '../http/problem-details.ts'
import { problemFieldDescriptions, withDescriptions } from './descriptions.ts'
import { exampleId } from './examples.ts'
import { outputSchema, ref } from './json-schema.ts'
import { type ApiOperation, capitalize, type HeaderName } from './operation.ts'
import { pathParameters } from './parameters.ts'
import { problemCodes, problemDescriptions } from './problem-descriptions.ts'
import { toHeaderRefs } from './response-headers.ts'

/** The problems that follow from who may call an operation and from what it takes. */
function* listProblemCodes({
  access,
  method,
  path,
  query,
  body,
  condition,
  problems = [],
}: ApiOperation): Iterable<ProblemCode> {
  yield 'internal'
  // Nothing else can be wrong with a request for what is open to anyone, and is read only.
  if (access === 'anyone') yield 'method_not_allowed'
  else yield* ['unauthenticated', 'rate_limited', 'malformed_bookmark', 'misconfigured', 'unavailable'] as const
  if (access === 'key') yield 'forbidden'
  // Where the operator has no secret, there are no operator's routes.
  if (access === 'operator') yield 'not_found'
  if (access !== 'anyone' && pathParameters(path).length > 0) yield 'malformed_path'
  if (query || body) yield 'invalid_request'
  if (body) yield* ['unsupported_media_type', 'body_too_large', 'malformed_body'] as const
  if (condition && access !== 'anyone') yield 'precondition_failed'
  if (method === 'post') {
    yield* ['invalid_request', 'body_too_large', 'idempotency_key_reused', 'idempotency_key_in_use'] as const
  }
  yield* problems
}

/** Problems that share a status, as one response of the document. */
export type OperationProblems = Map<string, readonly ProblemCode[]>

const isSuccess = (status: string) => status.startsWith('2')

/**
 * References to the error answers of an operation by status; each new combination of problems is added to `faults`. Where
 * nothing but faults and redirects can come, that of last resort is also the default.
 */
export function listProblems(operation: ApiOperation, faults: OperationProblems) {
  const possible = new Set(listProblemCodes(operation))
  const byStatus = Map.groupBy(
    problemCodes.filter((code) => possible.has(code) && !(problems[code][0] in operation.responses)),
    (code) => problems[code][0],
  )
  const hasSuccess = Object.keys(operation.responses).some(isSuccess)
  return Object.fromEntries(
    Array.from(byStatus, ([status, together]) => {
      const name = together.map((code) => code.split('_').map(capitalize).join('')).join('Or')
      faults.set(name, together)
      return [status === 500 && !hasSuccess ? 'default' : status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}

/** An error body; a field that `Problem` has not, or has otherwise, does not compile. */
export function problemSchema() {
  const issue = { code: z.enum(issueCodes), message: z.string() }
  const pointer = z.string().meta({ description: 'Where in the body: a JSON pointer (RFC 6901).' })
  const parameter = z.string().meta({ description: 'The name of the query parameter.' })
  const problem = z.object({
    type: z.string().meta({ format: 'uri-reference', description: 'Where the documentation explains the code.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'What is wrong, in a sentence for people.' }),
    code: z.enum(problemCodes),
    requestId: z.string().meta({ description: 'The same as in `Request-Id`.' }),
    errors: z
      .array(z.union([z.object({ ...issue, pointer }), z.object({ ...issue, parameter })]))
      .meta({ description: 'Every fault of the body or the query.' })
      .exactOptional(),
  }) satisfies z.ZodType<Problem>
  return withDescriptions(outputSchema(problem), problemFieldDescriptions)
}

/** The headers that every problem of a status carries. */
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

/** One response for problems that share a status. */
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
