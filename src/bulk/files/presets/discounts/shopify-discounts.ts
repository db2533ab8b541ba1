import type { Preset } from '../preset.ts'

/** Discounts of Shopify. The name of a discount is its code; values are negative. */
export const shopifyDiscounts: Preset = {
  name: 'shopify_discounts',
  resource: 'coupons',
  marks: [['Name'], ['Value'], ['Value Type'], ['Times Used In Total', 'Usage Limit Per Code']],
  hasDecimalPoint: true,
  columns: {
    ...{ Name: 'code', Value: 'value', 'Value Type': 'type', Type: 'kind', 'Discount Class': 'kind', Status: 'active' },
    ...{ 'Minimum Purchase Requirements': 'minimumOrderAmount', 'Customer Selection': 'condition' },
    ...{ 'Combines with Order Discounts': 'combines', 'Combines with Product Discounts': 'combines' },
    ...{ 'Combines with Shipping Discounts': null, Context: null, 'Times Used In Total': 'timesRedeemed' },
    ...{ 'Applies Once Per Customer': 'oncePerCustomer', 'Usage Limit Per Code': 'limits.maxRedemptions' },
    ...{ Start: 'limits.startsAt', End: 'limits.endsAt' },
  },
}
