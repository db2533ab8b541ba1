import * as z from 'zod/mini'
import * as field from '../../../platform/http/fields.ts'

/** How an order is consumed. */
export const orderTypes = ['dine_in', 'takeaway', 'delivery'] as const
export type OrderType = (typeof orderTypes)[number]

/** Type of an order that names none. */
export const defaultOrderType = 'dine_in' satisfies OrderType

/** Order types with a field of a tax rate of their own. */
interface TaxRates {
  takeaway?: number | undefined
  delivery?: number | undefined
}

const rate = (description: string) => z.nullish(field.taxRate).check(z.describe(description))

/** Field for tax rates by order type. */
export const createTaxRates = (description: string) =>
  z
    .nullish(
      z.strictObject({
        takeaway: rate('Tax rate of takeaway in percent: 19 is 19 %.'),
        delivery: rate('Tax rate of delivery in percent: 19 is 19 %. Absent: that of takeaway.'),
      }),
    )
    .check(z.describe(description))

/** Tax rates by order type, as stored and shown. */
export const taxRatesView = z.optional(z.object({ takeaway: z.optional(z.number()), delivery: z.optional(z.number()) }))

/** Field for the order types to which something is limited. */
export const createOrderTypes = (description: string) =>
  z
    .nullish(
      field
        .set(z.enum(orderTypes), orderTypes.length)
        .check(
          field.rules((types) => (types.length > 0 ? undefined : { code: 'too_short', message: 'must have a type' })),
        ),
    )
    .check(z.describe(description))

export const orderTypesView = z.optional(z.array(z.enum(orderTypes)))

/** The tax rate of an order type. Undefined without one. Delivery has that of takeaway if it has none of its own. */
export function getRateOfType({ takeaway, delivery }: TaxRates = {}, type: OrderType): number | undefined {
  if (type === 'dine_in') return undefined
  return type === 'delivery' ? (delivery ?? takeaway) : takeaway
}
