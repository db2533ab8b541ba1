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

/**
 * What people and mail programs add to an address: blanks (a plus sign is one, too) at either end, a full stop or a bracket behind it.
 * None of it can be part of a name.
 */
const blanks = '\\u0020+\\u00a0\\u00ad\\u200b-\\u200d\\u2060\\ufeff'
export const additions = new RegExp(
  `^[${blanks}]+|[${blanks}.,;:!?)\\]}>'"*\\u2026\\u00bb\\u2019\\u201c\\u201d\\u3001\\u3002\\uff0c\\uff0e]+$`,
  'g',
)
/** Longer texts hold no name, whatever is taken off them. */
export const maxUntrimmed = 128
