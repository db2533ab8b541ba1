import type { TableRecord } from '../group-rows.ts'
import type { TablePlan } from '../plan.ts'
import { readPlainText } from '../read-cell.ts'

/** Separators of several categories in one cell, by the system that exports them. */
const sectionSeparators: ReadonlyMap<string, RegExp> = new Map([
  ['woocommerce', /,(?!\s*>)/],
  ['clover', /,(?!\s*>)/],
  ['prestashop', /,/],
  ['wix', /;/],
  ['magento', /,/],
])

/** Separators of the parts of a path, by the system that exports them. */
const pathSeparators: ReadonlyMap<string, RegExp> = new Map([
  ['odoo', /\s[>/]\s/],
  ['ecwid', /\s[>/]\s/],
  ['magento', /\//],
])

/** Sections that the category of a product names: the last part of a path. A shop may name several; the type of Shopify wins over its category. */
export function listSections({ preset }: TablePlan, rows: readonly TableRecord[]): string[] {
  const found = rows.flatMap(({ cells }) => cells.get('category') ?? [])
  const types = found.filter(({ heading }) => heading === 'Type')
  const cells = preset === 'shopify' && types.length > 0 ? types : found
  const separator = preset === undefined ? undefined : sectionSeparators.get(preset)
  const parts = (preset === undefined ? undefined : pathSeparators.get(preset)) ?? /\s>\s/
  const names = cells
    .flatMap(({ text }) => (separator ? text.split(separator) : [text]))
    // The first part of a path of Magento is the root of all categories.
    .filter((name) => preset !== 'magento' || name.includes('/'))
  const sections = names.map((name) =>
    readPlainText(name.split(parts).at(-1) ?? '')
      .text.trim()
      .slice(0, 255),
  )
  return [...new Set(sections.filter((name) => name !== ''))]
}
