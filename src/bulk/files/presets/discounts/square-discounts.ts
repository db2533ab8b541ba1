import type { Preset } from '../preset.ts'

/** Discounts of the catalog of Square, as programs list them. They have no code, so that the file raises the question which column is the code. */
export const squareDiscounts: Preset = {
  name: 'square_discounts',
  resource: 'coupons',
  marks: [
    ['Name', 'name'],
    ['DiscountType', 'Discount Type', 'discount_type'],
    ['Percentage', 'percentage'],
    ['Amount', 'amount', 'amount_money'],
  ],
  hasDecimalPoint: true,
  columns: {
    ...{ Name: 'title', name: 'title', DiscountType: 'type', 'Discount Type': 'type', discount_type: 'type' },
    ...{ Percentage: 'percent', percentage: 'percent', Amount: 'amount', amount: 'amount', amount_money: 'amount' },
    ...{
      MaximumAmount: 'limits.maxDiscount',
      maximum_amount_money: 'limits.maxDiscount',
      Id: 'key',
      id: 'key',
      Token: 'key',
    },
    ...{ Currency: null, PinRequired: null, LabelColor: null, UpdatedAt: null, IsDeleted: null },
  },
}
