import type * as z from 'zod'
import { coupons } from '../../../src/catalogue/resources/coupons.ts'
import { limitReachedData, redemptionData } from '../../../src/checkout/redemptions/redemption-events.ts'
import { soldOutData, stockChangedData } from '../../../src/checkout/stock/stock-events.ts'
import type { TillEventName } from '../../../src/platform/names.ts'
import { exampleId, exampleSeconds } from '../examples.ts'
import { type JsonSchema, outputSchema } from '../json-schema.ts'
import { responseSchema } from '../resource-schemas.ts'

const product = exampleId('prod')

const stockChanged = {
  reference: '1234',
  reason: 'sale',
  changes: [{ product, stockQuantity: 0, soldOut: true, version: 8, updatedAt: exampleSeconds }],
} satisfies z.core.output<typeof stockChangedData>

const couponView = {
  id: exampleId('coup'),
  testMode: false,
  createdAt: exampleSeconds,
  updatedAt: exampleSeconds,
  title: 'Ten per cent off',
  code: 'TEN',
  type: 'PERCENTAGE',
  value: 10,
  active: true,
  individualUse: false,
  timesRedeemed: 1,
  applyToAllProducts: true,
  products: [],
} satisfies z.core.output<typeof redemptionData>['coupon']

export const exampleRedemption = {
  id: exampleId('red'),
  coupon: exampleId('coup'),
  code: 'TEN',
  order: '1234',
  amount: 1.25,
  state: 'redeemed',
  createdAt: exampleSeconds,
} satisfies z.core.output<typeof redemptionData>['redemption']

const couponSchema = responseSchema(coupons, coupons.view)

/** The schema with the descriptions of the coupon's fields. */
const withCoupon = ({ properties, ...schema }: JsonSchema, description: string): JsonSchema => ({
  ...schema,
  properties: { ...properties, coupon: { ...couponSchema, description } },
})

/** The schemas of the data of the till's events, by name in the document. */
export const tillEventSchemas = {
  StockChanged: outputSchema(stockChangedData),
  SoldOutChanged: outputSchema(soldOutData),
  CouponRedemption: withCoupon(outputSchema(redemptionData), 'The coupon after the change. Absent if it is deleted.'),
  CouponLimitReached: withCoupon(outputSchema(limitReachedData), 'The coupon after the redemption.'),
} as const

/** What a copy of the objects does with an event. */
export type CopyRule = (typeof copyRules)[number]
export const copyRules = ['create', 'replace', 'merge', 'delete', 'none'] as const

interface TillEventData {
  schema: keyof typeof tillEventSchemas
  copy: CopyRule
  sample: object
}

/** Schema and sample of the data of each event of the till. */
export const tillEventData: Readonly<Record<TillEventName, TillEventData>> = {
  'stock.changed': { schema: 'StockChanged', copy: 'merge', sample: stockChanged },
  'product.sold_out': {
    schema: 'SoldOutChanged',
    copy: 'none',
    sample: { products: [product], soldOut: [product], truncated: false },
  },
  'product.back_in_stock': {
    schema: 'SoldOutChanged',
    copy: 'none',
    sample: { products: [product], soldOut: [], truncated: false },
  },
  'coupon.redeemed': {
    schema: 'CouponRedemption',
    copy: 'replace',
    sample: { redemption: exampleRedemption, coupon: couponView },
  },
  'coupon.released': {
    schema: 'CouponRedemption',
    copy: 'replace',
    sample: { redemption: { ...exampleRedemption, state: 'released' }, coupon: { ...couponView, timesRedeemed: 0 } },
  },
  'coupon.limit_reached': {
    schema: 'CouponLimitReached',
    copy: 'none',
    sample: { coupon: couponView, maxRedemptions: 1 },
  },
}
