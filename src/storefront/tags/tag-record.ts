import * as z from 'zod/mini'

/** The fields of a tag that a redirect needs, as stored in KV and in isolates. The copy with the higher `version` is newer: the sum of the versions of the tag and of its details. */
export const tagRecord = z.object({
  version: z.number(),
  merchantId: z.string(),
  id: z.string(),
  code: z.string(),
  testMode: z.boolean(),
  nfc: z.boolean(),
  /** Keys and values of the metadata that guests may see. */
  shown: z.array(z.tuple([z.string(), z.string()])),
  /** The tag was deleted. Its code is never used again. */
  gone: z.boolean(),
  /** The details of the tag: where it leads, and the order type of its guests. */
  url: z.optional(z.string()),
  rules: z.optional(z.array(z.unknown())),
  orderType: z.optional(z.string()),
})
export type TagRecord = z.output<typeof tagRecord>

/** The fields of a merchant that a redirect needs. */
export const venueRecord = z.object({
  /** Time of the last change, in seconds. */
  version: z.number(),
  timezone: z.string(),
  orderingUrl: z.optional(z.string()),
  sandboxUrl: z.optional(z.string()),
  website: z.optional(z.string()),
  destinationHosts: z.optional(z.array(z.string())),
  /** The hosted menu takes calls of guests. */
  calls: z.optional(z.boolean()),
  /** The merchant is suspended or closed: its tags redirect to a page that says so. */
  suspended: z.optional(z.boolean()),
  /** End of the grace period of a closed merchant, in seconds. From then on its tags count as deleted. */
  deletesAt: z.optional(z.number()),
})
export type VenueRecord = z.output<typeof venueRecord>
