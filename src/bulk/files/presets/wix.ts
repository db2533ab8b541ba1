import type { Preset } from './preset.ts'

/** Products of Wix Stores. The rows of the variants of a product are below it, with its handle, and add to its price. */
export const wix: Preset = {
  name: 'wix',
  marks: [['handleId'], ['fieldType'], ['productImageUrl', 'productOptionName1']],
  hasDecimalPoint: true,
  columns: {
    ...{ handleId: 'group', fieldType: 'kind', name: 'title', description: 'description', productImageUrl: 'images' },
    ...{ collection: 'category', sku: 'sku', price: 'price', surcharge: 'surcharge', visible: 'visible' },
    ...{ productOptionName1: 'axis', productOptionDescription1: 'size', productOptionName2: 'axis' },
    ...{ productOptionDescription2: 'size', productOptionName3: 'axis', productOptionDescription3: 'size' },
  },
}
