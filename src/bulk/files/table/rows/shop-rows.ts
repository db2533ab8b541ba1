import type { Notices } from '../../items/file-item.ts'
import { type Cell, firstText, type TableRecord } from '../group-rows.ts'
import type { TablePlan } from '../plan.ts'

const toCells = (heading: string, texts: readonly string[]): readonly Cell[] => texts.map((text) => ({ heading, text }))

const withCells = (record: TableRecord, entries: readonly (readonly [string, readonly Cell[]])[]): TableRecord => ({
  ...record,
  cells: new Map([...record.cells, ...entries]),
})

/** The kind of a row that is a variant of the product with its `group`. */
const variantKind = ['kind', toCells('', ['Variant'])] as const

/** Names and values of a text such as `sku=T-S,size=S`. */
const readPairs = (text: string): (readonly [name: string, value: string])[] =>
  text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at < 0 ? [] : [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const]
  })

/** Names beside the SKU of a variant that are no options. */
const notOptions = new Set(['sku', 'price', 'display', 'image', 'qty'])
const maxShown = 3

/** Joins the variants of Magento to the products that name them, and leaves out the texts of other store views. */
function joinMagento(records: readonly TableRecord[], notices: Notices): TableRecord[] {
  const skuOf = (record: TableRecord) => firstText(record, 'sku')
  const main = new Set(records.flatMap((record) => (firstText(record, 'storeView') === '' ? [skuOf(record)] : [])))
  const own = records.filter((record) => firstText(record, 'storeView') === '' || !main.has(skuOf(record)))
  for (let row = own.length; row < records.length; row++)
    notices.add('part_left_out', 'rows with the texts of another store view')
  const bySku = new Map(own.map((record) => [skuOf(record), record]))
  const joined = new Set<TableRecord>()
  const families = new Map<TableRecord, TableRecord[]>()
  for (const parent of own) {
    const parts = firstText(parent, 'variantSkus')
    if (parts === '') continue
    const group = ['group', toCells('sku', [skuOf(parent)])] as const
    const missing: string[] = []
    const children = parts.split('|').flatMap((part): TableRecord[] => {
      const pairs = readPairs(part)
      const sku = pairs.find(([name]) => name === 'sku')?.[1] ?? ''
      const child = bySku.get(sku)
      if (!child || joined.has(child)) {
        missing.push(sku)
        return []
      }
      joined.add(child)
      const values = pairs.flatMap(([name, value]) => (notOptions.has(name) ? [] : [value]))
      return [withCells(child, [group, variantKind, ['size', toCells('configurable_variations', values)]])]
    })
    const labels = readPairs(firstText(parent, 'axis')).map(([, label]) => label)
    const message = `names variants that are not in the file: ${missing.slice(0, maxShown).join(', ')}`
    const issue = missing.length > 0 ? { column: 'configurable_variations', code: 'not_found', message } : undefined
    const head = withCells(parent, [group, ['axis', toCells('configurable_variation_labels', labels)]])
    families.set(parent, [{ ...head, issue: parent.issue ?? issue }, ...children])
  }
  return own.flatMap((record) => (joined.has(record) ? [] : (families.get(record) ?? [record])))
}

/** Types of options of which guests choose one value. */
const isChoice = /^(?:radio|select|size|swatch|drop)/i

/** Makes variants of the rows of Ecwid below a product: its variations, else the values of its only option. */
function joinEcwid(records: readonly TableRecord[], notices: Notices): TableRecord[] {
  let current = ''
  const rows = records.flatMap((record) => {
    const kind = firstText(record, 'kind').toLowerCase()
    if (kind === 'category') {
      notices.add('part_left_out', 'rows of categories')
      return []
    }
    const key = firstText(record, 'group') || (kind === 'product' ? firstText(record, 'code') : current)
    current = key
    return [{ kind, key, record: withCells(record, [['group', toCells('product_internal_id', [key])]]) }]
  })
  // Options of a product are sizes, described by its variations, or left out.
  const fates = new Map(
    Array.from(
      Map.groupBy(rows, ({ key }) => key),
      ([key, same]) => {
        const options = same.filter((row) => row.kind.includes('option')).map((row) => row.record)
        const names = new Set(options.map((option) => firstText(option, 'axis')))
        const areSizes = names.size === 1 && options.length > 1
        if (same.some((row) => row.kind.includes('variation'))) return [key, 'described'] as const
        return [
          key,
          areSizes && options.every((row) => isChoice.test(firstText(row, 'axisKind'))) ? 'sizes' : 'out',
        ] as const
      },
    ),
  )
  return rows.flatMap(({ kind, key, record }) => {
    const { cells } = record
    if (kind.includes('variation')) {
      const options = cells.get('optionValue') ?? []
      const names = options.flatMap(({ named }) => named ?? [])
      const parts = [variantKind, ['size', options], ['axis', toCells('', names)], ['code', []]] as const
      return [withCells(record, parts)]
    }
    if (!kind.includes('option')) return [record]
    const fate = fates.get(key)
    if (fate === 'sizes') return [withCells(record, [variantKind, ['code', []]])]
    if (fate === 'out') notices.add('part_left_out', 'options of products without variants are not taken over')
    return []
  })
}

/** Rows of shop systems that describe their variants in other rows or in one cell, as rows with a group and a kind. */
export function joinShopRows(
  { preset }: TablePlan,
  records: readonly TableRecord[],
  notices: Notices,
): readonly TableRecord[] {
  if (preset === 'magento') return joinMagento(records, notices)
  return preset === 'ecwid' ? joinEcwid(records, notices) : records
}
