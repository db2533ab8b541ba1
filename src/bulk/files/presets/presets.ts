import type { ResourcePath } from '../../../platform/names.ts'
import { clover } from './clover.ts'
import { shopifyDiscounts } from './discounts/shopify-discounts.ts'
import { squareDiscounts } from './discounts/square-discounts.ts'
import { woocommerceCoupons } from './discounts/woocommerce-coupons.ts'
import { ecwid } from './ecwid.ts'
import { lightspeed } from './lightspeed.ts'
import { loyverse } from './loyverse.ts'
import { magento } from './magento.ts'
import { odoo } from './odoo.ts'
import type { Preset } from './preset.ts'
import { prestashop } from './prestashop.ts'
import { shopify } from './shopify.ts'
import { square } from './square.ts'
import { sumup } from './sumup.ts'
import { wix } from './wix.ts'
import { woocommerce } from './woocommerce.ts'

const presets: readonly Preset[] = [
  ...[loyverse, square, shopify, woocommerce, sumup, clover, lightspeed, odoo, wix, prestashop],
  ...[magento, ecwid],
  ...[shopifyDiscounts, woocommerceCoupons, squareDiscounts],
]

/** The preset whose headings a file has, with the objects that the request wants. */
export function findPreset(
  header: readonly string[],
  wanted: ResourcePath | undefined,
): (Preset & { resource: 'products' | 'coupons' }) | undefined {
  const names = new Set(header.map((heading) => heading.trim()))
  const found = presets.find(
    ({ marks, resource = 'products' }) =>
      (wanted ?? resource) === resource && marks.every((either) => either.some((heading) => names.has(heading))),
  )
  return found && { resource: 'products', ...found }
}

/** Meaning of a heading in a preset, and the name in it. Undefined: the preset does not know it. */
export function readHeading(
  { columns, patterns = [] }: Preset,
  heading: string,
): { to: string | null; name?: string } | undefined {
  const trimmed = heading.trim()
  if (Object.hasOwn(columns, trimmed)) return { to: columns[trimmed] ?? null }
  for (const { form, to } of patterns) {
    const name = form.exec(trimmed)?.[1]
    if (name !== undefined) return { to, name }
  }
  return undefined
}
