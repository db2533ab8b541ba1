import * as z from 'zod/mini'
import { redemptionStates } from '../../platform/db/schema/checkout/redemptions.ts'
import { callKinds } from '../../platform/db/schema/resources/tag-requests.ts'
import { stockReasons } from '../../platform/db/schema/stock-adjustments.ts'
import { coupons } from '../resources/coupons.ts'

/** Maximum number of sold-out products, and of sold-out options, that an event lists. */
export const maxListedProducts = 5_000

// Each schema is a function: only the documentation and the responses that share it evaluate it.

/** A redemption in responses and events. */
export const createRedemptionView = () =>
  z.object({
    id: z.string().check(z.describe('Unique identifier. Ids sort by time of creation.')),
    coupon: z.string().check(z.describe('Id of the coupon, which may be deleted.')),
    code: z.string().check(z.describe('Code of the coupon as the request spelled it.')),
    order: z.string().check(z.describe("The caller's id of the order.")),
    customer: z.optional(z.string()).check(z.describe('Id of the customer, who may be deleted.')),
    amount: z
      .optional(z.number())
      .check(z.describe("Discount granted to the guest, in the merchant's currency. Stored as sent.")),
    state: z
      .enum(redemptionStates)
      .check(
        z.describe(
          '`held`: reserved until `expiresAt`. `redeemed`: counted in `timesRedeemed`. `released`: taken back. `expired`: the hold ended before it was confirmed.',
        ),
      ),
    createdAt: z.int().check(z.describe('Time of creation, in seconds since 1970-01-01 UTC.')),
    expiresAt: z
      .optional(z.int())
      .check(
        z.describe(
          'First second at which the hold has no effect, in seconds since 1970-01-01 UTC. Only with `held` and `expired`.',
        ),
      ),
  })

/** The stock of a product after an adjustment, in responses and events. */
export const createChangedStock = () =>
  z.object({
    product: z.string().check(z.describe('Id of the product.')),
    stockQuantity: z.number().check(z.describe('Number of units in stock after the adjustment.')),
    soldOut: z.boolean().check(z.describe('Whether the product is sold out after the adjustment.')),
  })

/** Data of `stock.changed`. */
export const createStockChanged = () =>
  z.object({
    reference: z.string().check(z.describe('Reference of the adjustment.')),
    reason: z.enum(stockReasons).check(z.describe('Why the stock changed.')),
    changes: z
      .array(
        z.extend(createChangedStock(), {
          version: z.int().check(z.describe('Version of the product after the adjustment.')),
          updatedAt: z
            .optional(z.int())
            .check(
              z.describe(
                'Time of the last change of the product after the adjustment, in seconds since 1970-01-01 UTC. Absent in events of earlier releases.',
              ),
            ),
        }),
      )
      .check(z.describe('The products of the adjustment.')),
  })

/** Data of `product.sold_out` and `product.back_in_stock`. */
export const createSoldOutChanged = () =>
  z.object({
    products: z.array(z.string()).check(z.describe('Ids of the products that changed.')),
    soldOut: z
      .array(z.string())
      .check(
        z.describe(
          `Ids of all products that are sold out after the change, in order. At most ${maxListedProducts.toLocaleString('en')}.`,
        ),
      ),
    truncated: z
      .boolean()
      .check(z.describe(`Whether more than ${maxListedProducts.toLocaleString('en')} products are sold out.`)),
  })

/** An option of a modifier in events. */
const createNamedOption = () =>
  z.object({
    modifier: z.string().check(z.describe('Id of the modifier.')),
    option: z.string().check(z.describe('Id of the option.')),
  })

/** Data of `option.sold_out` and `option.back_in_stock`. */
export const createOptionsSoldOut = () =>
  z.object({
    options: z.array(createNamedOption()).check(z.describe('The options that changed.')),
    soldOut: z
      .array(createNamedOption())
      .check(
        z.describe(
          `All options that are sold out after the change, in order of modifiers and options. At most ${maxListedProducts.toLocaleString('en')}.`,
        ),
      ),
    truncated: z
      .boolean()
      .check(z.describe(`Whether more than ${maxListedProducts.toLocaleString('en')} options are sold out.`)),
  })

/** Data of `coupon.redeemed` and `coupon.released`. */
export const createCouponRedemption = () =>
  z.object({
    redemption: createRedemptionView().check(z.describe('The redemption after the change.')),
    coupon: z.optional(coupons.view).check(z.describe('The coupon after the change. Absent if it is deleted.')),
  })

/** Data of `coupon.limit_reached`. */
export const createCouponLimitReached = () =>
  z.object({
    coupon: coupons.view.check(z.describe('The coupon after the redemption.')),
    maxRedemptions: z.int().check(z.describe('Number of times that the coupon can be redeemed.')),
  })

/** Data of `tag.requested` and `tag.request_done`. */
export const createTagRequested = () =>
  z.object({
    tag: z.string().check(z.describe('Id of the tag of the table.')),
    kind: z.enum(callKinds).check(z.describe('`call`: somebody is to come. `bill`: the guest wants to pay.')),
  })

/** Data of `service.paused` and `service.resumed`. */
export const createServiceChanged = () =>
  z.object({
    paused: z.boolean().check(z.describe('Whether the venue takes no orders.')),
    until: z
      .optional(z.int())
      .check(
        z.describe(
          'First second at which the venue takes orders again, in seconds since 1970-01-01 UTC. Absent until the pause is ended by a request.',
        ),
      ),
    message: z.optional(z.string()).check(z.describe('Message to guests during the pause.')),
  })

/** Data of `webhook.filter_updated`. */
export const createFilterChanged = () =>
  z.object({
    id: z.string().check(z.describe('Id of the webhook.')),
    filter: z
      .record(z.string(), z.unknown())
      .check(z.describe('The filter after the change, as `GET …/webhooks/:webhookId/filter` returns it.')),
  })

/** Values that samples share. */
export interface SampleValues {
  /** A fixed id with the prefix of a resource. */
  id: (prefix: string) => string
  /** Time of all samples, in seconds. */
  seconds: number
  /** An order, as an ordering system publishes it. */
  order: object
}

/** An option in samples. */
export const sampleOption = ({ id }: SampleValues) => ({ modifier: id('mod'), option: id('opt') })

/** A redemption in samples. */
export const sampleRedemption = ({ id, seconds }: SampleValues) =>
  ({
    id: id('red'),
    coupon: id('coup'),
    code: 'TEN',
    order: '1234',
    amount: 1.25,
    state: 'redeemed',
    createdAt: seconds,
  }) satisfies z.output<ReturnType<typeof createRedemptionView>>

/** A coupon in samples of redemptions. */
export const sampleCoupon = ({ id, seconds }: SampleValues, timesRedeemed: number) =>
  ({
    id: id('coup'),
    testMode: false,
    createdAt: seconds,
    updatedAt: seconds,
    title: 'Ten per cent off',
    code: 'TEN',
    type: 'PERCENTAGE',
    value: 10,
    active: true,
    individualUse: false,
    timesRedeemed,
    applyToAllProducts: true,
    products: [],
  }) satisfies z.output<typeof coupons.view>
