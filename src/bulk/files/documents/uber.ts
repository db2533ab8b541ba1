import { isObject } from '../../../platform/lib/schema-guard.ts'
import { createNotices, type FileContent, type FileItem, type FileModifier } from '../items/file-item.ts'
import { at, fromMinorUnits, objectsOf, textOf, withoutAbsent } from '../values/amounts.ts'

type Part = Readonly<Record<string, unknown>>

/** Whether a document is a menu for Uber Eats. */
export const isUberMenu = (document: unknown): boolean =>
  isObject(document) &&
  ['menus', 'categories', 'items'].every((key) => Array.isArray(document[key])) &&
  objectsOf(document['items']).some((item) => isObject(item['price_info']) || isObject(item['title']))

/** The first text of `{translations: {en: …}}`. */
function textIn(value: unknown): string {
  const translations = at(value, 'translations')
  return isObject(translations) ? textOf(Object.values(translations)[0]) : textOf(value)
}

const priceOf = (item: Part, currency: string | undefined) => fromMinorUnits(at(item, 'price_info', 'price'), currency)
const limitOf = (group: Part, name: string) => {
  const limit = at(group, 'quantity_info', 'quantity', name)
  return typeof limit === 'number' ? limit : undefined
}

/** Reads a menu for Uber Eats. Amounts are in minor units. */
export function readUber(document: unknown, currency: string | undefined): FileContent {
  const notices = createNotices()
  const byId = new Map(objectsOf(at(document, 'items')).map((item) => [textOf(item['id']), item]))
  const sections = new Map<string, string[]>()
  for (const category of objectsOf(at(document, 'categories'))) {
    for (const { id } of objectsOf(category['entities'])) {
      const titles = sections.get(textOf(id)) ?? []
      sections.set(textOf(id), [...titles, textIn(category['title'])])
    }
  }
  const groups = new Map<string, FileModifier>()
  for (const group of objectsOf(at(document, 'modifier_groups'))) {
    const key = textOf(group['id'])
    const options = objectsOf(group['modifier_options']).flatMap(({ id }) => {
      const item = byId.get(textOf(id))
      return item ? [{ label: textIn(item['title']), cost: priceOf(item, currency) ?? 0 }] : []
    })
    const title = textIn(group['title'])
    if (options.length === 0)
      notices.add('part_left_out', `the modifier ${JSON.stringify(title)} has no options in the file`)
    else
      groups.set(key, {
        key,
        externalId: `uber:${key}`,
        title,
        min: limitOf(group, 'min_permitted') ?? 0,
        max: limitOf(group, 'max_permitted'),
        options,
      })
  }
  const menus = objectsOf(at(document, 'menus'))
  if (menus.some((menu) => objectsOf(menu['service_availability']).length > 0)) {
    notices.add('part_left_out', 'opening times of the menu are not taken over')
  }
  if ([...byId.values()].some((item) => at(item, 'dish_info', 'classifications') !== undefined)) {
    notices.add('part_left_out', 'allergens and diets are not taken over; state them in the dish')
  }
  const items = [...byId]
    .filter(([id]) => sections.has(id))
    .map(([id, item], index): FileItem => {
      const rate = at(item, 'tax_info', 'vat_rate_percentage')
      const image = textOf(item['image_url'])
      return {
        resource: 'products',
        row: index + 1,
        externalId: `uber:${id}`,
        body: withoutAbsent({
          title: textIn(item['title']),
          description: textIn(item['description']),
          price: priceOf(item, currency),
          taxRate: typeof rate === 'number' ? rate : undefined,
          useCustomTaxRate: typeof rate === 'number' ? true : undefined,
          images: image === '' ? undefined : [{ url: image }],
        }),
        sections: sections.get(id) ?? [],
        modifierTitles: [],
        modifierKeys: [at(item, 'modifier_group_ids', 'ids')]
          .flat()
          .map(textOf)
          .filter((key) => groups.has(key)),
        issues: [],
      }
    })
  return {
    items,
    modifiers: [...groups.values()],
    menuTitle: textIn(menus[0]?.['title']) || undefined,
    notices: notices.list(),
  }
}
