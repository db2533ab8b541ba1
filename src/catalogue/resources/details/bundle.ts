import * as z from 'zod/mini'
import type { Issue } from '../../../platform/errors.ts'
import * as field from '../../../platform/http/fields.ts'
import { toJsonPointer } from '../../../platform/lib/encoding/json-pointer.ts'
import { createId } from '../../../platform/lib/ids.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { DetailFields, DetailsContext, DetailsPatch } from '../../resource/details/details-definition.ts'
import { keepPartIds } from '../../resource/part-ids.ts'

const { limits } = field

const item = z.strictObject({
  product: field.reference.check(z.describe('Id of the part: a product that is no bundle.')),
  size: z
    .nullish(field.reference)
    .check(z.describe('Id of the option that is the size of the part. Absent: guests choose the size as an option.')),
  surcharge: z
    .nullish(field.amount)
    .check(z.describe("Amount added to the price of the bundle if this part is chosen, in the merchant's currency.")),
})

/** The same part in the same size. */
const getKey = (entry: unknown) =>
  isObject(entry) && typeof entry['product'] === 'string'
    ? JSON.stringify([entry['product'], entry['size'] ?? null])
    : undefined

const count = field.integer(0, limits.bundleChoices)

const group = z.strictObject({
  id: z
    .nullish(field.ownId)
    .check(
      z.describe(
        'Id of the group, unique in the bundle. Default: that of the group with the same title, or a new one.',
      ),
    ),
  title: field.title.check(z.describe('Title of the group.')),
  min: count.check(z.describe(`Minimum number of choices, up to ${limits.bundleChoices}.`)),
  max: count.check(
    z.describe(`Maximum number of choices, up to ${limits.bundleChoices}. The same part may be chosen again.`),
  ),
  items: field
    .uniqueList(item, limits.bundleItems, getKey)
    .check(z.describe('Parts that guests choose from, in display order. The price of a part itself is not charged.')),
})

/** Parts of a bundle in a body. */
export const bundleField = z
  .nullish(
    z.strictObject({
      groups: z
        .nullish(field.list(group, limits.bundleGroups))
        .check(z.describe('Groups of parts, in display order. Replaces all groups.')),
      splitTax: z
        .nullish(field.boolean)
        .check(
          z.describe(
            'Whether the price is split over the tax rates of the parts, by their ordinary prices. Default: `false`, the tax rate of the bundle.',
          ),
        ),
    }),
  )
  .check(z.describe('Makes the product a bundle, such as a set menu: guests choose parts from groups for one price.'))

/** A bundle as stored and shown. */
export const bundleView = z.optional(
  z.object({
    groups: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        min: z.number(),
        max: z.number(),
        items: z.array(
          z.object({
            product: z.string(),
            size: z.optional(z.string()),
            surcharge: z.optional(z.number()),
          }),
        ),
      }),
    ),
    splitTax: z.optional(z.boolean()),
  }),
)

const listGroups = (bundle: unknown): DetailFields[] =>
  isObject(bundle) && Array.isArray(bundle['groups']) ? bundle['groups'].filter(isObject) : []

const listItems = ({ items }: DetailFields): DetailFields[] => (Array.isArray(items) ? items.filter(isObject) : [])

const issue = (path: readonly PropertyKey[], code: Issue['code'], message: string): Issue => ({
  pointer: toJsonPointer(['bundle', ...path]),
  code,
  message,
})

function* checkItem(item: DetailFields, path: readonly PropertyKey[], { id, products }: DetailsContext) {
  const part = products.get(String(item['product']))
  if (!part) return
  if (part.id === id || part.isBundle) yield issue([...path, 'product'], 'conflict', 'must not be a bundle')
  const size = item['size']
  if (typeof size === 'string' && !part.sizes.has(size)) {
    yield issue([...path, 'size'], 'not_found', 'is not a size of the part')
  }
}

/** Issues of a bundle, if the request changes it. */
export function* checkBundle({ after, patch }: DetailsPatch, context: DetailsContext): Iterable<Issue> {
  if (!isObject(patch['bundle']) || !isObject(after['bundle'])) return
  const groups = listGroups(after['bundle'])
  if (groups.length === 0) yield issue(['groups'], 'required', 'must have a group')
  for (const index of field.duplicates(groups, ({ id }) => (typeof id === 'string' ? id : undefined))) {
    yield issue(['groups', index, 'id'], 'duplicate', 'is the id of another group')
  }
  const isChanged = Array.isArray(patch['bundle']['groups'])
  for (const [index, group] of isChanged ? groups.entries() : []) {
    if (Number(group['max']) < Math.max(1, Number(group['min']))) {
      yield issue(['groups', index, 'max'], 'conflict', 'must be at least 1, and not less than min')
    }
    for (const [at, item] of listItems(group).entries()) {
      yield* checkItem(item, ['groups', index, 'items', at], context)
    }
  }
}

/** Gives each group without an id the id of the stored group with the same title, or a new one. */
export function completeBundle(patch: DetailFields, before: DetailFields): DetailFields {
  const bundle = patch['bundle']
  if (!isObject(bundle) || !Array.isArray(bundle['groups'])) return patch
  const stored = isObject(before['bundle']) ? before['bundle'] : {}
  const { groups } = keepPartIds(bundle, stored, 'groups', 'title')
  const complete = (Array.isArray(groups) ? groups : []).map((group: unknown) =>
    isObject(group) ? { ...group, id: group['id'] ?? createId('grp') } : group,
  )
  return { ...patch, bundle: { ...bundle, groups: complete } }
}

/** Leaves out parts that are gone, that became bundles, or whose size is gone. */
export function keepBundle(details: DetailFields, { id, products }: DetailsContext): DetailFields {
  const { bundle, ...others } = details
  if (!isObject(bundle)) return details
  const isKept = (item: DetailFields) => {
    const part = products.get(String(item['product']))
    if (!part || part.isBundle || part.id === id) return false
    return typeof item['size'] !== 'string' || part.sizes.has(item['size'])
  }
  const groups = listGroups(bundle).map((group) => ({ ...group, items: listItems(group).filter(isKept) }))
  return { ...others, bundle: { ...bundle, groups } }
}
