import type { RowIssue } from '../../import/rows/file-row.ts'
import type { FileItem, FileSize } from '../items/file-item.ts'
import { readBoolean } from '../values/booleans.ts'
import { removeNoise } from '../values/numbers.ts'
import { readSizeColumns } from './columns/read-size-columns.ts'
import { type Cell, firstText, type RecordGroup, type TableRecord } from './group-rows.ts'
import type { TablePlan } from './plan.ts'
import { readPriceKind } from './price-kind.ts'
import { noSize, ProductReader, type TableContext } from './product-reader.ts'
import { listSections } from './rows/sections.ts'
import { translationsPrefix } from './targets.ts'

/** The name of a variant: the values of its options. */
const getLabel = (record: TableRecord): string =>
  [...new Set((record.cells.get('size') ?? []).map(({ text }) => text.trim()))]
    .filter((text) => text !== '')
    .join(' / ')
    .slice(0, 250)

/** The rows that can be ordered. Other rows of a group only have further pictures. */
function listVariants({ rows, head }: RecordGroup): TableRecord[] {
  const variations = rows.filter((row) => /variation|^variant$/i.test(firstText(row, 'kind')))
  if (variations.length > 0) return variations
  const sold = rows.filter(
    ({ cells }) => cells.has('price') || cells.has('size') || cells.has('sku') || cells.has('code'),
  )
  return sold.length > 0 ? sold : [head]
}

function readSizes(reader: ProductReader, head: TableRecord, variants: readonly TableRecord[]): FileItem['sizes'] {
  const [only] = variants
  const isSimple = /^simple/i.test(firstText(head, 'kind'))
  const isOne = variants.length === 1 && only !== undefined
  if (isSimple || (isOne && noSize.has(getLabel(only).toLowerCase()))) return undefined
  const titles = [head, ...variants].map(({ cells }) => cells.get('axis') ?? []).find(({ length }) => length > 0) ?? []
  const title = titles.map(({ text }) => text.trim()).join(' / ')
  const base =
    head.cells.has('price') && hasTarget(reader.context, 'surcharge') ? reader.amount(head, 'price') : undefined
  const seen = new Set<string>()
  const options = variants.map((variant): FileSize => {
    const label = getLabel(variant) || 'Regular'
    if (seen.has(label)) reader.issues.push({ code: 'duplicate', message: `has the size ${label} twice` })
    seen.add(label)
    const isPriced = variant.cells.has('price') || base !== undefined
    if (!isPriced) reader.issues.push(missingPrice(reader.context.plan))
    if (variant.cells.has('stockQuantity')) {
      const message = 'stock counts products, so that of sizes is not written'
      reader.context.notices.add('stock_of_sizes', message, variant.cells.get('stockQuantity')?.[0]?.heading)
    }
    const surcharge = base === undefined ? undefined : reader.amount(variant, 'surcharge')
    const [price, sku, upc] = [
      reader.amount(variant, 'price') ?? (base === undefined ? undefined : addAmounts(base, surcharge)),
      reader.code(variant, 'sku', 'code'),
      reader.code(variant, 'upc'),
    ]
    return { label, price, sku, upc }
  })
  return { title: title === '' || noSize.has(title.toLowerCase()) ? 'Size' : title.slice(0, 250), options }
}

const addAmounts = (base: unknown, surcharge: unknown) =>
  typeof base === 'number' ? removeNoise(base + (typeof surcharge === 'number' ? surcharge : 0)) : base

/** Sizes that one cell lists, such as `Small;Large` in a product of Wix without variants. They cost the same. */
function readListedSizes(reader: ProductReader, head: TableRecord): FileItem['sizes'] {
  const cells = head.cells.get('size') ?? []
  if (cells.length === 0) return undefined
  if (cells.length > 1) {
    reader.context.notices.add('part_left_out', 'options of products without variants are not taken over')
    return undefined
  }
  const price = reader.amount(head, 'price')
  const labels = [...new Set(cells.flatMap(({ text }) => text.split(';').map((label) => label.trim())))]
  const options = labels
    .filter((label) => label !== '')
    .map((label): FileSize => ({ label: label.slice(0, 250), price }))
  return options.length > 1 ? { title: firstText(head, 'axis') || 'Size', options } : undefined
}

