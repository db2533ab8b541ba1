import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { spread, sum } from '../../../src/checkout/quote/amounts.ts'
import type { Discount } from '../../../src/checkout/quote/discounts.ts'
import type { PricedLine } from '../../../src/checkout/quote/pools.ts'
import { priceOrder } from '../../../src/checkout/quote/price-order.ts'
import type { TaxRules } from '../../../src/checkout/quote/taxes.ts'
import { toRounds } from '../../support/rounds.ts'
import { priceAgain } from './reference-price.ts'

const runs = (numRuns: number) => ({ seed: 20_261_122, numRuns: toRounds(numRuns) })
const comparisons = toRounds(100_000)
/** In milliseconds. */
const comparisonTimeout = 300_000

/** Maximum subtotal of a line in minor units: 999 units with 100 options, 99 times each, at 1,000,000,000.00. */
const largest = 999n * (1n + 100n * 99n) * 10n ** 11n
const taxRates: Readonly<Record<string, bigint>> = { a: 190_000n, b: 0n, c: 70_000n, d: 1_000_000n, e: 77_777n }
const amount = fc.oneof(
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
const coupon = fc.record({
  kind: fc.oneof(
    percent.map((value) => ({ type: 'PERCENTAGE' as const, value })),
    amount.map((value) => ({ type: 'FIXED' as const, value })),
  ),
  maxAmount: fc.option(amount, { nil: undefined, freq: 3 }),
  isIndividual: fc.boolean().chain((maybe) => (maybe ? fc.boolean() : fc.constant(false))),
  products: fc.option(fc.subarray(['a', 'b', 'c', 'd', 'e']), { nil: undefined }),
})
type Coupon = typeof coupon extends fc.Arbitrary<infer Value> ? Value : never
const toDiscount = ({ kind, products, ...rest }: Coupon, lines: readonly PricedLine[]): Discount => ({
  ...kind,
  ...rest,
  matches: lines.map(({ product }) => products?.includes(product) ?? true),
})
const rules: fc.Arbitrary<TaxRules> = fc.record({
  isIncluded: fc.boolean(),
  rounding: fc.constantFrom('rate' as const, 'line' as const),
})
const basket = {
  lines: fc.array(line, { minLength: 1, maxLength: 6 }),
  coupons: fc.array(coupon, { maxLength: 4 }),
  rules,
}
const price = (lines: readonly PricedLine[], coupons: readonly Coupon[], rules: TaxRules) =>
  priceOrder(
    lines,
    coupons.map((each) => toDiscount(each, lines)),
    rules,
  )

const toText = (value: object) => JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each))

test(`${comparisons} random orders cost what another calculation says`, { timeout: comparisonTimeout }, () => {
  let combined = 0
  fc.assert(
    fc.property(basket.lines, basket.coupons, basket.rules, (lines, coupons, rules) => {
      const order = price(lines, coupons, rules)
      const again = priceAgain(
        lines,
        coupons.map((each) => toDiscount(each, lines)),
        rules,
      )
      if (order.chosen.size > 1) combined++
      const own = {
        total: order.total,
        lines: order.lines.map(({ total, tax, discounts }) => [total, tax, discounts]),
        taxes: order.taxes.map(({ rate, amount }) => [String(rate), amount]),
      }
      const other = {
        total: again.total,
        lines: lines.map((_, index) => [again.totals[index], again.own[index], again.taken.map((all) => all[index])]),
        taxes: Array.from(again.byRate).sort(([a], [b]) => Number(a) - Number(b)),
      }
      // A comparison of texts is fast; the assertion only shows what differs.
      if (toText(own) !== toText(other)) expect(own).toEqual(other)
    }),
    { ...runs(1), numRuns: comparisons },
  )
  expect(combined).toBeGreaterThan(comparisons / 25)
})

