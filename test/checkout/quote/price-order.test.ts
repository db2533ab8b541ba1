import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { spread, sum } from '../../../src/checkout/quote/amounts.ts'
import type { ChargeRules } from '../../../src/checkout/quote/charges/charges.ts'
import type { Discount } from '../../../src/checkout/quote/discounts.ts'
import type { PricedLine } from '../../../src/checkout/quote/pools.ts'
import { priceOrder } from '../../../src/checkout/quote/price-order.ts'
import type { TaxRules } from '../../../src/checkout/quote/taxes.ts'
import { toRounds } from '../../support/rounds.ts'
import { amount, basket, type Coupon, coupon, largest, price, taxRates, toDiscount } from './random-orders.ts'
import { priceAgain } from './reference-price.ts'

const runs = (numRuns: number) => ({ seed: 20_261_122, numRuns: toRounds(numRuns) })
const comparisons = toRounds(32_000)
/** In milliseconds. */
const comparisonTimeout = 300_000

const toText = (value: object) => JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each))

test(`${comparisons} random orders cost what another calculation says`, { timeout: comparisonTimeout }, () => {
  let [combined, shifted] = [0, 0]
  fc.assert(
    fc.property(basket.lines, basket.coupons, basket.rules, basket.charged, (lines, coupons, rules, charged) => {
      const order = price(lines, coupons, rules, charged)
      const again = priceAgain(
        lines,
        coupons.map((each) => toDiscount(each, lines)),
        rules,
        charged,
      )
      if (order.chosen.size > 1) combined++
      if (order.chosen.size < coupons.length && coupons.every(({ isIndividual }) => !isIndividual)) shifted++
      const own = {
        total: order.total,
        lines: order.lines.map(({ total, tax, discounts }) => [total, tax, discounts]),
        taxes: order.taxes.map(({ rate, amount }) => [String(rate), amount]),
        charges: order.charges.map(({ amount, tax }) => [amount, tax]),
      }
      const other = {
        total: again.total,
        lines: lines.map((_, index) => [again.totals[index], again.own[index], again.taken.map((all) => all[index])]),
        taxes: Array.from(again.byRate).sort(([a], [b]) => Number(a) - Number(b)),
        charges: again.charges.map((amount, index) => [amount, again.ofCharges[index]]),
      }
      // A comparison of texts is fast; the assertion only shows what differs.
      if (toText(own) !== toText(other)) expect(own).toEqual(other)
    }),
    { ...runs(1), numRuns: comparisons },
  )
  expect(combined).toBeGreaterThan(comparisons / 25)
  expect(shifted).toBeGreaterThan(comparisons / 1_000)
})

describe('in every order', () => {
  type Check = (lines: readonly PricedLine[], coupons: readonly Coupon[], rules: TaxRules, charged: ChargeRules) => void
  const holds = (check: Check) =>
    fc.assert(fc.property(basket.lines, basket.coupons, basket.rules, basket.charged, check), runs(4_000))

  test('lines add up to the totals, and taxes to the tax total', () =>
    holds((lines, coupons, rules, charged) => {
      const order = price(lines, coupons, rules, charged)
      const added = order.charges.map(({ amount, tax }) => amount + (rules.isIncluded ? 0n : tax))
      expect(sum(order.lines.map(({ total }) => total)) + sum(added)).toBe(order.total)
      expect(sum([...order.lines, ...order.charges].map(({ tax }) => tax))).toBe(order.taxTotal)
      expect(sum(order.taxes.map(({ amount }) => amount))).toBe(order.taxTotal)
      expect(sum(order.discounts)).toBe(order.discountTotal)
      const base = order.subtotal - order.discountTotal + sum(order.charges.map(({ amount }) => amount))
      expect(sum(order.taxes.map(({ base }) => base))).toBe(base)
      expect(order.total).toBe(base + (rules.isIncluded ? 0n : order.taxTotal))
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
      fc.property(
        shuffled,
        basket.coupons,
        basket.rules,
        basket.charged,
        ({ lines, moved }, coupons, rules, charged) => {
          const { lines: _, ...totals } = price(lines, coupons, rules, charged)
          const { lines: __, ...other } = price(moved, coupons, rules, charged)
          expect(other).toEqual(totals)
        },
      ),
      runs(4_000),
    )
  })

  test('another coupon, at every position, never raises the total', () =>
    fc.assert(
      fc.property(fc.record(basket), coupon, fc.nat(), ({ lines, coupons, rules, charged }, more, at) => {
        const before = price(lines, coupons, rules, charged)
        const after = price(lines, coupons.toSpliced(at % (coupons.length + 1), 0, more), rules, charged)
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
