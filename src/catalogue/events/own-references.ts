import { type ResourceName, resourceIdentities } from '../../platform/names.ts'
import * as data from './event-data.ts'
import type { EventReference, OwnEventName } from './event-types.ts'
import { releaseReferences } from './release-references.ts'

/** The fixed id of a resource in samples. */
export const idOf = (name: ResourceName, { id }: data.SampleValues) => id(resourceIdentities[name].idPrefix)

/** Data of events about a call of a guest. */
const ofCall = {
  name: 'TagRequested',
  schema: data.createTagRequested,
  sample: (values: data.SampleValues) => ({ tag: idOf('tag', values), kind: 'bill' }),
}

/** References of the events that no resource has by itself, in the order of the catalogue. */
export const ownReferences = {
  'stock.changed': {
    raised: 'The stock of products changes: by an adjustment or by the effects of an order.',
    copy: 'merge',
    data: {
      name: 'StockChanged',
      schema: data.createStockChanged,
      sample: (values) => ({
        reference: '1234',
        reason: 'sale',
        changes: [
          {
            product: idOf('product', values),
            stockQuantity: 0,
            soldOut: true,
            version: 8,
            updatedAt: values.seconds,
          },
        ],
      }),
    },
  },
  'product.sold_out': {
    raised: 'Products become sold out: by their stock or by a mark.',
    copy: 'none',
    data: {
      name: 'SoldOutChanged',
      schema: data.createSoldOutChanged,
      sample: (values) => ({
        products: [idOf('product', values)],
        soldOut: [idOf('product', values)],
        truncated: false,
      }),
    },
  },
  'product.back_in_stock': {
    raised: 'Products are no longer sold out: by their stock, or because a mark ends or is removed.',
    copy: 'none',
    data: {
      name: 'SoldOutChanged',
      schema: data.createSoldOutChanged,
      sample: (values) => ({ products: [idOf('product', values)], soldOut: [], truncated: false }),
    },
  },
  'option.sold_out': {
    raised: 'Options of a modifier are marked as sold out.',
    copy: 'none',
    data: {
      name: 'OptionsSoldOut',
      schema: data.createOptionsSoldOut,
      sample: (values) => ({
        options: [data.sampleOption(values)],
        soldOut: [data.sampleOption(values)],
        truncated: false,
      }),
    },
  },
  'option.back_in_stock': {
    raised: 'Options are no longer sold out: their mark ends or is removed.',
    copy: 'none',
    data: {
      name: 'OptionsSoldOut',
      schema: data.createOptionsSoldOut,
      sample: (values) => ({ options: [data.sampleOption(values)], soldOut: [], truncated: false }),
    },
  },
  'coupon.redeemed': {
    raised: 'A coupon is redeemed, or a hold of it is confirmed.',
    copy: 'replace',
    data: {
      name: 'CouponRedemption',
      schema: data.createCouponRedemption,
      sample: (values) => ({ redemption: data.sampleRedemption(values), coupon: data.sampleCoupon(values, 1) }),
    },
  },
  'coupon.released': {
    raised: 'A redemption or a hold of a coupon is released.',
    copy: 'replace',
    data: {
      name: 'CouponRedemption',
      schema: data.createCouponRedemption,
      sample: (values) => ({
        redemption: { ...data.sampleRedemption(values), state: 'released' },
        coupon: data.sampleCoupon(values, 0),
      }),
    },
  },
  'coupon.limit_reached': {
    raised: '`timesRedeemed` of a coupon reaches `maxRedemptions`.',
    copy: 'none',
    data: {
      name: 'CouponLimitReached',
      schema: data.createCouponLimitReached,
      sample: (values) => ({ coupon: data.sampleCoupon(values, 1), maxRedemptions: 1 }),
    },
  },
  'tag.requested': {
    raised: 'A guest at a table calls the staff or asks for the bill.',
    copy: 'none',
    data: ofCall,
  },
  'tag.request_done': {
    raised: 'A call of a guest is marked as done.',
    copy: 'none',
    data: ofCall,
  },
  'service.paused': {
    raised: 'The venue is paused, or the end or the message of its pause changes.',
    copy: 'none',
    data: {
      name: 'ServiceChanged',
      schema: data.createServiceChanged,
      sample: ({ seconds }) => ({ paused: true, until: seconds, message: 'The kitchen takes a break.' }),
    },
  },
  'service.resumed': {
    raised: 'The pause of the venue ends, by itself or by a request.',
    copy: 'none',
    data: {
      name: 'ServiceChanged',
      schema: data.createServiceChanged,
      sample: () => ({ paused: false }),
    },
  },
  'webhook.filter_updated': {
    raised: 'The filter of a webhook changes.',
    copy: 'none',
    data: {
      name: 'WebhookFilterChanged',
      schema: data.createFilterChanged,
      sample: (values) => ({ id: idOf('webhook', values), filter: { changed: { 'product.updated': ['price'] } } }),
    },
  },
  ...releaseReferences,
} satisfies Readonly<Record<OwnEventName, EventReference>>
