import * as z from 'zod/mini'

/** What a redirect needs to know of a tag; kept in KV, and by isolates. `version` tells which of two copies is newer. */
export const tagRecord = z.object({
  version: z.number(),
  merchantId: z.string(),
  id: z.string(),
  code: z.string(),
  testMode: z.boolean(),
  nfc: z.boolean(),
  /** Key and value of the metadata guests may see. */
  shown: z.array(z.tuple([z.string(), z.string()])),
  /** The tag was deleted; the code stays taken for ever. */
  gone: z.boolean(),
})
export type TagRecord = z.output<typeof tagRecord>

/** What a redirect needs to know of a merchant. */
export const venueRecord = z.object({
  /** When it was changed last, in seconds. */
  version: z.number(),
  timezone: z.string(),
  orderingUrl: z.optional(z.string()),
  sandboxUrl: z.optional(z.string()),
})
export type VenueRecord = z.output<typeof venueRecord>
