import type { QuoteData, QuotedCoupon } from '../../../../src/checkout/quote/load-quote.ts'
import { type createRandom, sizeModifier, type TestVenue } from './random-basket.ts'

/** A test venue as the service reads it. */
export function toQuoteData({ rate, typeRates, isIncluded, rounding, modifiers, products }: TestVenue): QuoteData {
  const merchantId = 'mer_test'
  const rules = { enableOptionQuantity: true }
  return {
    venue: {
      currency: null,
      timezone: 'UTC',
      pricesIncludeTax: isIncluded,
      taxRate: rate,
      taxRounding: rounding,
      taxRates: typeRates,
      cashRounding: null,
      openingHours: undefined,
      closures: undefined,
      specialHours: undefined,
      hoursClose: true,
    },
    products: new Map(
      products.map((product) => [
        product.id,
        {
          id: product.id,
          merchantId,
          title: product.id,
          price: product.price,
          visible: true,
          taxable: product.isTaxable,
          useCustomTaxRate: product.rate !== undefined,
          taxRate: product.rate ?? null,
          manageStock: false,
          stockQuantity: null,
          soldOutUntil: null,
          modifiers: [...product.modifiers],
          details: {
            sizes: product.sizes && {
              modifier: sizeModifier,
              prices: Object.fromEntries(
                Object.entries(product.sizes).map(([size, price]) => [
                  size,
                  { price, deposit: product.sizeDeposits[size] },
                ]),
              ),
            },
            modifierRules: new Map(),
            bundle: product.groups && {
              groups: product.groups.map(({ id, items }) => ({ id, title: id, min: 0, max: 20, items: [...items] })),
              splitTax: product.isSplit,
            },
            soldBy: product.isByWeight ? { unit: 'kg' as const } : undefined,
            ageLimit: undefined,
            taxRates: product.typeRates,
            deposit: product.deposit,
          },
        },
      ]),
    ),
    modifiers: new Map(
      modifiers.map(({ id, isHighest, options }) => [
        id,
        {
          id,
          merchantId,
          type: id === sizeModifier ? ('RADIO' as const) : ('CHECKBOX' as const),
          rules,
          options: options.map((option) => ({ id: option.id, additionalCost: option.cost })),
          optionCount: options.length,
          soldOut: new Set<string>(),
          nests: options.some((option) => option.modifiers.length > 0),
          damages: [],
          isDamaged: false,
          details: {
            min: undefined,
            max: undefined,
            isHighest,
            options: Object.fromEntries(options.map((option) => [option.id, { modifiers: [...option.modifiers] }])),
            sizedCosts: Object.fromEntries(options.map((option) => [option.id, { ...option.sized }])),
            limits: {},
          },
        },
      ]),
    ),
    soldOutOptions: new Map(),
    coupons: new Map(),
    automatic: [],
    charges: [],
    isCustomerKnown: false,
    menu: undefined,
    servingMenus: [],
    service: undefined,
  }
}

/** Up to four coupons of a test venue by code, or one with the given fields. */
export function createCoupons(
  { chance, integer, amount, some }: ReturnType<typeof createRandom>,
  { products }: TestVenue,
  only?: Pick<QuotedCoupon, 'type' | 'value'>,
): ReadonlyMap<string, QuotedCoupon> {
  const create = (code: string): [string, QuotedCoupon] => {
    const isPercentage = chance(0.6)
    const coupon = {
      id: code,
      merchantId: 'mer_test',
      key: code,
      isSingleUse: 0,
      isCodeUsed: 0,
      code,
      codesOnly: null,
      days: undefined,
      orderTypes: undefined,
      begin: null,
      end: null,
      type: isPercentage ? ('PERCENTAGE' as const) : ('FIXED' as const),
      value: isPercentage ? integer(1, 10_000) / 100 : amount(0, 9),
      active: true,
      minimumOrderAmount: chance(0.2) ? amount(1, 30) : null,
      individualUse: chance(0.15),
      timesRedeemed: 0,
      applyToAllProducts: chance(0.5),
      products: some(products, 0.5).map(({ id }) => id),
      startsAt: null,
      endsAt: null,
      maxRedemptions: null,
      maxRedemptionsPerCustomer: null,
      maxDiscount: chance(0.3) ? amount(0, 5) : null,
      held: 0,
      ofCustomer: 0,
    }
    if (!only) return [code, coupon]
    return [code, { ...coupon, ...only, minimumOrderAmount: null, applyToAllProducts: true, maxDiscount: null }]
  }
  return new Map(Array.from({ length: only ? 1 : integer(0, 4) }, (_, n) => create(`c${n}`)))
}
