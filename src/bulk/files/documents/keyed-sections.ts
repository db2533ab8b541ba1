import { isObject } from '../../../platform/lib/schema-guard.ts'
import { mentionsField } from '../table/headings.ts'
import { splitCurrency } from '../values/currencies.ts'
import { readNumber } from '../values/numbers.ts'
import { partsOfItems } from './nested-menu.ts'

type Part = Readonly<Record<string, unknown>>

/** Maximum depth of sections in a document. */
const maxDepth = 5
/** Maximum number of characters of the name of a member that is a field. */
const maxUnits = 100

const isText = (value: unknown) => typeof value === 'string' && value.trim() !== ''
const isNumber = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && readNumber(splitCurrency(value).number) !== undefined)
/** A value, or an object with such values: texts by language, prices by size. */
const isEach = (value: unknown, is: (inner: unknown) => boolean) => {
  const values = isObject(value) && !Array.isArray(value) ? Object.values(value) : [value]
  return values.length > 0 && values.every(is)
}
const findMember = (part: Part, field: 'title' | 'price', is: (inner: unknown) => boolean): unknown =>
  Object.entries(part).find(
    ([name, value]) => name.length <= maxUnits && mentionsField(name, field) && isEach(value, is),
  )?.[1]

const isDish = (part: unknown): part is Part =>
  isObject(part) && findMember(part, 'title', isText) !== undefined && findMember(part, 'price', isNumber) !== undefined

/** Lists of dishes in an object, by their names. */
const listDishes = (part: Part) =>
  Object.entries(part).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > 0 && value.every(isDish) ? [{ name, dishes: value.filter(isDish) }] : [],
  )

/**
 * The dishes of a document whose sections have titles in several languages, or are the names of lists: `{"Soups": [{"name": "Miso", "price": 4}]}`.
 * Undefined if it has none, or lists of options beside them. Each dish has its section as `category`.
 */
export function findKeyedDishes(document: unknown, depth = 0): Part[] | undefined {
  if (depth > maxDepth) return []
  const found: Part[] = []
  for (const part of [document].flat().filter(isObject)) {
    const lists = listDishes(part)
    if (lists.some(({ name }) => partsOfItems.test(name))) return undefined
    const title = lists.length === 1 ? findMember(part, 'title', isText) : undefined
    for (const { name, dishes } of lists) {
      const category = title ?? (lists.length > 1 || depth > 0 ? name : undefined)
      found.push(...dishes.map((dish) => ({ ...dish, ...(category !== undefined && { category }) })))
    }
    const listed = new Set(lists.map(({ name }) => name))
    for (const [name, inner] of Object.entries(part)) {
      if (listed.has(name) || typeof inner !== 'object') continue
      const inside = findKeyedDishes(inner, depth + 1)
      if (!inside) return undefined
      found.push(...inside)
    }
  }
  return depth > 0 || found.length > 0 ? found : undefined
}
