import type { SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { DamagedError } from '../../../platform/db/damaged-rows.ts'
import type { Issue } from '../../../platform/errors.ts'
import type { BodyRules } from '../../../platform/http/validation.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'

type Fields = Readonly<Record<string, unknown>>

/** Maximum number of languages of an object. */
export const maxLanguages = 30
/** Maximum bytes of the details of an object in JSON, all languages together. A row of D1 has at most 2 MB. */
export const maxDetailBytes = 1024 * 1024

/** Parts of an object that its translations name by their ids: `options` of a modifier. */
interface Parts {
  /** The field with the list of parts, and the member of a translation with their texts. */
  field: string
  column: SQLiteColumn
  /** Name of one part in messages. */
  one: string
}

/** The details of a resource's objects: fields in a side resource of their own. */
export interface DetailsDefinition<View extends object = object> {
  view: z.ZodMiniType<View>
  parts?: Parts
  /** Field with a list of prices of products. */
  prices?: string
  /** SQL that adds members to stored details; see `detailsOf`. */
  more?: SQL
  /** Checks the rules between fields on the details after a change. Some rules hold only if the change touches their fields. */
  check(details: Fields, before: Fields): readonly Issue[]
}

/** Details as the body of a request. */
export interface WritableDetails<In extends object, View extends object> extends DetailsDefinition<View> {
  body: BodyRules<In>
}

const withId = z.object({ id: z.string() })

/** The ids of an object's parts. */
export const listPartIds = (parts: unknown): ReadonlySet<string> =>
  new Set((Array.isArray(parts) ? parts : []).flatMap((part) => withId.safeParse(part).data?.id ?? []))

const storedDetails = z.object({
  data: z.record(z.string(), z.unknown()),
  translations: z.record(z.string(), z.record(z.string(), z.unknown())),
  /** Ids of the products in `prices` that exist. */
  products: z.optional(z.array(z.string())),
})

const sortKeys = (record: Fields): Fields =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Removes empty objects inside an object. */
const withoutEmpty = (record: Fields): Fields =>
  Object.fromEntries(
    Object.entries(record).flatMap(([key, value]) => {
      const kept = isObject(value) ? withoutEmpty(value) : value
      return isObject(kept) && Object.keys(kept).length === 0 ? [] : [[key, kept]]
    }),
  )

/** Removes texts of parts that the object no longer has. */
function withoutLostParts(texts: Fields, { field }: Parts, ids: ReadonlySet<string>): Fields {
  const parts = texts[field]
  if (!isObject(parts)) return texts
  return { ...texts, [field]: Object.fromEntries(Object.entries(parts).filter(([id]) => ids.has(id))) }
}

/** A patch whose translations name the parts of the object by the values of `ids` instead of its keys. Other ids stay as they are. */
export function renameParts(patch: Fields, parts: Parts | undefined, ids: ReadonlyMap<string, string>) {
  const { translations } = patch
  if (!parts || ids.size === 0 || !isObject(translations)) return patch
  const rename = (texts: unknown) => {
    const named = isObject(texts) ? texts[parts.field] : undefined
    if (!isObject(texts) || !isObject(named)) return texts
    const renamed = Object.entries(named).map(([id, text]) => [ids.get(id) ?? id, text])
    return { ...texts, [parts.field]: Object.fromEntries(renamed) }
  }
  const entries = Object.entries(translations).map(([language, texts]) => [language, rename(texts)])
  return { ...patch, translations: Object.fromEntries(entries) }
}

/** Removes prices of other products. */
function withoutLostPrices(data: Fields, field: string, products: readonly string[]): Fields {
  const prices = data[field]
  const known = new Set<unknown>(products)
  return Array.isArray(prices)
    ? { ...data, [field]: prices.filter((price) => isObject(price) && known.has(price['product'])) }
    : data
}

/** Sorts the languages and removes empty values, so that equal details have equal JSON. */
export function normalizeDetails({ translations, ...data }: Fields): Fields {
  return withoutEmpty({ ...data, ...(isObject(translations) && { translations: sortKeys(translations) }) })
}

/** Path of the details, for the problem of damaged details. */
interface DetailsSource {
  id: string
  merchantId: string
}

/**
 * Reads details as `detailsOf` selects them; null means no details. Leaves out texts and prices of parts and products that no longer exist. Throws
 * `DamagedError`.
 */
export function readDetails<View extends object>(
  { view, parts, prices }: DetailsDefinition<View>,
  stored: string | null | undefined,
  partIds: ReadonlySet<string>,
  { id, merchantId }: DetailsSource,
): View {
  const { success, data: found } = storedDetails.safeParse(JSON.parse(stored ?? '{"data":{},"translations":{}}'))
  const translations = Object.entries(found?.translations ?? {}).map(([language, texts]) => [
    language,
    parts ? withoutLostParts(texts, parts, partIds) : texts,
  ])
  const data = found && prices ? withoutLostPrices(found.data, prices, found.products ?? []) : found?.data
  const details = view.safeParse(normalizeDetails({ ...data, translations: Object.fromEntries(translations) }))
  if (success && details.success) return details.data
  throw new DamagedError({ table: 'details', id, merchantId, fields: ['data'] })
}
