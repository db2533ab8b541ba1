import type { Preset } from './preset.ts'

/**
 * Products of Magento 2 and Adobe Commerce. A configurable product names the SKUs and options of its variants in one cell; each variant is a row of its own, which is
 * not visible individually. A row with a store view has the texts of another language.
 */
export const magento: Preset = {
  name: 'magento',
  marks: [['sku'], ['product_type'], ['attribute_set_code', 'store_view_code'], ['name']],
  hasDecimalPoint: true,
  columns: {
    ...{
      sku: 'sku',
      store_view_code: 'storeView',
      product_type: 'kind',
      categories: 'category',
      name: 'title',
      price: 'price',
    },
    ...{ description: 'description', short_description: 'summary', product_online: 'visible', visibility: 'visible' },
    ...{ base_image: 'images', additional_images: 'images', qty: 'stockQuantity', manage_stock: 'manageStock' },
    ...{
      configurable_variations: 'variantSkus',
      configurable_variation_labels: 'axis',
    },
  },
}
