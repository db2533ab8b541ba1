import type { ProductDetails } from '../../../../packages/client/src/client.ts'
import { formatAmount, formatNumber, parsePrice, parseWhole } from '../../../app/format.ts'
import { t } from '../../../app/language.ts'
import { errorIf } from '../../../objects/editor/field-errors.ts'
import { findProduct, getProductTitle } from '../../../objects/known-products.ts'
import { offered } from '../offered-modifiers.ts'

type Bundle = NonNullable<ProductDetails['bundle']>

export interface PartForm {
  product: string
  surcharge: string
  /** Size of the part, which the form keeps. */
  size?: string
}
export interface GroupForm {
  /** Absent until the service has stored the group. */
  id?: string
  key: string
  title: string
  min: string
  max: string
  items: readonly PartForm[]
}
export interface BundleForm {
  groups: readonly GroupForm[]
  splitTax: boolean
}

/** The sizes of a part: its options with a price. Empty: it has no sizes, or they are not loaded. */
export function listPartSizes(product: string): readonly { id: string; label: string }[] {
  const sizes = findProduct(product)?.details?.sizes
  const options = offered.value.find(({ id }) => id === sizes?.modifier)?.options ?? []
  return options.flatMap(({ id, label = '' }) => (sizes?.prices[id] ? [{ id, label }] : []))
}

/** Title of a part, with the size in which the bundle offers it. */
export function getPartTitle({ product, size }: PartForm): string {
  const title = getProductTitle(product)
  if (size === undefined) return title
  return `${title}, ${listPartSizes(product).find(({ id }) => id === size)?.label ?? '…'}`
}

let lastKey = 0
export const newGroup = (): GroupForm => ({ key: `new-${++lastKey}`, title: '', min: '1', max: '1', items: [] })

export const toBundleForm = (bundle: Bundle | undefined): BundleForm | undefined =>
  bundle && {
    splitTax: bundle.splitTax ?? false,
    groups: bundle.groups.map(({ id, title, min, max, items }) => ({
      id,
      key: id,
      title,
      min: formatNumber(min),
      max: formatNumber(max),
      items: items.map(({ surcharge, ...others }) => ({
        ...others,
        surcharge: surcharge === undefined ? '' : formatAmount(surcharge),
      })),
    })),
  }

export function findBundleErrors({ groups }: BundleForm): [string, string][] {
  const { issue } = t()
  return groups.flatMap(({ title, min, max, items }, at): [string, string][] => [
    ...errorIf(title.trim() === '', `bundle/groups/${at}/title`, issue.required),
    ...Object.entries({ min, max }).flatMap(([name, text]): [string, string][] =>
      parseWhole(text) === undefined ? [[`bundle/groups/${at}/${name}`, issue.notAWholeNumber]] : [],
    ),
    ...items.flatMap(({ surcharge }, index): [string, string][] =>
      surcharge.trim() !== '' && parsePrice(surcharge) === undefined
        ? [[`bundle/groups/${at}/items/${index}/surcharge`, issue.notAPrice]]
        : [],
    ),
  ])
}

export const toBundleBody = (bundle: BundleForm | undefined) =>
  bundle && bundle.groups.length > 0
    ? {
        splitTax: bundle.splitTax || null,
        groups: bundle.groups.map(({ id, title, min, max, items }) => ({
          ...(id === undefined ? {} : { id }),
          title,
          min: parseWhole(min) ?? 0,
          max: parseWhole(max) ?? 1,
          items: items.map(({ surcharge, ...others }) => ({
            ...others,
            ...(surcharge.trim() !== '' && { surcharge: parsePrice(surcharge) ?? 0 }),
          })),
        })),
      }
    : null
