import type { RowIssue } from '../../import/rows/file-row.ts'
import { createNotices, type FileContent, type FileItem, type FileSize } from '../items/file-item.ts'
import { at, objectsOf, textOf, withoutAbsent } from '../values/amounts.ts'
import { readNumber } from '../values/numbers.ts'

type Part = Readonly<Record<string, unknown>>

/** Maximum depth of sections in sections. */
const maxDepth = 20

const isA = (part: Part, name: string) =>
  [part['@type']].flat().some((type) => textOf(type).replace(/^.*[/:]/, '') === name)

/** The menus in a document: itself, those of its places, and those of its graph. */
function listMenus(document: unknown, depth = 0): Part[] {
  if (depth > maxDepth) return []
  return objectsOf(document).flatMap((part) =>
    isA(part, 'Menu')
      ? [part]
      : [part['@graph'], part['hasMenu'], part['menu']].flatMap((inside) => listMenus(inside, depth + 1)),
  )
}

/** Whether a document has a menu in the vocabulary of schema.org. */
export const isSchemaOrg = (document: unknown): boolean => listMenus(document).length > 0

/** The price of an offer. */
function readOffer(offer: Part, currency: string | undefined, issues: RowIssue[]): FileSize {
  const named = textOf(offer['priceCurrency'] ?? at(offer, 'priceSpecification', 'priceCurrency'))
  if (currency !== undefined && named !== '' && named !== currency) {
    issues.push({
      pointer: '/price',
      code: 'other_currency',
      message: `is not in ${currency}, the currency of the venue`,
      value: named,
    })
  }
  const text = textOf(offer['price'] ?? at(offer, 'priceSpecification', 'price') ?? offer['lowPrice'])
  const reading = readNumber(text)
  const price = reading?.kind === 'either' ? reading.point : (reading?.value ?? (text === '' ? undefined : text))
  return { label: textOf(offer['name']), price }
}

/** Reads menus of schema.org, with the sections of their sections. */
export function readSchemaOrg(document: unknown, currency: string | undefined): FileContent {
  const notices = createNotices()
  const items: FileItem[] = []
  const addItem = (item: Part, section: string) => {
    const issues: RowIssue[] = []
    const options = objectsOf(item['offers']).map((offer) => readOffer(offer, currency, issues))
    const isSized = options.length > 1 && options.every(({ label }) => label !== '')
    const prices = options.flatMap(({ price }) => (typeof price === 'number' ? [price] : []))
    const images = [item['image']].flat().flatMap((image) => textOf(at(image, 'url') ?? image) || [])
    const [, kilocalories] = /^(\d+)\s*(?:$|k?cal)/i.exec(textOf(at(item, 'nutrition', 'calories'))) ?? []
    if (item['suitableForDiet'] !== undefined)
      notices.add('part_left_out', 'diets are not taken over; state them in the dish')
    if (objectsOf(item['menuAddOn']).length > 0) notices.add('part_left_out', 'additions to dishes are not taken over')
    items.push({
      resource: 'products',
      row: items.length + 1,
      body: withoutAbsent({
        title: textOf(item['name']),
        description: textOf(item['description']),
        price: prices.length > 0 ? Math.min(...prices) : options[0]?.price,
        calories: kilocalories === undefined ? undefined : Number(kilocalories),
        images: images.length > 0 ? images.map((url) => ({ url })) : undefined,
      }),
      sections: section === '' ? [] : [section],
      sizes: isSized ? { title: 'Size', options } : undefined,
      modifierTitles: [],
      modifierKeys: [],
      issues,
    })
  }
  const addSection = (part: Part, title: string, depth: number) => {
    for (const item of objectsOf(part['hasMenuItem'])) addItem(item, title)
    if (depth > maxDepth) return
    for (const section of objectsOf(part['hasMenuSection']))
      addSection(section, textOf(section['name']) || title, depth + 1)
  }
  const menus = listMenus(document)
  for (const menu of menus) addSection(menu, textOf(menu['name']), 0)
  return { items, modifiers: [], menuTitle: textOf(menus[0]?.['name']) || undefined, notices: notices.list() }
}
