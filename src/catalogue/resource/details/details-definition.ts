import type { SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { DamagedError } from '../../../platform/db/damaged-rows.ts'
import type { Issue } from '../../../platform/errors.ts'
import type { BodyRules } from '../../../platform/http/validation.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { DetailReference } from './detail-references.ts'
import { type RelatedObjects, readRelated } from './related-objects.ts'

export type DetailFields = Readonly<Record<string, unknown>>

/** Maximum number of languages of an object. */
export const maxLanguages = 30
/** Maximum bytes of the details of an object in JSON, all languages together. A row of D1 has at most 2 MB. */
export const maxDetailBytes = 1024 * 1024

/** Parts of an object that its details name by their ids: `options` of a modifier, `modifiers` of a product. */
interface Parts {
  /** Field of the object that lists the parts. */
  field: string
  column: SQLiteColumn
  /** Name of one part in messages. */
  one: string
  /** Whether translations have texts of the parts, in a member with the name of the field. */
  areTranslated: boolean
  /** Members of the details whose members are named by ids of parts. */
  members: readonly string[]
}

/** Data about other objects for the checks of details. */
export interface DetailsContext extends RelatedObjects {
  /** Id of the object that the details belong to. */
  id: string
  /** Ids of the object's parts. */
  partIds: ReadonlySet<string>
  /** Hosts to which addresses may lead. Undefined: not known, so that addresses are not checked. */
  hosts?: readonly string[] | undefined
}

/** A change of details: the members before and after it, and those that the request has. */
export interface DetailsPatch {
  before: DetailFields
  after: DetailFields
  patch: DetailFields
}

/** The details of a resource's objects: fields in a side resource of their own. */
export interface DetailsDefinition<View extends object = object> {
  view: z.ZodMiniType<View>
  /** Details that the documentation shows. */
  example: NoInfer<View>
  parts?: Parts
  /** Places that name objects of other resources. */
  references?: readonly DetailReference[]
  /** Places that name options of other objects: by an id, or by the names of members. In a path, `*` is every element or member. */
  optionPaths?: readonly (readonly string[])[]
  /**
   * SQL that adds the existing objects that stored details name, as `products` and `modifiers`; see `detailsOf`. `sizedProducts` are those of the
   * products of which sizes are named, if `products` has no sizes.
   */
  more?: SQL
  /** Whether checks need the hosts to which addresses may lead. */
  namesHosts?: boolean
  /** Maximum bytes of the details in JSON. Default: `maxDetailBytes`. */
  maxBytes?: number
  /** Completes the members of a patch, for example by ids. */
  complete?(patch: DetailFields, before: DetailFields): DetailFields
  /** Whether details name what details of other objects say, so that an import writes them after all others. */
  isLast?(details: DetailFields): boolean
  /** Leaves out of stored details what no longer fits the object or the objects that it names. */
  keep?(details: DetailFields, context: DetailsContext): DetailFields
  /**
   * Checks the rules between fields and those about other objects on the details after a change. Rules about other objects hold only for
   * members that the request has.
   */
  check(change: DetailsPatch, context: DetailsContext): readonly Issue[]
}

/** Details as the body of a request. */
export interface WritableDetails<In extends object, View extends object> extends DetailsDefinition<View> {
  body: BodyRules<In>
}

const withId = z.object({ id: z.string() })

/** The ids of an object's parts: objects with an id, or ids. */
export const listPartIds = (parts: unknown): ReadonlySet<string> =>
  new Set(
    (Array.isArray(parts) ? parts : []).flatMap((part) =>
      typeof part === 'string' ? [part] : (withId.safeParse(part).data?.id ?? []),
    ),
  )

const storedDetails = z.object({
  data: z.record(z.string(), z.unknown()),
  translations: z.record(z.string(), z.record(z.string(), z.unknown())),
  products: z.optional(z.unknown()),
  sizedProducts: z.optional(z.unknown()),
  modifiers: z.optional(z.unknown()),
})

const sortKeys = (record: DetailFields): DetailFields =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Removes empty objects inside an object. */
const withoutEmpty = (record: DetailFields): DetailFields =>
  Object.fromEntries(
    Object.entries(record).flatMap(([key, value]) => {
      const kept = isObject(value) ? withoutEmpty(value) : value
      return isObject(kept) && Object.keys(kept).length === 0 ? [] : [[key, kept]]
    }),
  )

/** Changes the names of the members of `field`; a member whose new name is undefined goes. */
function renameMembers(fields: DetailFields, field: string, rename: (id: string) => string | undefined): DetailFields {
  const named = fields[field]
  if (!isObject(named)) return fields
  const renamed = Object.entries(named).flatMap(([id, value]) => {
    const name = rename(id)
    return name === undefined ? [] : [[name, value]]
  })
  return { ...fields, [field]: Object.fromEntries(renamed) }
}

/** Changes the ids of parts wherever details have members that they name. */
function renamePartIds(details: DetailFields, parts: Parts, rename: (id: string) => string | undefined): DetailFields {
  const renamed = parts.members.reduce((changed, member) => renameMembers(changed, member, rename), details)
  const { translations } = renamed
  if (!parts.areTranslated || !isObject(translations)) return renamed
  const entries = Object.entries(translations).map(([language, texts]) => [
    language,
    isObject(texts) ? renameMembers(texts, parts.field, rename) : texts,
  ])
  return { ...renamed, translations: Object.fromEntries(entries) }
}

/** A patch that names the parts of the object by the ids in `ids` instead of its keys. Other ids stay as they are. */
export const renameParts = (patch: DetailFields, parts: Parts | undefined, ids: ReadonlyMap<string, string>) =>
  parts && ids.size > 0 ? renamePartIds(patch, parts, (id) => ids.get(id) ?? id) : patch

/** Sorts the languages and removes empty values, so that equal details have equal JSON. */
export function normalizeDetails({ translations, ...data }: DetailFields): DetailFields {
  return withoutEmpty({ ...data, ...(isObject(translations) && { translations: sortKeys(translations) }) })
}

/** Path of the details, for the problem of damaged details. */
interface DetailsSource {
  id: string
  merchantId: string
}

/** Details as they are read. */
interface ReadDetails<View> {
  details: View
  /** The details as stored, without names of parts that are gone: members that this release does not know or show are kept. */
  stored: DetailFields
  /** The details without parts that no longer fit. */
  kept: DetailFields
  related: RelatedObjects
}

/**
 * Reads details as `detailsOf` selects them; null: none. Leaves out what names parts and objects that no longer exist or no longer fit. `known` are
 * the objects that exist, if the text does not have them. Throws `DamagedError`.
 */
export function readAllDetails<View extends object>(
  { view, parts, keep }: DetailsDefinition<View>,
  text: string | null | undefined,
  partIds: ReadonlySet<string>,
  { id, merchantId }: DetailsSource,
  known?: RelatedObjects,
): ReadDetails<View> {
  const { success, data: found } = storedDetails.safeParse(JSON.parse(text ?? '{"data":{},"translations":{}}'))
  const all = { ...found?.data, translations: found?.translations ?? {} }
  const named = parts ? renamePartIds(all, parts, (part) => (partIds.has(part) ? part : undefined)) : all
  const products = [found?.products, found?.sizedProducts].flatMap((list) => (Array.isArray(list) ? list : []))
  const related = known ?? readRelated(products, found?.modifiers)
  const stored = normalizeDetails(named)
  const kept = keep ? normalizeDetails(keep(stored, { id, partIds, ...related })) : stored
  const details = view.safeParse(kept)
  if (success && details.success) return { details: details.data, stored, kept, related }
  throw new DamagedError({ table: 'details', id, merchantId, fields: ['data'] })
}

/** The details of an object that was read with them; see `readAllDetails`. */
export const readDetails = <View extends object>(
  definition: DetailsDefinition<View>,
  text: string | null | undefined,
  partIds: ReadonlySet<string>,
  source: DetailsSource,
): View => readAllDetails(definition, text, partIds, source).details
