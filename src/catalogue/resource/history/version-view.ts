import * as z from 'zod/mini'

const versionParts = ['object', 'details', 'limits', 'availability'] as const
const versionChanges = ['created', 'updated', 'deleted', 'restored'] as const

/** A version of an object in responses. */
export const versionView = z.object({
  part: z
    .enum(versionParts)
    .check(z.describe('Part that changed. Each part has versions of its own. `availability` requires `stock:read`.')),
  change: z.enum(versionChanges).check(z.describe('Kind of the change.')),
  version: z.int().check(z.describe('Version of the part after the change.')),
  at: z.int().check(z.describe('Time of the change, in seconds since 1970-01-01 UTC.')),
  by: z
    .optional(z.string())
    .check(z.describe('Id of the API key or the member that made the change. Absent for changes by the service.')),
  changed: z
    .record(
      z.string(),
      z.object({
        before: z.unknown().check(z.describe('Value before the change, `null` if absent.')),
        after: z.unknown().check(z.describe('Value after the change, `null` if absent.')),
      }),
    )
    .check(
      z.describe(
        'Old and new values of changed fields, `null` for absent ones. Empty unless `change` is `updated`, and after an erasure. Of availability: `until` of a product, or the ids of options, each with the end of the mark in seconds or `further_notice`.',
      ),
    ),
})
export type Version = z.output<typeof versionView>