const missingPrice = ({ columns }: TablePlan): RowIssue => {
  const column = columns.find(({ to }) => to === 'price')?.name
  return { ...(column === undefined ? { pointer: '/price' } : { column }), code: 'required', message: 'has no price' }
}

/** Systems whose products are known by their group. */
const groupedPresets: ReadonlySet<string> = new Set(['shopify', 'wix', 'ecwid'])

/** The id in the other system, with the name of the system. */
function getExternalId({ plan: { preset } }: TableContext, head: TableRecord, first: TableRecord): string | undefined {
  const own = firstText(head, 'externalId')
  if (own !== '') return own
  const foreign = firstText(head, 'id')
  if (foreign !== '' && !foreign.startsWith('prod_')) return foreign
  if (preset === undefined) return undefined
  const key =
    { loyverse: firstText(first, 'code'), magento: firstText(head, 'sku') }[preset] ??
    (groupedPresets.has(preset) ? firstText(head, 'group') : firstText(head, 'key'))
  return key === '' ? undefined : `${preset}:${key}`
}

const isYes = ({ text }: Cell) => readBoolean(text) === true

/** Titles of modifiers: those of flagged columns, and those that a cell lists. */
const listModifiers = (rows: readonly TableRecord[], separator: string): string[] =>
  [
    ...new Set(
      rows.flatMap(({ cells }) => [
        ...(cells.get('modifier') ?? []).flatMap((cell) =>
          cell.named !== undefined && isYes(cell) ? [cell.named.trim()] : [],
        ),
        ...(cells.get('modifiers') ?? []).flatMap(({ text }) => text.split(separator).map((title) => title.trim())),
      ]),
    ),
  ].filter((title) => title !== '')

/** A title without the size that some systems add to it: `Latte / Small`. */
const withoutLabel = (title: string | undefined, label = '') =>
  label !== '' && title?.endsWith(` / ${label}`) ? title.slice(0, -label.length - 3).trimEnd() : title

/** A text in one line. */
const joinLines = (text: string | undefined) =>
  text
    ?.split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')

/** Units of which the price of a piece is that of one. */
const pieces =
  /^(?:st|stk|stück|stueck|pcs?|pieces?|each|ea|units?|einheit(?:en)?|item|per item|pz|pezzo|ud|uds|un|unidad(?:es)?|pièce|szt|ks|db|kpl|adet|шт|個|份)\.?$/i

/** The unit of the price of a product that is sold by weight or volume. A price that is entered with each sale, and a weight with sizes, are issues. */
function readUnit(
  reader: ProductReader,
  [first]: readonly TableRecord[],
  sizes: FileItem['sizes'],
): FileItem['details'] {
  if (!first) return undefined
  const { kind, unit = reader.context.soldBy } = readPriceKind(first)
  const [cell] = first.cells.get('priceKind') ?? first.cells.get('priceUnit') ?? []
  const add = (message: string) =>
    reader.issues.push({ column: cell?.heading, code: 'conflict', message, value: cell?.text })
  if (kind === 'open') add('has no price of its own: it is entered with each sale')
  const named = firstText(first, 'priceUnit')
  if (kind === 'piece' && named !== '' && !pieces.test(named))
    reader.context.notices.add('part_left_out', 'units of prices other than kilograms and 100 g', cell?.heading)
  if (kind !== 'weight' || unit === undefined || unit === 'piece') return undefined
  if (!sizes) return { soldBy: { unit } }
  add('has sizes, and is sold by weight: make a product of each size')
  return undefined
}

