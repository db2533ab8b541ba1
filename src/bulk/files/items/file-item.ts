import type { ResourcePath } from '../../../platform/names.ts'
import type { RowIssue } from '../../import/rows/file-row.ts'

/** A size of a product in a file. */
export interface FileSize {
  label: string
  price: unknown
  sku?: string | undefined
  upc?: string | undefined
}

/** An object of a file: one row, or the rows of all variants of a product. */
export interface FileItem {
  resource: ResourcePath
  /** First row of the object. */
  row: number
  /** All rows of the object, if it has several. */
  rows?: readonly number[] | undefined
  id?: string | undefined
  externalId?: string | undefined
  body: Readonly<Record<string, unknown>>
  metadata?: readonly { key: string; value: string }[] | undefined
  /** Titles of the sections of the menu that it belongs to. */
  sections: readonly string[]
  sizes?: { title: string; options: readonly FileSize[] } | undefined
  /** Limits of a coupon, or the unit of a product. */
  details?: Readonly<Record<string, unknown>> | undefined
  /** Titles of modifiers of the merchant. */
  modifierTitles: readonly string[]
  /** Keys of modifiers in the same file. */
  modifierKeys: readonly string[]
  issues: readonly RowIssue[]
}

/** A modifier of a document. */
export interface FileModifier {
  key: string
  externalId?: string | undefined
  title: string
  min: number
  max?: number | undefined
  options: readonly { label: string; cost: number }[]
}

/** Contents of a file, before references are resolved. */
export interface FileContent {
  items: readonly FileItem[]
  modifiers: readonly FileModifier[]
  /** Title of the menu in the file. */
  menuTitle?: string | undefined
  /** Numbers of things that were changed or left out, by code and column. */
  notices: readonly FileNotice[]
}

/** Codes of questions that a table leaves open. */
export const questionCodes = [
  ...(['number_format', 'location', 'column', 'name', 'title_rows'] as const),
  ...(['date_format', 'discount_type', 'tax_rate', 'sold_by', 'amounts'] as const),
] as const
/** Readings of rows with nothing but a text: titles of sections, as in a printed price list, or products without a price. */
export const titleRowReadings = ['sections', 'products'] as const
/** Readings of tax rates below 1 without a percent sign: percentages, or fractions such as 0.19 for 19 %. */
export const taxRateReadings = ['percent', 'fraction'] as const
/** Units of prices of products that are sold by weight or volume. `piece`: the price is that of one piece. */
export const soldByReadings = ['kg', '100g', 'l', 'piece'] as const
/** Readings of whole prices such as 1250: as they are, or in the minor unit of the currency, such as cents. */
export const amountReadings = ['units', 'cents'] as const
/** Begins the own id of a row, by which other rows refer to it. */
export const ownIdPrefix = 'row:'

export const fileNoticeCodes = [
  'column_left_out',
  'rows_above',
  'no_headings',
  'html_removed',
  'stock_of_sizes',
  'not_https',
  'modifier_missing',
  'part_left_out',
  'other_currency',
  'without_section',
  'total_left_out',
  'sheets_left_out',
  'zero_price',
  'hidden_rows',
] as const

export interface FileNotice {
  code: (typeof fileNoticeCodes)[number]
  column?: string | undefined
  count: number
  message: string
}

/** Counts what happens to a file. */
export function createNotices() {
  const counts = new Map<string, FileNotice>()
  return {
    add(code: FileNotice['code'], message: string, column?: string): void {
      const key = JSON.stringify([code, column, message])
      const { count = 0 } = counts.get(key) ?? {}
      counts.set(key, { code, column, message, count: count + 1 })
    },
    list: (): readonly FileNotice[] => [...counts.values()],
  }
}
export type Notices = ReturnType<typeof createNotices>
