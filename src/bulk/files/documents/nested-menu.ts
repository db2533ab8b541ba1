import { isObject } from '../../../platform/lib/schema-guard.ts'
import { createNotices, type FileContent, type FileItem } from '../items/file-item.ts'
import { findField } from '../table/headings.ts'
import { objectsOf, textOf, withoutAbsent } from '../values/amounts.ts'
import { splitCurrency } from '../values/currencies.ts'
import { readNumber } from '../values/numbers.ts'
import { isPictureAddress } from '../values/pictures.ts'

type Part = Readonly<Record<string, unknown>>

/** Maximum depth of sections in a document, and in other sections. */
const maxDepth = 5
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

const priceText = (part: Part) => textOf(readFields(part).get('price'))

function priceOf(part: Part): number | undefined {
  const reading = readNumber(splitCurrency(priceText(part)).number)
  return reading?.kind === 'either' ? reading.point : reading?.value
}

const titleOf = (part: Part) => textOf(readFields(part).get('title'))
const isItem = (part: Part) => titleOf(part) !== '' && priceOf(part) !== undefined

/** Names of lists whose elements belong to one product. */
export const partsOfItems = /variant|variation|size|option|modifier|extra|topping|add.?on/i

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

/** Names of members that refer to the section of an item. */
const sectionKey =
  /^(?:category|section|group|kategorie|categor[ií]a|catégorie|categoria)(?:[_-]?(?:id|ref|slug|key))?$/i

/** All lists of objects in a document. */
function listLists(value: unknown, depth = 0): Part[][] {
  if (depth > maxDepth || typeof value !== 'object' || value === null) return []
  const own = Array.isArray(value) && value.some(isObject) ? [value.filter(isObject)] : []
  const inside = Array.isArray(value) ? [] : Object.values(value)
  return [...own, ...inside.flatMap((each) => listLists(each, depth + 1))]
}

/** The only list of items of a document, with the titles of the sections to which they refer by id. Undefined unless there is exactly one such list. */
export function findItems(document: unknown): Part[] | undefined {
  const lists = listLists(document)
  const [items, another] = lists.filter((list) => list.filter(isItem).length * 2 > list.length)
  if (!items || another) return undefined
  const titles = new Map(
    lists.flatMap((list) => (list === items ? [] : list.map((part) => [textOf(part['id']), titleOf(part)] as const))),
  )
  return items.map((item) => {
    const [key, id] =
      Object.entries(item).find(([name, value]) => sectionKey.test(name) && titles.get(textOf(value))) ?? []
    if (key === undefined) return item
    const rest = Object.fromEntries(Object.entries(item).filter(([name]) => name !== key))
    return { ...rest, category: titles.get(textOf(id)) }
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

/** Whether a member of an item has a value that is not read. Ids are not named. */
const isLeftOut = (name: string, value: unknown) =>
  !/id$/i.test(name) &&
  ![undefined, null, '', false].some((empty) => empty === value) &&
  !(Array.isArray(value) && value.length === 0) &&
  (name.length > 100 || findField(name, fields) === undefined)

/** Reads sections with items. Sizes, options and what else the items have is left out: its meaning differs between systems. */
export function readNestedMenu(document: unknown, currency: string | undefined): FileContent {
  const notices = createNotices()
  const sections = listSections(document)
  const items = sections.flatMap(({ section, items: parts }) =>
    parts.map((part): Omit<FileItem, 'row'> => {
      const found = readFields(part)
      for (const [name, value] of Object.entries(part)) {
        if (isLeftOut(name, value)) notices.add('part_left_out', `${JSON.stringify(name.slice(0, 100))} of dishes`)
      }
      const pictures = [found.get('images')].flat().flatMap((image) => textOf(image) || [])
      const images = pictures.filter(isPictureAddress)
      if (images.length < pictures.length) notices.add('part_left_out', 'names of pictures without an address')
      const { currencies } = splitCurrency(priceText(part))
      const isOther = currency !== undefined && currencies !== undefined && !currencies.includes(currency)
      const issue = {
        pointer: '/price',
        code: 'other_currency',
        message: `is not in ${currency}, the currency of the venue`,
      }
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
        ...{ modifierTitles: [], modifierKeys: [], issues: isOther ? [{ ...issue, value: priceText(part) }] : [] },
      }
    }),
  )
  return { items: items.map((item, index) => ({ ...item, row: index + 1 })), modifiers: [], notices: notices.list() }
}
