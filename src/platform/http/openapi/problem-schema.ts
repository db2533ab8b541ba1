import * as z from 'zod'
import { issueCodes, type ProblemCode, problems } from '../../errors.ts'
import type { Problem } from '../problem-details.ts'
import { type JsonSchema, outputSchema } from './json-schema.ts'

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code)
export const problemCodes = Object.keys(problems).filter(isProblemCode)

/** The schema of a problem document. The compiler checks that it fits `Problem`. */
export function problemSchema(): JsonSchema {
  const available = z.number().meta({ description: 'Units in stock, with `insufficient_stock`.' })
  const count = z.int().meta({ description: 'Number of objects that would be deleted, with `confirm_required`.' })
  const issue = {
    code: z.enum(issueCodes).meta({ description: 'Code of the issue for programs, from a closed list.' }),
    message: z.string().meta({ description: 'Explanation of the issue for people.' }),
    available: available.exactOptional(),
    count: count.exactOptional(),
  }
  const pointer = z.string().meta({ description: 'Location in the body: a JSON pointer (RFC 6901).' })
  const parameter = z.string().meta({ description: 'Name of the query parameter.' })
  const problem = z.object({
    type: z.string().meta({ format: 'uri-reference', description: 'Address of the documentation of the code.' }),
    title: z.string().meta({ description: 'Short summary, equal for every problem with this code.' }),
    status: z.int().meta({ description: 'HTTP status of the response.' }),
    detail: z.string().meta({ description: 'Explanation of the problem for people.' }),
    code: z.enum(problemCodes).meta({ description: 'Error code for programs, from a closed list.' }),
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
  return outputSchema(problem)
}
