import type { Preset } from './preset.ts'

/** Products of Odoo, as a list is exported in English or by the names of fields. Variants are products of their own there. */
export const odoo: Preset = {
  name: 'odoo',
  marks: [
    ['Internal Reference', 'default_code'],
    ['Name', 'name'],
    ['Sales Price', 'Sale Price', 'Sales price', 'Public Price', 'list_price'],
  ],
  hasDecimalPoint: true,
  columns: {
    ...{ 'External ID': 'key', ID: 'key', id: 'key', Name: 'title', 'Internal Reference': 'sku', Barcode: 'upc' },
    ...{ 'Sales Price': 'price', 'Sale Price': 'price', 'Sales price': 'price', 'Public Price': 'price' },
    ...{ 'Product Category': 'category', 'Point of Sale Category': 'category', 'Sales Description': 'description' },
    ...{ 'Can be Sold': 'visible', 'Available in POS': 'visible', 'Quantity On Hand': 'stockQuantity' },
    ...{ name: 'title', default_code: 'sku', barcode: 'upc', list_price: 'price', description_sale: 'description' },
    ...{ 'categ_id/name': 'category', 'categ_id/complete_name': 'category', 'pos_categ_ids/name': 'category' },
    ...{ categ_id: 'category', pos_categ_id: 'category', sale_ok: 'visible', available_in_pos: 'visible' },
    ...{ qty_available: 'stockQuantity', price: null, type: null },
  },
}
