import fc from 'fast-check'
import type { ChargeRules } from '../../../src/checkout/quote/charges/charges.ts'
import type { Discount } from '../../../src/checkout/quote/discounts.ts'
import type { PricedLine } from '../../../src/checkout/quote/pools.ts'
import { priceOrder } from '../../../src/checkout/quote/price-order.ts'
import type { TaxRules } from '../../../src/checkout/quote/taxes.ts'

/** Maximum subtotal of a line in minor units: 999 units with 100 options, 99 times each, at 1,000,000,000.00. */
export const largest = 999n * (1n + 100n * 99n) * 10n ** 11n
export const taxRates: Readonly<Record<string, bigint>> = { a: 190_000n, b: 0n, c: 70_000n, d: 1_000_000n, e: 77_777n }
export const amount = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt({ min: 0n, max: 40n }) },
  { weight: 3, arbitrary: fc.bigInt({ min: 0n, max: 10_000n }) },
  { weight: 2, arbitrary: fc.bigInt({ min: 0n, max: 1_000_000n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: largest }) },
)
/** Bundles whose price is split over the tax rates of their parts. */
const splits: Readonly<Record<string, NonNullable<PricedLine['taxShares']>>> = {
  d: [
    { rate: 0n, weight: 10_000n },
    { rate: 70_000n, weight: 35_000n },
    { rate: 190_000n, weight: 12_345n },
  ],
  e: [{ rate: 190_000n, weight: 7n }],
}
const line = fc
  .record({
    product: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    subtotal: amount,
    variant: fc.constantFrom('', 'split', 'x'),
  })
  .map(({ product, subtotal, variant }): PricedLine => {
    const taxShares = variant === 'split' ? splits[product] : undefined
    return {
      product,
      variant,
      // One product is sold by weight.
      isPooled: product !== 'b',
      subtotal,
      taxRate: taxRates[product] ?? 0n,
      ...(taxShares && { taxShares }),
    }
  })
const percent = fc.oneof(
  fc.constantFrom(100_000n, 333_333n, 500_000n, 1_000_000n),
  fc.bigInt({ min: 1n, max: 1_000_000n }),
)
/** A coupon before it meets an order: `products` are those that it applies to, undefined all. */
export const coupon = fc.record({
  kind: fc.oneof(
    percent.map((value) => ({ type: 'PERCENTAGE' as const, value })),
    amount.map((value) => ({ type: 'FIXED' as const, value })),
  ),
  maxAmount: fc.option(amount, { nil: undefined, freq: 3 }),
  isIndividual: fc.boolean().chain((maybe) => (maybe ? fc.boolean() : fc.constant(false))),
  products: fc.option(fc.subarray(['a', 'b', 'c', 'd', 'e']), { nil: undefined }),
})
export type Coupon = typeof coupon extends fc.Arbitrary<infer Value> ? Value : never
export const toDiscount = ({ kind, products, ...rest }: Coupon, lines: readonly PricedLine[]): Discount => ({
  ...kind,
  ...rest,
  matches: lines.map(({ product }) => products?.includes(product) ?? true),
})
const rules: fc.Arbitrary<TaxRules> = fc.record({
  isIncluded: fc.boolean(),
  rounding: fc.constantFrom('rate' as const, 'line' as const),
})
/** Up to four charges, among them fixed ones that follow the rates of the lines. */
const charged: fc.Arbitrary<ChargeRules> = fc.record({
  charges: fc.array(
    fc
      .record({
        kind: fc.oneof(
          percent.map((value) => ({ type: 'PERCENTAGE' as const, value })),
          amount.map((value) => ({ type: 'FIXED' as const, value })),
        ),
        taxRate: fc.option(fc.constantFrom(0n, 70_000n, 190_000n, 1_000_000n), { nil: undefined }),
      })
      .map(({ kind, taxRate }) => ({ ...kind, taxRate })),
    { maxLength: 4 },
  ),
  taxRate: fc.constantFrom(0n, 190_000n, 1_000_000n),
})
export const basket = {
  charged,
  lines: fc.array(line, { minLength: 1, maxLength: 6 }),
  coupons: fc.array(coupon, { maxLength: 4 }),
  rules,
}
export const price = (
  lines: readonly PricedLine[],
  coupons: readonly Coupon[],
  rules: TaxRules,
  charged?: ChargeRules,
) =>
  priceOrder(
    lines,
    coupons.map((each) => toDiscount(each, lines)),
    rules,
    charged,
  )
