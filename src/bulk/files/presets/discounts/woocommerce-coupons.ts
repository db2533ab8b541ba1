import type { Preset } from '../preset.ts'

/** Coupons of WooCommerce, as programs export and import them: the names of their fields in its database. The title of a coupon is its code. */
export const woocommerceCoupons: Preset = {
  name: 'woocommerce_coupons',
  resource: 'coupons',
  marks: [
    ['post_title', 'coupon_code', 'code'],
    ['discount_type'],
    ['coupon_amount', 'amount'],
    ['individual_use', 'usage_limit', 'usage_limit_per_user', 'expiry_date', 'date_expires'],
  ],
  hasDecimalPoint: true,
  columns: {
    ...{ ID: 'key', id: 'key', post_title: 'code', coupon_code: 'code', code: 'code', post_excerpt: 'description' },
    ...{ description: 'description', post_status: 'active', status: 'active', discount_type: 'type' },
    ...{ coupon_amount: 'value', amount: 'value', individual_use: 'individualUse', usage_count: 'timesRedeemed' },
    ...{ usage_limit: 'limits.maxRedemptions', usage_limit_per_user: 'limits.maxRedemptionsPerCustomer' },
    ...{ date_expires: 'limits.endsAt', expiry_date: 'limits.endsAt', minimum_amount: 'minimumOrderAmount' },
    ...{
      maximum_amount: 'condition',
      product_ids: 'condition',
      product_categories: 'condition',
      products: 'condition',
    },
    ...{ exclude_product_ids: 'condition', excluded_product_ids: 'condition', exclude_product_categories: 'condition' },
    ...{ excluded_product_categories: 'condition', exclude_sale_items: 'condition', customer_email: 'condition' },
    ...{ email_restrictions: 'condition', limit_usage_to_x_items: 'condition', free_shipping: 'condition' },
    ...{ post_date: null, post_parent: null, menu_order: null, date_created: null, date_modified: null },
  },
}
