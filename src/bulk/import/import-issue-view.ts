import * as z from 'zod/mini'
import { issueLimits } from './import-limits.ts'
import { issueSeverities } from './rows/issue-rows.ts'

/** An issue or a notice of a row, in responses. */
export const importIssueView = z.object({
  row: z
    .int()
    .check(z.describe('Row of the spreadsheet, whose header is row 1, or number of the line in a JSON Lines file.')),
  column: z
    .optional(z.string())
    .check(z.describe(`Name of the column in a CSV file, shortened to ${issueLimits.nameUnits} characters.`)),
  pointer: z
    .optional(z.string())
    .check(
      z.describe(
        `JSON pointer (RFC 6901) into the object of the line, shortened to ${issueLimits.nameUnits} characters.`,
      ),
    ),
  severity: z
    .enum(issueSeverities)
    .check(z.describe('`issue`: the row is left out. `notice`: the row is written, and may not be as expected.')),
  code: z.string().check(z.describe('Code of the issue, or of the problem, for programs.')),
  message: z.string().check(z.describe('Explanation of the issue for people.')),
  value: z.optional(z.string()).check(z.describe(`The value, shortened to ${issueLimits.valueUnits} characters.`)),
})
