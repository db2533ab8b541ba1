import type { Preset } from './preset.ts'

/** Products of WooCommerce. A row of the type `variation` names the SKU or the id of its product. */
export const woocommerce: Preset = {
  name: 'woocommerce',
  marks: [['ID'], ['Type'], ['Regular price'], ['Visibility in catalog', 'Is featured?', 'Published']],
  columns: {
    ...{ ID: 'key', Type: 'kind', SKU: 'sku', Name: 'title', Published: 'visible', 'Short description': 'summary' },
    ...{
      Description: 'description',
      'Tax status': 'taxable',
      Stock: 'stockQuantity',
      'Regular price': 'price',
      'Sale price': null,
    },
    ...{ Categories: 'category', Images: 'images', Parent: 'parent', 'GTIN, UPC, EAN, or ISBN': 'upc' },
    ...{
      'Attribute 1 name': 'axis',
      'Attribute 1 value(s)': 'size',
      'Attribute 2 name': 'axis',
      'Attribute 2 value(s)': 'size',
    },
    ...{
      'Attribute 3 name': 'axis',
      'Attribute 3 value(s)': 'size',
      'Is featured?': null,
      'Visibility in catalog': null,
    },
    ...{ 'In stock?': null, Tags: null, 'Tax class': null, Position: null },
  },
}
