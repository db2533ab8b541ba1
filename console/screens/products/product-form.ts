import type { Product, ProductUpdate } from '../../../packages/client/src/client.ts'
import { formatAmount, formatNumber, parseAmount, parsePrice, parseWhole } from '../../app/format.ts'
import { t } from '../../app/language.ts'

/** What the editor holds: numbers as they were typed. */
export interface ProductForm {
  title: string
  price: string
  description: string
  sku: string
  upc: string
  calories: string
  visible: boolean
  taxable: boolean
  useCustomTaxRate: boolean
  taxRate: string
  manageStock: boolean
  stockQuantity: string
  modifiers: readonly string[]
  images: readonly { url: string }[]
  /** Not shown: a copy and a restored product have it too. */
  metadata: readonly { key: string; value: string }[]
}

export const toForm = (product?: Product): ProductForm => ({
  title: product?.title ?? '',
  price: product ? formatAmount(product.price) : '',
  description: product?.description ?? '',
  sku: product?.sku ?? '',
  upc: product?.upc ?? '',
  calories: formatNumber(product?.calories),
  visible: product?.visible ?? true,
  taxable: product?.taxable ?? true,
  useCustomTaxRate: product?.useCustomTaxRate ?? false,
  taxRate: formatNumber(product?.taxRate),
  manageStock: product?.manageStock ?? false,
  stockQuantity: formatNumber(product?.stockQuantity),
  modifiers: product?.modifiers ?? [],
  images: product?.images ?? [],
  metadata: product?.metadata ?? [],
})

const numbers = ['taxRate', 'stockQuantity'] as const

/** Errors of fields that the browser can find: the service finds the others. */
export function findErrors(form: ProductForm): ReadonlyMap<string, string> {
  const { issue } = t()
  const errors = new Map<string, string>()
  if (form.title.trim() === '') errors.set('title', issue.required)
  if (form.price.trim() === '') errors.set('price', issue.required)
  else if (parsePrice(form.price) === undefined) errors.set('price', issue.notAPrice)
  for (const name of numbers) {
    if (form[name].trim() !== '' && parseAmount(form[name]) === undefined) errors.set(name, issue.notANumber)
  }
  if (form.calories.trim() !== '' && parseWhole(form.calories) === undefined)
    errors.set('calories', issue.notAWholeNumber)
  return errors
}

/** The body of a form without errors; an empty optional field is `null`. */
export function toBody(form: ProductForm) {
  const { title, visible, taxable, useCustomTaxRate, manageStock, modifiers, images, metadata } = form
  const optional = (text: string) => (text.trim() === '' ? null : text)
  const number = (text: string) => parseAmount(text) ?? null
  return {
    title,
    price: parsePrice(form.price) ?? 0,
    description: optional(form.description),
    sku: optional(form.sku),
    upc: optional(form.upc),
    calories: parseWhole(form.calories) ?? null,
    visible,
    taxable,
    useCustomTaxRate,
    taxRate: number(form.taxRate),
    manageStock,
    stockQuantity: number(form.stockQuantity),
    modifiers: [...modifiers],
    images: images.map(({ url }) => ({ url })),
    metadata: [...metadata],
  } satisfies ProductUpdate
}
export type ProductBody = ReturnType<typeof toBody>
