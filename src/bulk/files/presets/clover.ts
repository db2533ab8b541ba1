import type { Preset } from './preset.ts'

/** The sheet Items of the inventory of Clover. Each row is an item, or a variant of the item with its name. */
export const clover: Preset = {
  name: 'clover',
  marks: [['Clover ID'], ['Name'], ['Price']],
  hasDecimalPoint: true,
  columns: {
    ...{
      'Clover ID': 'key',
      Name: 'title',
      Description: 'description',
      Price: 'price',
      'Product Code': 'upc',
      SKU: 'sku',
    },
    ...{ Quantity: 'stockQuantity', 'Hidden?': 'hidden', Hidden: 'hidden', Categories: 'category' },
    ...{ 'Variant Attribute': 'axis', 'Variant Option': 'size', 'Modifier Groups': 'modifiers' },
    ...{
      'Price Type': 'priceKind',
      'Price Unit': 'priceUnit',
    },
  },
}
