import type * as z from 'zod'
import { exampleId, exampleSeconds } from '../platform/http/openapi/examples.ts'
import { describedLike, inputSchema, outputSchema, ref } from '../platform/http/openapi/json-schema.ts'
import type { OperationGroup } from '../platform/http/openapi/operation.ts'
import { daySeconds } from '../platform/lib/day.ts'
import { limitFields, limitView } from './coupon-limit-fields.ts'
import { quoteFields } from './quote/quote-request.ts'
import { quoteView } from './quote/quote-view.ts'

const limits = {
  startsAt: exampleSeconds,
  endsAt: exampleSeconds + 30 * daySeconds,
  maxRedemptions: 500,
} satisfies z.core.output<typeof limitView>

const order = {
  items: [{ product: exampleId('prod'), quantity: 2, options: [{ modifier: exampleId('mod'), option: 'oat' }] }],
  coupons: ['TEN'],
  at: exampleSeconds,
} satisfies z.core.input<typeof quoteFields>

const quote = {
  currency: 'EUR',
  orderable: true,
  at: exampleSeconds,
  items: [
    {
      product: exampleId('prod'),
      title: 'Flat white',
      quantity: 2,
      options: [{ modifier: exampleId('mod'), option: 'oat', label: 'Oat', quantity: 1, additionalCost: 0.4 }],
      unitPrice: 3.9,
      subtotal: 7.8,
      discounts: [{ coupon: exampleId('coup'), amount: 0.78 }],
      taxRate: 13,
      tax: 0.81,
      total: 7.02,
    },
  ],
  coupons: [{ code: 'TEN', coupon: exampleId('coup'), status: 'applied', amount: 0.78, reasons: [] }],
  taxes: [{ rate: 13, base: 7.02, amount: 0.81, included: true }],
  subtotal: 7.8,
  discountTotal: 0.78,
  taxTotal: 0.81,
  total: 7.02,
  issues: [],
} satisfies z.core.output<typeof quoteView>

/** Operations for pricing and accepting an order. */
const path = '/merchants/:merchantId/coupons/:couponId/limits'
const update = inputSchema(limitFields)
const respond = (description: string) =>
  ({ 200: { description, schema: ref('CouponLimits'), headers: ['ETag'], example: limits } }) as const
export default {
  name: 'Checkout',
  description: 'Pricing and accepting orders.',
  schemas: {
    CouponLimits: describedLike(outputSchema(limitView), update),
    CouponLimitsUpdate: update,
    QuoteCreate: inputSchema(quoteFields),
    Quote: outputSchema(quoteView),
  },
  operations: [
    {
      id: 'createQuote',
      method: 'post',
      path: '/merchants/:merchantId/quotes',
      summary: 'Price an order',
      description:
        'Computes prices, discounts and taxes, and checks availability. Covers sizes, options of options, parts of bundles and products by weight. Stores nothing and raises no event. Returns `200` for every well-formed order: `issues` lists everything that prevents it. Amounts are exact decimal numbers. Above 2^53, a double loses digits. Ignores `Idempotency-Key`.',
      access: 'key',
      scope: ['products:read', 'coupons:read'],
      ignoresIdempotencyKey: true,
      body: ref('QuoteCreate'),
      example: order,
      responses: { 200: { description: 'The quote.', schema: ref('Quote'), example: quote } },
      problems: ['not_found'],
    },
    {
      id: 'retrieveCouponLimits',
      method: 'get',
      path,
      summary: 'Retrieve the limits of a coupon',
      description: 'Limits that are not set are absent.',
      access: 'key',
      scope: 'coupons:read',
      condition: 'If-None-Match',
      responses: respond('The limits.'),
      problems: ['not_found', 'damaged'],
    },
    {
      id: 'updateCouponLimits',
      method: 'post',
      path,
      summary: 'Set or clear limits of a coupon',
      description:
        'Omitted limits do not change. `null` clears a limit. A merchant can have 20 automatic coupons in each mode. Raises no event.',
      access: 'key',
      scope: 'coupons:write',
      body: ref('CouponLimitsUpdate'),
      example: limits,
      condition: 'If-Match',
      responses: respond('The updated limits.'),
      problems: ['not_found', 'damaged', 'too_many'],
    },
  ],
} satisfies OperationGroup
