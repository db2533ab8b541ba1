// Made by `npm run models` from the table of events.

import type {
  Coupon,
  CouponLimitReached,
  CouponRedemption,
  Customer,
  Menu,
  MenuDetailsChanged,
  Modifier,
  ModifierDetailsChanged,
  OptionsSoldOut,
  Product,
  ProductDetailsChanged,
  ReleaseFailed,
  ReleasePublished,
  ServiceChanged,
  SoldOutChanged,
  StockChanged,
  Tag,
  TagDetailsChanged,
  TagRequested,
  Webhook,
  WebhookFilterChanged,
} from './models.ts'

/** Data of each type of event. */
export interface EventData {
  'order.created': Record<string, unknown>
  'order.updated': Record<string, unknown>
  'order.cancelled': Record<string, unknown>
  'order.completed': Record<string, unknown>
  'product.created': Product
  'product.updated': Product
  'product.deleted': Product
  'modifier.created': Modifier
  'modifier.updated': Modifier
  'modifier.deleted': Modifier
  'menu.created': Menu
  'menu.updated': Menu
  'menu.deleted': Menu
  'coupon.created': Coupon
  'coupon.updated': Coupon
  'coupon.deleted': Coupon
  'customer.created': Customer
  'customer.updated': Customer
  'customer.deleted': Customer
  'tag.created': Tag
  'tag.updated': Tag
  'tag.deleted': Tag
  'webhook.created': Webhook
  'webhook.updated': Webhook
  'webhook.deleted': Webhook
  'stock.changed': StockChanged
  'product.sold_out': SoldOutChanged
  'product.back_in_stock': SoldOutChanged
  'option.sold_out': OptionsSoldOut
  'option.back_in_stock': OptionsSoldOut
  'coupon.redeemed': CouponRedemption
  'coupon.released': CouponRedemption
  'coupon.limit_reached': CouponLimitReached
  'tag.requested': TagRequested
  'tag.request_done': TagRequested
  'service.paused': ServiceChanged
  'service.resumed': ServiceChanged
  'webhook.filter_updated': WebhookFilterChanged
  'release.published': ReleasePublished
  'release.failed': ReleaseFailed
  'product.details_updated': ProductDetailsChanged
  'modifier.details_updated': ModifierDetailsChanged
  'menu.details_updated': MenuDetailsChanged
  'tag.details_updated': TagDetailsChanged
  'customer.erased': {
    /** Id of the erased customer. */
    id: string
  }
  'webhook.test': Record<string, unknown>
}
