import { expect, test } from 'vitest'
import type { VenueCharge } from '../../../../src/catalogue/resources/venue-charges.ts'
import { createQuote } from '../../../../src/checkout/quote/create-quote.ts'
import type { Discount } from '../../../../src/checkout/quote/discounts.ts'
import type { QuotedCoupon } from '../../../../src/checkout/quote/load-quote.ts'
import type { PricedLine } from '../../../../src/checkout/quote/pools.ts'
import type { QuoteItem, QuoteRequest } from '../../../../src/checkout/quote/quote-request.ts'
import { toRounds } from '../../../support/rounds.ts'
import { createRandom, createTestVenue, type TestVenue } from '../lines/random-basket.ts'
import { priceDeposits } from '../lines/reference-deposits.ts'
import { priceLines } from '../lines/reference-dish.ts'
import { createCoupons } from '../lines/stored-venue.ts'
import { priceAgain } from '../reference-price.ts'
import { createOrder, createOrderData } from './random-order.ts'
import { chargesOf, createCharges } from './reference-charges.ts'

const orders = toRounds(32_000)
/** In milliseconds. */
const timeout = 1_200_000

/** An amount as an integer of the last decimal place, half away from zero. */
function minorOf(value: number, decimals: number): bigint {
  const exact = BigInt(value.toFixed(4).replace('.', ''))
  const unit = 10n ** BigInt(4 - decimals)
  return exact / unit + (2n * (exact % unit) >= unit ? 1n : 0n)
}
const total = (amounts: readonly bigint[]) => amounts.reduce((all, amount) => all + amount, 0n)

/** The discounts of the coupons whose minimum is met and that lower the order, in the order of the codes. */
function discountsOf(
  coupons: Iterable<QuotedCoupon>,
  lines: readonly PricedLine[],
  items: readonly QuoteItem[],
  { products, decimals }: TestVenue,
): Discount[] {
  const subtotal = total(lines.map((line) => line.subtotal))
  const isKnown = (id: string) => products.some((product) => product.id === id)
  return [...coupons].flatMap((coupon) => {
    if (subtotal < minorOf(coupon.minimumOrderAmount ?? 0, decimals)) return []
    const matches = items.map(
      ({ product }) => isKnown(product) && (coupon.applyToAllProducts || coupon.products.includes(product)),
    )
    const value = coupon.type === 'FIXED' ? minorOf(coupon.value, decimals) : minorOf(coupon.value, 4)
    const maxAmount = coupon.maxDiscount === null ? undefined : minorOf(coupon.maxDiscount, decimals)
    return [{ type: coupon.type, value, maxAmount, isIndividual: coupon.individualUse, matches }]
  })
}

/** The amounts of an order, from the contract: lines, coupons, charges, taxes, deposits, tip, cash. */
function priceOrderAgain(
  venue: TestVenue,
  request: QuoteRequest,
  coupons: Iterable<QuotedCoupon>,
  charges: readonly VenueCharge[],
  step: number,
) {
  const { items } = request
  const lines = priceLines(venue, items, false)
  const discounts = discountsOf(coupons, lines, items, venue)
  const chosen = chargesOf(venue, request, charges)
  const priced = priceAgain(lines, discounts, venue, chosen.rules)
  const deposits = priceDeposits(venue, items, request.returns ?? [])
  const tip = request.tip?.percent
  const tipped = typeof tip === 'number' ? (2n * priced.total * minorOf(tip, 4) + 1_000_000n) / 2_000_000n : undefined
  const ofDeposits = total(deposits.deposits.map(({ amount }) => amount))
  const depositTax = total(deposits.taxes.map(({ amount }) => amount))
  const sum = priced.total + ofDeposits + (venue.isIncluded ? 0n : depositTax) + (tipped ?? 0n)
  const size = minorOf(step, venue.decimals)
  const cash = (2n * (sum < 0n ? -sum : sum) + size) / (2n * size)
  return {
    charges: chosen.ids.map((id, index) => [id, priced.charges[index], priced.ofCharges[index]]),
    discountTotal: total(priced.taken.flat()),
    taxTotal: total([...priced.byRate.values()]) + depositTax,
    tip: tipped,
    total: sum,
    cashTotal: cash * size * (sum < 0n ? -1n : 1n),
  }
}

const toText = (value: object) => JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each))

test(`${orders} whole orders cost what another calculation says`, { timeout }, () => {
  const seen = { charged: 0, split: 0, wanted: 0, discounted: 0, tipped: 0, cash: 0, empties: 0, takeaway: 0 }
  let venue = createTestVenue(createRandom(3))
  for (let round = 0; round < orders; round++) {
    const random = createRandom(round + 11)
    if (round % 16 === 0) venue = createTestVenue(random)
    const { decimals, orderType } = venue
    const coupons = createCoupons(random, venue)
    const charges = createCharges(random)
    const { data, step } = createOrderData(random, venue, { coupons, charges })
    const request = createOrder(random, venue, coupons.keys(), charges)
    const quote = createQuote(request, data, 0)
    const minor = ({ text }: { text: string }) => {
      const [whole = '', fraction = ''] = text.split('.')
      return BigInt(whole + fraction.padEnd(decimals, '0'))
    }
    const own = {
      charges: (quote.charges ?? []).map(({ id, amount, tax }) => [id, minor(amount), minor(tax)]),
      discountTotal: minor(quote.discountTotal),
      taxTotal: minor(quote.taxTotal),
      tip: quote.tip && minor(quote.tip),
      total: minor(quote.total),
      cashTotal: quote.cashTotal && minor(quote.cashTotal),
    }
    const again = priceOrderAgain(venue, request, coupons.values(), charges, step)
    // A comparison of texts is fast; the assertion only shows what differs.
    if (toText(own) !== toText(again)) expect([round, own]).toEqual([round, again])
    if (own.charges.length > 0) seen.charged++
    if (quote.charges?.some(({ taxes }) => taxes)) seen.split++
    if (charges.some(({ id, optional }) => optional && own.charges.some(([charge]) => charge === id))) seen.wanted++
    if (own.discountTotal > 0n && own.charges.length > 0) seen.discounted++
    if (own.tip) seen.tipped++
    if (own.cashTotal !== own.total) seen.cash++
    if (request.items.length === 0) seen.empties++
    if (orderType !== 'dine_in') seen.takeaway++
  }
  for (const [what, count] of Object.entries(seen)) expect([what, count > orders / 50]).toEqual([what, true])
})
