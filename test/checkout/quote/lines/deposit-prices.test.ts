import { expect, test } from 'vitest'
import { createQuote } from '../../../../src/checkout/quote/create-quote.ts'
import type { QuoteRequest } from '../../../../src/checkout/quote/quote-request.ts'
import { toRounds } from '../../../support/rounds.ts'
import { createBasket, createRandom, createTestVenue, type TestVenue } from './random-basket.ts'
import { priceDeposits } from './reference-deposits.ts'
import { createCoupons, toQuoteData } from './stored-venue.ts'

const orders = toRounds(32_000)
/** In milliseconds. */
const timeout = 300_000

/** Text of a number with decimals, as an integer of its last place. */
function toMinor(text: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

function createReturns({ chance, integer, pick }: ReturnType<typeof createRandom>, { products }: TestVenue) {
  return Array.from({ length: integer(0, 3) }).flatMap(() =>
    pick(products).map(({ id, sizes }) => ({
      product: id,
      quantity: integer(1, 9),
      ...(sizes && chance(0.7) ? { size: ['s', 'm', 'l'][integer(0, 2)] } : {}),
    })),
  )
}

test(`${orders} random orders with deposits, returns and tips cost what another calculation says`, { timeout }, () => {
  const seen = { sold: 0, returned: 0, negative: 0, tips: 0, capped: 0 }
  let venue = createTestVenue(createRandom(1))
  for (let round = 0; round < orders; round++) {
    const random = createRandom(round + 7)
    if (round % 16 === 0) venue = createTestVenue(random)
    const { decimals, orderType } = venue
    const coupons = createCoupons(random, venue)
    const data = { ...toQuoteData(venue), coupons }
    data.venue.currency = ({ 0: 'JPY', 2: 'EUR', 3: 'KWD' } as const)[decimals]
    const returns = createReturns(random, venue)
    const items = returns.length > 0 && random.chance(0.2) ? [] : createBasket(random, venue)
    const percent = random.integer(0, 2_500) / 100
    const tip = random.chance(0.5) ? { percent } : undefined
    const request: QuoteRequest = { items, coupons: [...coupons.keys()], orderType }
    // Costs of lines and discounts without the rest: deposits change none of them.
    const plain = createQuote({ ...request, coupons: items.length > 0 ? [...coupons.keys()] : [] }, data, 0)
    const bare = {
      ...data,
      products: new Map(
        [...data.products].map(([id, each]) => [id, { ...each, details: { ...each.details, deposit: undefined } }]),
      ),
    }
    const quote = createQuote({ ...request, returns, tip }, data, 0)
    const again = priceDeposits(venue, items, returns)
    const taken = again.deposits.reduce((all, { amount }) => all + amount, 0n)
    const taxed = again.taxes.reduce((all, { amount }) => all + amount, 0n)
    const own = priceDeposits(venue, items, [])
    const ownTotal =
      own.deposits.reduce((all, { amount }) => all + amount, 0n) +
      (venue.isIncluded ? 0n : own.taxes.reduce((all, { amount }) => all + amount, 0n))
    const lines = toMinor(plain.total.text, decimals) - ownTotal
    const tipped = tip && (2n * lines * BigInt(Math.round(percent * 10_000)) + 1_000_000n) / 2_000_000n
    const total = lines + taken + (venue.isIncluded ? 0n : taxed) + (tipped ?? 0n)
    const shown = {
      deposits: (quote.deposits ?? []).map(({ product, size, quantity, amount }) => [
        product,
        size,
        quantity,
        toMinor(amount.text, decimals),
      ]),
      taxes: quote.taxes
        .filter((each) => 'deposit' in each)
        .map(({ rate, base, amount }) => [
          toMinor(rate.text, 4),
          toMinor(base.text, decimals),
          toMinor(amount.text, decimals),
        ]),
      tip: quote.tip && toMinor(quote.tip.text, decimals),
      total: toMinor(quote.total.text, decimals),
    }
    const expected = {
      deposits: again.deposits.map(({ product, size, quantity, amount }) => [product, size, quantity, amount]),
      taxes: again.taxes.map(({ rate, base, amount }) => [rate, base, amount]),
      tip: tipped,
      total,
    }
    const toText = (value: object) => JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each))
    if (toText(shown) !== toText(expected)) expect([round, shown]).toEqual([round, expected])
    // Discounts never touch deposits: they are those of the same order without any.
    const without = createQuote(request, bare, 0)
    if (quote.discountTotal.text !== without.discountTotal.text || quote.subtotal.text !== without.subtotal.text)
      expect([round, quote.discountTotal]).toEqual([round, without.discountTotal])
    if (own.deposits.length > 0) seen.sold++
    if (again.deposits.some(({ quantity }) => quantity < 0)) seen.returned++
    if (total < 0n) seen.negative++
    if (total < 0n && returns.length === 0) expect(round).toBe(-1)
    if (tipped) seen.tips++
    if (taken !== 0n && quote.discountTotal.text !== '0') seen.capped++
  }
  for (const [what, count] of Object.entries(seen)) expect([what, count > orders / 50]).toEqual([what, true])
})
