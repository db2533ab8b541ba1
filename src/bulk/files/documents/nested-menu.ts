import { isObject } from '../../../platform/lib/schema-guard.ts'
import { createNotices, type FileContent, type FileItem } from '../items/file-item.ts'
import { unsupported } from '../kind.ts'
import { findField } from '../table/headings.ts'
import { readNumber } from '../values/numbers.ts'
import { getDecimals, objectsOf, textOf, withoutAbsent } from './amounts.ts'

type Part = Readonly<Record<string, unknown>>

/** Maximum depth of sections in a document, and in other sections. */
const maxDepth = 5
/** Prices without decimals from which on they may be cents. */
const minCents = 50

const fields: ReadonlySet<string> = new Set(['title', 'price', 'description', 'images', 'sku', 'upc'])

/** The members of an object by the fields that their names are words for. */
function readFields(part: Part): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>()
  for (const [key, value] of Object.entries(part)) {
    const field = key.length > 100 ? undefined : findField(key, fields)
    if (field !== undefined && !found.has(field)) found.set(field, value)
  }
  return found
}

function priceOf(part: Part): number | undefined {
  const price = readFields(part).get('price')
  const reading = typeof price === 'number' || typeof price === 'string' ? readNumber(String(price)) : undefined
  return reading?.kind === 'either' ? reading.point : reading?.value
}

const titleOf = (part: Part) => textOf(readFields(part).get('title'))
const isItem = (part: Part) => titleOf(part) !== '' && priceOf(part) !== undefined

/** Names of lists whose elements belong to one product. */
const partsOfItems = /variant|variation|size|option|modifier|extra|topping|add.?on/i

/** Lists of objects in an object, by their names. */
const listsOf = (part: Part) =>
  Object.entries(part).flatMap(([name, value]) =>
    Array.isArray(value) && value.some(isObject) ? [{ name, value }] : [],
  )

/** Sections of a document: objects with a title and a list of items, each with a title and a price. */
function listSections(document: unknown, depth = 0): { section: Part; items: readonly Part[] }[] {
  if (depth > maxDepth) return []
  return objectsOf(document).flatMap((part) => {
    if (isItem(part)) return []
    const lists = listsOf(part)
    const items =
      titleOf(part) === ''
        ? []
        : (lists.find(({ name, value }) => !partsOfItems.test(name) && objectsOf(value).some(isItem))?.value ?? [])
    const own = items.length > 0 ? [{ section: part, items: objectsOf(items) }] : []
    const inner = Object.values(part).filter((value) => value !== items && typeof value === 'object')
    return [...own, ...inner.flatMap((value) => listSections(value, depth + 1))]
  })
}

/** Whether a document has its products by id, to which its sections refer: a catalogue of a system that is not known. */
export const hasItemsById = (document: unknown): boolean =>
  isObject(document) &&
  Object.values(document).some(
    (member) => isObject(member) && Object.values(member).some((part) => isObject(part) && isItem(part)),
  )

/** Whether a document has sections, in which items are. */
export const isNestedMenu = (document: unknown): boolean => listSections(document).length > 0

/** Reads sections with items. Sizes, options and what else the items have is left out: its meaning differs between systems. */
export function readNestedMenu(document: unknown, currency: string | undefined): FileContent {
  const notices = createNotices()
  const sections = listSections(document)
  const prices = sections.flatMap(({ items }) => items.flatMap((item) => priceOf(item) ?? []))
  const areWhole = prices.every((price) => Number.isInteger(price) && (price === 0 || price >= minCents))
  if (areWhole && getDecimals(currency) > 0 && prices.some((price) => price > 0)) {
    const example = prices.find((price) => price > 0)
    throw unsupported(`has prices such as ${example}, which may be cents. Send a table with prices such as 12.50`)
  }
  const items = sections.flatMap(({ section, items: parts }) =>
    parts.map((part): Omit<FileItem, 'row'> => {
      const found = readFields(part)
      for (const { name } of listsOf(part))
        notices.add('part_left_out', `${JSON.stringify(name.slice(0, 100))} of dishes`)
      const images = [found.get('images')].flat().flatMap((image) => textOf(image) || [])
      return {
        resource: 'products',
        body: withoutAbsent({
          title: titleOf(part),
          price: priceOf(part),
          description: textOf(found.get('description')),
          sku: textOf(found.get('sku')),
          upc: textOf(found.get('upc')),
          images: images.length > 0 ? images.map((url) => ({ url })) : undefined,
        }),
        sections: [titleOf(section)],
        ...{ modifierTitles: [], modifierKeys: [], issues: [] },
      }
    }),
  )
  return { items: items.map((item, index) => ({ ...item, row: index + 1 })), modifiers: [], notices: notices.list() }
}
