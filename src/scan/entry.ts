import * as z from 'zod/mini'

/** What a redirect needs to know of a tag; kept in KV, and by isolates. `version` tells which of two copies is newer. */
export const tagEntry = z.object({
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
export type TagEntry = z.output<typeof tagEntry>

/** What a redirect needs to know of a merchant. */
export const venue = z.object({
  /** When it was changed last, in seconds. */
  version: z.number(),
  timezone: z.string(),
  orderingUrl: z.optional(z.string()),
  sandboxUrl: z.optional(z.string()),
})
export type Venue = z.output<typeof venue>

/** Crockford's digits as people read them off: letters that look like digits are digits. */
const asDigits = (text: string) => text.toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
const codeForm = /^[0-9A-HJKMNP-TV-Z]{16}$/
const idForm = /^TAG_[0-9A-HJKMNP-TV-Z]{26}$/

/** A code as it is printed below its symbol, for whoever has to type it. */
export const grouped = (code: string) => code.replace(/(.{4})(?=.)/g, '$1-')
const isGrouped = /^(?:[^-]{4}-){3}[^-]{4}$/

/** The names a guest may mean by what stands in the path, the likeliest first; none when it cannot be a name. */
export function namesOf(path: string): string[] {
  if (codeForm.test(path)) return [path]
  if (codeForm.test(path)) return [path]
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(path)) return []
  const digits = asDigits(isGrouped.test(path) ? path.replaceAll('-', '') : path)
  const ours = codeForm.test(digits) ? digits : idForm.test(digits) ? digits.toLowerCase() : path
  return ours === path ? [path] : [ours, path]
}
