import type { Preset } from './preset.ts'

/** Items of Square. Each row is a variation; amounts are columns of a place. */
export const square: Preset = {
  name: 'square',
  marks: [['Token'], ['Item Name'], ['Variation Name']],
  hasDecimalPoint: true,
  columns: {
    ...{ Token: 'key', 'Item Name': 'title', 'Variation Name': 'size', SKU: 'sku' },
    ...{
      Description: 'description',
      Category: 'category',
      Categories: 'category',
      GTIN: 'upc',
    },
    ...{ 'Square Online Item Visibility': 'visible', Price: 'price', 'Option Name 1': 'axis' },
    ...{ Archived: 'hidden' },
  },
  patterns: [
    { form: /^Modifier Set - (.+)$/, to: 'modifier' },
    { form: /^Current Quantity (.+)$/, to: 'stockQuantity' },
    { form: /^Price (.+)$/, to: 'price' },
  ],
}