describe('in every order', () => {
  const holds = (check: (lines: readonly PricedLine[], coupons: readonly Coupon[], rules: TaxRules) => void) =>
    fc.assert(fc.property(basket.lines, basket.coupons, basket.rules, check), runs(4_000))

  test('lines add up to the totals, and taxes to the tax total', () =>
    holds((lines, coupons, rules) => {
      const order = price(lines, coupons, rules)
      expect(sum(order.lines.map(({ total }) => total))).toBe(order.total)
      expect(sum(order.lines.map(({ tax }) => tax))).toBe(order.taxTotal)
      expect(sum(order.taxes.map(({ amount }) => amount))).toBe(order.taxTotal)
      expect(sum(order.discounts)).toBe(order.discountTotal)
      expect(sum(order.taxes.map(({ base }) => base))).toBe(order.subtotal - order.discountTotal)
      expect(order.total).toBe(order.subtotal - order.discountTotal + (rules.isIncluded ? 0n : order.taxTotal))
    }))

  test('discounts are at most the subtotal, and nothing is negative', () =>
    holds((lines, coupons, rules) => {
      const order = price(lines, coupons, rules)
      expect(order.discountTotal).toBeLessThanOrEqual(order.subtotal)
      for (const [index, { total, tax, discounts }] of order.lines.entries()) {
        expect(sum(discounts)).toBeLessThanOrEqual(lines[index]?.subtotal ?? -1n)
        for (const value of [total, tax, ...discounts]) expect(value).toBeGreaterThanOrEqual(0n)
      }
    }))

  test('a capped discount is at most its maximum', () =>
    holds((lines, coupons, rules) => {
      const { discounts } = price(lines, coupons, rules)
      for (const [index, { maxAmount, kind }] of coupons.entries()) {
        if (maxAmount !== undefined) expect(discounts[index]).toBeLessThanOrEqual(maxAmount)
        if (kind.type === 'FIXED') expect(discounts[index]).toBeLessThanOrEqual(kind.value)
      }
    }))

  test('the same parameters give the same result', () =>
    holds((lines, coupons, rules) => {
      expect(price(lines, coupons, rules)).toEqual(price(lines, coupons, rules))
    }))

  test('the order of lines changes no total', () => {
    const shuffled = basket.lines.chain((lines) =>
      fc.record({
        lines: fc.constant(lines),
        moved: fc.shuffledSubarray(lines, { minLength: lines.length, maxLength: lines.length }),
      }),
    )
    fc.assert(
      fc.property(shuffled, basket.coupons, basket.rules, ({ lines, moved }, coupons, rules) => {
        const { lines: _, ...totals } = price(lines, coupons, rules)
        const { lines: __, ...other } = price(moved, coupons, rules)
        expect(other).toEqual(totals)
      }),
      runs(4_000),
    )
  })

  test('another coupon, at every position, never raises the total', () =>
    fc.assert(
      fc.property(basket.lines, basket.coupons, basket.rules, coupon, fc.nat(), (lines, coupons, rules, more, at) => {
        const before = price(lines, coupons, rules)
        const after = price(lines, coupons.toSpliced(at % (coupons.length + 1), 0, more), rules)
        expect(after.total).toBeLessThanOrEqual(before.total)
      }),
      runs(12_000),
    ))
})

test('a spread amount adds up, and no share exceeds its weight', () =>
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1 }), fc.nat(1_000), (weights, thousandths) => {
      const part = (sum(weights) * BigInt(thousandths)) / 1_000n
      const shares = spread(part, weights, [...weights.keys()])
      expect(sum(shares)).toBe(part)
      for (const [index, share] of shares.entries()) {
        expect(share).toBeGreaterThanOrEqual(0n)
        expect(share).toBeLessThanOrEqual(weights[index] ?? -1n)
      }
    }),
    runs(8_000),
  ))

test('200 lines with 10 coupons are exact at the largest amounts', () => {
  const lines = Array.from({ length: 200 }, (_, index): PricedLine => {
    const product = 'abcde'.charAt(index % 5)
    const taxRate = taxRates[product] ?? 0n
    return { product: `${product}${index}`, variant: '', isPooled: true, subtotal: largest - BigInt(index), taxRate }
  })
  const discounts = Array.from(
    { length: 10 },
    (_, index): Discount => ({
      type: index % 2 ? 'FIXED' : 'PERCENTAGE',
      value: index % 2 ? 10n ** 11n - BigInt(index) : BigInt(10_001 + index),
      maxAmount: index === 4 ? 10n ** 11n - 7n : undefined,
      isIndividual: false,
      matches: lines.map((_, line) => (line + index) % 3 > 0),
    }),
  )
  for (const rounding of ['rate', 'line'] as const) {
    const order = priceOrder(lines, discounts, { isIncluded: false, rounding })
    expect(order.chosen.size).toBe(10)
    expect(order.discounts.filter((_, index) => index % 2)).toEqual(
      discounts.filter((_, index) => index % 2).map(({ value }) => value),
    )
    expect(order.discounts[4]).toBe(10n ** 11n - 7n)
    expect(sum(order.lines.map(({ total }) => total))).toBe(order.total)
    expect(order.total).toBe(order.subtotal - order.discountTotal + order.taxTotal)
  }
})
