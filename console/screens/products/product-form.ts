import type { Product, ProductUpdate } from '../../../packages/client/src/client.ts'
import {
  explainPrice,
  formatAmount,
  formatNumber,
  formatQuantity,
  parseAmount,
  parsePrice,
  parseQuantity,
  parseWhole,
} from '../../app/format.ts'
import { t } from '../../app/language.ts'

/** Content of the editor: numbers as typed. */
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
  /** Not shown, but kept for copies and restored products. */
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
  stockQuantity: formatQuantity(product?.stockQuantity),
  modifiers: product?.modifiers ?? [],
  images: product?.images ?? [],
  metadata: product?.metadata ?? [],
})

/** Errors of the shown fields that the browser can detect. The service detects the others. */
export function findErrors(form: ProductForm): ReadonlyMap<string, string> {
  const { issue } = t()
  const errors = new Map<string, string>()
  if (form.title.trim() === '') errors.set('title', issue.required)
  if (form.price.trim() === '') errors.set('price', issue.required)
  else if (parsePrice(form.price) === undefined) errors.set('price', explainPrice(form.price))
  if (form.useCustomTaxRate && form.taxRate.trim() !== '' && parseAmount(form.taxRate) === undefined)
    errors.set('taxRate', issue.notANumber)
  // A product without a number is sold out.
  if (form.manageStock && form.stockQuantity.trim() === '') errors.set('stockQuantity', issue.required)
  else if (form.manageStock && parseQuantity(form.stockQuantity) === undefined)
    errors.set('stockQuantity', issue.notAPrice)
  if (form.calories.trim() !== '' && parseWhole(form.calories) === undefined)
    errors.set('calories', issue.notAWholeNumber)
  return errors
}

/** The body of a form without errors; an empty optional field is `null`. */
export function toBody(form: ProductForm) {
  const { title, visible, taxable, useCustomTaxRate, manageStock, modifiers, images, metadata } = form
  const optional = (text: string) => (text.trim() === '' ? null : text)
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
    taxRate: parseAmount(form.taxRate) ?? null,
    manageStock,
    stockQuantity: parseQuantity(form.stockQuantity) ?? null,
    modifiers: [...modifiers],
    images: images.map(({ url }) => ({ url })),
    metadata: [...metadata],
  } satisfies ProductUpdate
}
export type ProductBody = ReturnType<typeof toBody>
