import * as z from 'zod/mini'
import { matchKeys } from '../process/find-targets.ts'
import { issueSeverities } from '../rows/issue-rows.ts'

/** A row of a file as it will be written, in responses. */
export const previewView = z.object({
  row: z.int().check(z.describe('First row of the object in the file.')),
  resource: z.optional(z.string()).check(z.describe('Resource of the object.')),
  externalId: z.optional(z.string()).check(z.describe('External id of the object.')),
  object: z.record(z.string(), z.unknown()).check(z.describe('Fields that are written.')),
  details: z.optional(z.record(z.string(), z.unknown())).check(z.describe('Details that are written, such as sizes.')),
  sections: z
    .optional(z.array(z.string()))
    .check(z.describe('Titles of the sections of the menu that get the product. Absent: none.')),
  sizes: z
    .optional(
      z.array(
        z.object({
          label: z.string().check(z.describe('Name of the size.')),
          price: z
            .optional(z.unknown())
            .check(z.describe('Price of the size, as it will be written. Absent if it cannot be read.')),
        }),
      ),
    )
    .check(z.describe('Sizes of the product in the order of the file. Absent: it has one.')),
  outcome: z
    .optional(z.enum(['created', 'updated', 'unchanged']))
    .check(z.describe('Effect of applying the row. Absent for a row with issues, and before the check.')),
  how: z
    .optional(z.enum(matchKeys))
    .check(
      z.describe('Key that selects the object that the row updates. Absent if the row creates one or is not checked.'),
    ),
  issues: z
    .array(
      z.object({
        severity: z.enum(issueSeverities).check(z.describe('A row with an `issue` is left out.')),
        code: z.string().check(z.describe('Code of the issue.')),
        message: z.string().check(z.describe('Description of the issue for people.')),
        column: z.optional(z.string()).check(z.describe('Name of the column. Absent if the issue concerns the row.')),
      }),
    )
    .check(z.describe('Issues and notices of the row.')),
})
