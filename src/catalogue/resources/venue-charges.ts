import * as z from 'zod/mini'
import * as field from '../../platform/http/fields.ts'
import { getOwn, isObject } from '../../platform/lib/schema-guard.ts'
import { maxLanguages } from '../resource/details/details-definition.ts'
import { createOrderTypes, type OrderType, orderTypesView } from './details/order-types.ts'
import { createTranslations } from './details/translations.ts'

const { limits } = field

const kinds = ['service', 'packaging', 'delivery', 'other'] as const
const types = ['PERCENTAGE', 'FIXED'] as const
const bases = ['order', 'item'] as const

const titleText = field.title.check(z.describe('Name of the charge, as guests read it.'))
const getId = (charge: unknown) => {
  const id = isObject(charge) ? getOwn(charge, 'id') : undefined
  return typeof id === 'string' ? id : undefined
}

const charge = z
  .strictObject({
    id: z
      .nullish(field.ownId)
      .check(
        z.describe(
          'Id, unique among the charges. Default: that of the stored charge with the same title, or a new one.',
        ),
      ),
    title: titleText,
    translations: createTranslations(z.strictObject({ title: titleText }), 'Name of the charge').check(
      field.rules((translations) =>
        Object.keys(translations ?? {}).length > maxLanguages
          ? { code: 'too_many', message: `must have at most ${maxLanguages} languages` }
          : undefined,
      ),
    ),
    kind: z.enum(kinds).check(z.describe('Purpose of the charge. It has no effect on amounts.')),
    type: z
      .enum(types)
      .check(z.describe('`PERCENTAGE`: of what is left of all lines after discounts. `FIXED`: an amount.')),
    value: field.amount.check(
      z.describe(
        "Percentage, at most 100, or amount in the merchant's currency, before taxes that prices do not include.",
      ),
    ),
    per: z
      .nullish(z.enum(bases))
      .check(
        z.describe(
          'Basis of an amount: `order`, once; `item`, for each unit of the lines. A line by weight or volume is one unit, and so is each bundle. A percentage is of the `order`. Default: `order`.',
        ),
      ),
    orderTypes: createOrderTypes('Order types that have the charge. Absent: all.'),
    minGuests: z
      .nullish(field.integer(1, limits.guests))
      .check(z.describe('Minimum number of guests for which the charge applies. Absent: 1.')),
    taxable: z.nullish(field.boolean).check(z.describe('Whether the charge is taxed. Default: `true`.')),
    taxRate: z
      .nullish(field.taxRate)
      .check(
        z.describe(
          'Tax rate in percent: 19 is 19 %. Absent: the tax rates of the lines, in proportion to what is left of them after discounts; if nothing is left, that of the merchant for the order type.',
        ),
      ),
    optional: z
      .nullish(field.boolean)
      .check(
        z.describe('Whether the charge applies only if `optionalCharges` of the quote names it. Default: `false`.'),
      ),
  })
  .check(({ value, issues }) => {
    if (value.type !== 'PERCENTAGE') return
    const report = (path: string, code: string, message: string) =>
      issues.push({ code: 'custom', params: { code }, message, input: value, path: [path] })
    if (value.per === 'item') report('per', 'conflict', 'must be order for a percentage')
    if (value.value > 100) report('value', 'too_large', 'must be at most 100')
  })

/** Body of a request that replaces the charges. */
export const chargesFields = z.strictObject({
  charges: field
    .uniqueList(charge, limits.charges, getId)
    .check(z.describe('All charges, in the order in which quotes and menus list them. Replaces those before.')),
})

/** A charge as stored and shown. */
export const chargeView = z.object({
  id: z.string(),
  title: z.string(),
  translations: z.optional(z.record(z.string(), z.object({ title: z.string() }))),
  kind: z.enum(kinds),
  type: z.enum(types),
  value: z.number(),
  per: z.enum(bases),
  orderTypes: orderTypesView,
  minGuests: z.optional(z.int()),
  taxable: z.boolean(),
  taxRate: z.optional(z.number()),
  optional: z.boolean(),
})
export type VenueCharge = z.output<typeof chargeView>
export const chargeList = z.array(chargeView)

/** Whether an order of a type with a number of guests can have a charge. */
export const isChargeOffered = ({ orderTypes, minGuests = 1 }: VenueCharge, type: OrderType, guests: number) =>
  (orderTypes?.includes(type) ?? true) && guests >= minGuests
