import type { Preset } from './preset.ts'

/** Products of Odoo, as a list is exported in English. Variants are products of their own there. */
export const odoo: Preset = {
  name: 'odoo',
  marks: [['Internal Reference'], ['Name'], ['Sales Price', 'Sale Price', 'Sales price', 'Public Price']],
  hasDecimalPoint: true,
  columns: {
    ...{ 'External ID': 'key', ID: 'key', id: 'key', Name: 'title', 'Internal Reference': 'sku', Barcode: 'upc' },
    ...{ 'Sales Price': 'price', 'Sale Price': 'price', 'Sales price': 'price', 'Public Price': 'price' },
    ...{ 'Product Category': 'category', 'Point of Sale Category': 'category', 'Sales Description': 'description' },
    ...{ 'Can be Sold': 'visible', 'Available in POS': 'visible', 'Quantity On Hand': 'stockQuantity' },
    ...{ Cost: null, 'Product Type': null, 'Can be Purchased': null, 'Can be Expensed': null, 'Customer Taxes': null },
  },
}
