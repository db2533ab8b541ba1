import type { RowIssue } from '../../import/rows/file-row.ts'
import { createNotices, type FileContent, type FileItem, type FileModifier } from '../items/file-item.ts'
import { at, fromMinorUnits, objectsOf, textOf, withoutAbsent } from '../values/amounts.ts'

type Part = Readonly<Record<string, unknown>>

const noSize = new Set(['', 'regular', 'default'])

/** Whether a document is a catalogue of Square: a list of objects with a type and data of this type. */
export const isSquareCatalogue = (document: unknown): boolean =>
  objectsOf(at(document, 'objects') ?? document).some(
    ({ type, item_data: data }) => type === 'ITEM' && data !== undefined,
  )

/** Reads the objects of a Square catalogue. Amounts are in minor units. */
export function readSquare(document: unknown, currency: string | undefined): FileContent {
  const objects = [at(document, 'objects') ?? document, at(document, 'related_objects')]
    .flatMap(objectsOf)
    .filter((each) => each['is_deleted'] !== true)
  const ofType = (wanted: string) => objects.filter(({ type }) => type === wanted)
  const names = new Map(
    ofType('CATEGORY').map((each) => [textOf(each['id']), textOf(at(each, 'category_data', 'name'))]),
  )
  const pictures = new Map(ofType('IMAGE').map((each) => [textOf(each['id']), textOf(at(each, 'image_data', 'url'))]))
  const notices = createNotices()
  const modifiers = ofType('MODIFIER_LIST').map((each) => readModifier(each, currency))
  const items = ofType('ITEM').map((each, index): FileItem => {
    const data = each['item_data']
    const variations = objectsOf(at(data, 'variations')).filter((variation) => variation['is_deleted'] !== true)
    const issues: RowIssue[] = []
    const options = variations.map((variation) => readVariation(variation, currency, issues))
    const [only, another] = options
    const isPlain = another === undefined && noSize.has((only?.label ?? '').toLowerCase())
    const amounts = options.flatMap(({ price }) => (price === undefined ? [] : [price]))
    const categories = [at(data, 'category_id'), ...objectsOf(at(data, 'categories')).map(({ id }) => id)]
    const images = [at(data, 'image_ids') ?? at(each, 'image_id')]
      .flat()
      .flatMap((id) => pictures.get(textOf(id)) || [])
    if (at(data, 'food_and_beverage_details') !== undefined)
      notices.add('part_left_out', 'diets and ingredients are not taken over; state them in the dish')
    if ([at(data, 'tax_ids') ?? []].flat().length > 0) notices.add('part_left_out', 'taxes are set for the venue')
    return {
      resource: 'products',
      row: index + 1,
      externalId: `square:${textOf(each['id'])}`,
      body: withoutAbsent({
        title: textOf(at(data, 'name')),
        description: textOf(at(data, 'description_plaintext') ?? at(data, 'description')),
        price: amounts.length > 0 ? Math.min(...amounts) : undefined,
        sku: isPlain ? only?.sku : undefined,
        upc: isPlain ? only?.upc : undefined,
        images: images.length > 0 ? images.map((url) => ({ url })) : undefined,
      }),
      sections: [...new Set(categories.flatMap((id) => names.get(textOf(id)) || []))],
      sizes: isPlain || options.length === 0 ? undefined : { title: 'Size', options },
      modifierTitles: [],
      modifierKeys: objectsOf(at(data, 'modifier_list_info')).map((info) => textOf(info['modifier_list_id'])),
      issues,
    }
  })
  return { items, modifiers, notices: notices.list() }
}

function readVariation(variation: Part, venue: string | undefined, issues: RowIssue[]) {
  const data = variation['item_variation_data']
  const currency = textOf(at(data, 'price_money', 'currency')) || undefined
  if (venue !== undefined && currency !== undefined && currency !== venue) {
    issues.push({
      pointer: '/price',
      code: 'other_currency',
      message: `is not in ${venue}, the currency of the venue`,
      value: currency,
    })
  }
  return {
    label: textOf(at(data, 'name')),
    price: fromMinorUnits(at(data, 'price_money', 'amount'), currency),
    sku: textOf(at(data, 'sku')) || undefined,
    upc: textOf(at(data, 'upc')) || undefined,
  }
}

function readModifier(each: Part, currency: string | undefined): FileModifier {
  const data = each['modifier_list_data']
  const options = objectsOf(at(data, 'modifiers')).map((option) => ({
    label: textOf(at(option, 'modifier_data', 'name')),
    cost: fromMinorUnits(at(option, 'modifier_data', 'price_money', 'amount'), currency) ?? 0,
  }))
  const key = textOf(each['id'])
  const max = at(data, 'selection_type') === 'SINGLE' ? 1 : undefined
  return { key, externalId: `square:${key}`, title: textOf(at(data, 'name')), min: 0, max, options }
}
