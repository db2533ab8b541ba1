import type { Preset } from './preset.ts'

/** Products of Lightspeed Retail (X-Series, formerly Vend). Each row is a variant of the product with its handle; stock is a column of an outlet. */
export const lightspeed: Preset = {
  name: 'lightspeed',
  marks: [['handle'], ['retail_price'], ['name', 'product_name']],
  hasDecimalPoint: true,
  columns: {
    ...{ id: 'key', handle: 'group', sku: 'sku', name: 'title', product_name: 'title', description: 'description' },
    ...{ product_category: 'category', type: 'category', retail_price: 'price', active: 'visible' },
    ...{ track_inventory: 'manageStock', variant_option_one_name: 'axis', variant_option_one_value: 'size' },
    ...{ variant_option_two_name: 'axis', variant_option_two_value: 'size' },
    ...{ variant_option_three_name: 'axis', variant_option_three_value: 'size' },
  },
  patterns: [{ form: /^inventory_(.+)$/, to: 'stockQuantity' }],
}