/** Reads the rows of a product. */
export function readTableProduct(context: TableContext, group: RecordGroup): FileItem {
  const reader = new ProductReader(context)
  const { head, rows } = group
  const variants = listVariants(group)
  const first = variants[0] ?? head
  const isListed = context.plan.preset === 'wix' && first === head
  const inColumns = readSizeColumns(reader, head)
  const sizes = inColumns.sizes ?? (isListed ? readListedSizes(reader, head) : readSizes(reader, head, variants))
  const prices = sizes?.options.flatMap(({ price }) => (typeof price === 'number' ? [price] : [])) ?? []
  const price = sizes
    ? prices.length > 0
      ? Math.min(...prices)
      : undefined
    : (inColumns.price ?? reader.amount(first, 'price'))
  const shown = [reader.flag(head.cells.get('visible')), negate(reader.flag(head.cells.get('hidden')))]
  const stock = sizes ? undefined : reader.amount(first, 'stockQuantity')
  const managed = sizes
    ? undefined
    : (reader.flag(first.cells.get('manageStock')) ??
      (hasTarget(context, 'manageStock') ? undefined : stock !== undefined || undefined))
  const taxRate = reader.amount(head, 'taxRate')
  const pictures = reader.pictures(rows)
  const body: Record<string, unknown> = {
    title: withoutLabel(joinLines(reader.text(head.cells.get('title'))), sizes && getLabel(head)),
    price,
    description: reader.text(head.cells.get('description')) ?? reader.text(head.cells.get('summary')),
    visible: shown.includes(false) ? false : shown.find((flag) => flag !== undefined),
    taxable: reader.flag(first.cells.get('taxable')),
    taxRate,
    useCustomTaxRate: reader.flag(head.cells.get('useCustomTaxRate')) ?? (taxRate === undefined ? undefined : true),
    calories: reader.amount(head, 'calories'),
    manageStock: managed,
    stockQuantity: managed === false ? undefined : stock,
    sku: sizes ? undefined : reader.code(first, 'sku', 'code'),
    upc: sizes ? undefined : reader.code(first, 'upc'),
    images: pictures.length > 0 ? pictures : undefined,
  }
  const id = firstText(head, 'id')
  const translations = readTranslations(reader, head)
  const unit = readUnit(reader, variants, sizes)
  const details = unit || translations ? { ...unit, ...(translations && { translations }) } : undefined
  if (price === 0 && reader.issues.length === 0) context.notices.add('zero_price', 'cost 0: guests see them as free')
  return {
    resource: 'products',
    row: Math.min(...rows.map(({ row }) => row)),
    rows: rows.length > 1 ? rows.map(({ row }) => row) : undefined,
    id: id.startsWith('prod_') ? id : undefined,
    externalId: getExternalId(context, head, first),
    body: Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)),
    metadata: readMetadata(head),
    sections: listSections(context.plan, rows),
    sizes,
    details,
    modifierTitles: listModifiers(rows, context.plan.preset === 'clover' ? ',' : '|'),
    modifierKeys: [],
    issues: [...rows.flatMap(({ issue }) => issue ?? []), ...(group.issue ? [group.issue] : []), ...reader.issues],
  }
}

const negate = (flag: boolean | undefined) => (flag === undefined ? undefined : !flag)
const hasTarget = ({ plan }: TableContext, target: string) => plan.columns.some(({ to }) => to === target)

/** Texts in other languages: those of columns `translations.LANGUAGE.FIELD`. */
function readTranslations(reader: ProductReader, { cells }: TableRecord) {
  const texts: Record<string, Record<string, string>> = {}
  for (const [to, list] of cells) {
    const [, language, field] = to.startsWith(translationsPrefix) ? to.split('.') : []
    const text = language === undefined ? undefined : reader.text(list)
    if (language === undefined || field === undefined || text === undefined) continue
    texts[language] = { ...texts[language], [field]: field === 'title' ? (joinLines(text) ?? '') : text }
  }
  return Object.keys(texts).length > 0 ? texts : undefined
}

/** Entries of metadata: those of columns `metadata.KEY`. */
export function readMetadata({ cells }: TableRecord): FileItem['metadata'] {
  const entries = [...cells].flatMap(([to, [cell]]) =>
    to.startsWith('metadata.') && cell ? [{ key: to.slice('metadata.'.length), value: cell.text }] : [],
  )
  return entries.length > 0 ? entries : undefined
}
