import type { Preset } from './preset.ts'

/** Items of SumUp. The rows of the variations of an item are below it, without its name. */
export const sumup: Preset = {
  name: 'sumup',
  marks: [['Item name'], ['Variations'], ['Is variation visible?', 'Is variation visible? (Yes/No)']],
  columns: {
    ...{
      'Item name': 'title',
      Variations: 'size',
      Price: 'price',
      'Tax rate (%)': 'taxRate',
      SKU: 'sku',
      Barcode: 'upc',
    },
    ...{ 'Option set 1': 'axis', 'Option set 2': 'axis', 'Option set 3': 'axis', 'Option set 4': 'axis' },
    ...{ 'Option 1': 'size', 'Option 2': 'size', 'Option 3': 'size', 'Option 4': 'size', Category: 'category' },
    ...{ 'Description (Online Store and Invoices only)': 'description', Quantity: 'stockQuantity', Unit: 'priceUnit' },
    ...{ 'Track inventory? (Yes/No)': 'manageStock', 'Item id (Do not change)': 'key', 'Item id': 'key' },
    ...{ 'Image 1': 'images', 'Image 2': 'images', 'Image 3': 'images', 'Image 4': 'images' },
    ...{ 'Image 5': 'images', 'Image 6': 'images', 'Image 7': 'images' },
    ...{ Modifiers: null },
  },
}
