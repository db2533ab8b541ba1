import type { Preset } from './preset.ts'

/** Products of Ecwid, now Lightspeed E-Series. The rows of the options and the variations of a product have its id. */
export const ecwid: Preset = {
  name: 'ecwid',
  marks: [['type'], ['product_internal_id'], ['product_name'], ['product_price']],
  hasDecimalPoint: true,
  columns: {
    ...{ type: 'kind', product_internal_id: 'group', product_sku: 'code', product_variation_sku: 'sku' },
    ...{ product_name: 'title', product_price: 'price', product_description: 'description', product_upc: 'upc' },
    ...{ product_is_available: 'visible', product_is_inventory_tracked: 'manageStock' },
    ...{ product_quantity: 'stockQuantity', product_media_main_image_url: 'images', product_option_name: 'axis' },
    ...{ product_option_value: 'size', product_option_markup: 'surcharge', product_option_type: 'axisKind' },
  },
  patterns: [
    { form: /^product_category_(\d+)$/, to: 'category' },
    { form: /^product_media_gallery_image_url_(\d+)$/, to: 'images' },
    { form: /^product_variation_option_(.+)$/, to: 'optionValue' },
  ],
}
