import type { Preset } from './preset.ts'

/** Products of PrestaShop, with the columns of its own import. `Unit price` is that of an amount, and not the price of the product. */
export const prestashop: Preset = {
  name: 'prestashop',
  marks: [
    ['Product ID', 'ID'],
    ['Name *', 'Name'],
    ['Price tax included', 'Price tax excluded'],
  ],
  hasDecimalPoint: true,
  columns: {
    ...{ 'Product ID': 'key', ID: 'key', 'Name *': 'title', Name: 'title', 'Active (0/1)': 'visible' },
    ...{ 'Categories (x,y,z...)': 'category', 'Price tax included': 'price', 'Reference #': 'sku', EAN13: 'upc' },
    ...{ Summary: 'summary', 'Short description': 'summary', Description: 'description', Quantity: 'stockQuantity' },
    ...{ 'Image URLs (x,y,z...)': 'images', UPC: null },
  },
}
