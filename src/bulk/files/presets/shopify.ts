import type { Preset } from './preset.ts'

/** Products of Shopify. Each row is a variant or a further picture of the product with its handle. */
export const shopify: Preset = {
  name: 'shopify',
  marks: [
    ['Handle', 'URL handle'],
    ['Option1 Name', 'Option1 name'],
    ['Variant Price', 'Price'],
  ],
  hasDecimalPoint: true,
  columns: {
    ...{
      Handle: 'group',
      'URL handle': 'group',
      Title: 'title',
      'Body (HTML)': 'description',
      Description: 'description',
    },
    ...{ Type: 'category', 'Product Category': 'category', 'Product category': 'category' },
    ...{ 'Option1 Name': 'axis', 'Option1 Value': 'size', 'Option2 Name': 'axis', 'Option2 Value': 'size' },
    ...{ 'Option3 Name': 'axis', 'Option3 Value': 'size', 'Option1 name': 'axis', 'Option1 value': 'size' },
    ...{ 'Option2 name': 'axis', 'Option2 value': 'size', 'Option3 name': 'axis', 'Option3 value': 'size' },
    ...{
      'Variant SKU': 'sku',
      SKU: 'sku',
      'Variant Barcode': 'upc',
      Barcode: 'upc',
      'Variant Price': 'price',
      Price: 'price',
    },
    ...{ 'Variant Inventory Qty': 'stockQuantity', 'Inventory quantity': 'stockQuantity' },
    ...{ 'Variant Inventory Tracker': 'manageStock', 'Inventory tracker': 'manageStock' },
    ...{ 'Variant Taxable': 'taxable', 'Charge tax': 'taxable', Published: 'visible', Status: 'visible' },
    ...{ 'Published on online store': 'visible', 'Image Src': 'images', 'Product image URL': 'images' },
  },
}
