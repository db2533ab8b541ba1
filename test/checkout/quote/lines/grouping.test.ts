import { expect, test } from 'vitest'
import { createQuote } from '../../../../src/checkout/quote/create-quote.ts'
import type { QuoteItem, QuoteRequest } from '../../../../src/checkout/quote/quote-request.ts'
import { toRounds } from '../../../support/rounds.ts'
import { createOrder, createOrderData } from '../orders/random-order.ts'
import { createCharges } from '../orders/reference-charges.ts'
import { createRandom, createTestVenue } from './random-basket.ts'
import { createCoupons, toQuoteData } from './stored-venue.ts'

type Random = ReturnType<typeof createRandom>

/** The same units in other lines: some lines are split, and all are shuffled. Lines sold by weight stay as they are. */
function regroup({ chance, integer }: Random, items: readonly QuoteItem[]): QuoteItem[] {
  const split = items.flatMap((item): QuoteItem[] => {
    if (!Number.isInteger(item.quantity) || item.product === 'w' || item.quantity < 2 || chance(0.2)) return [item]
    if (chance(0.3)) return Array.from({ length: item.quantity }, () => ({ ...item, quantity: 1 }))
    const first = integer(1, item.quantity - 1)
    return [first, item.quantity - first].map((quantity) => ({ ...item, quantity }))
  })
  return split
    .map((item) => ({ item: { ...item, options: [...(item.options ?? [])].reverse() }, at: integer(0, 1_000) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

const toText = (value: unknown) => JSON.stringify(value)

/** Returned deposits in other lines. */
const regroupReturns = ({ chance, integer }: Random, returns: QuoteRequest['returns']) =>
  (returns ?? [])
    .flatMap((line) => {
      const first = line.quantity < 2 || chance(0.3) ? 0 : integer(1, line.quantity - 1)
      const parts = [first, line.quantity - first].filter((quantity) => quantity > 0)
      return parts.map((quantity) => ({ ...line, quantity }))
    })
    .reverse()

test('splitting quantities, grouping units into lines and their order change no total', () => {
  const seen = { changed: 0, charged: 0, tipped: 0, deposits: 0, returned: 0 }
  const rounds = toRounds(24_000)
  for (let round = 0; round < rounds; round++) {
    const random = createRandom(round)
    const venue = createTestVenue(random)
    const coupons = createCoupons(random, venue)
    const charges = createCharges(random)
    const codes = [...coupons.keys()]
    // Tax that is rounded in each line depends on the lines, and with it which of several coupons are cheapest.
    const isByLine = venue.rounding === 'line'
    if (isByLine && !venue.isIncluded) codes.splice(1)
    const { data } = createOrderData(random, venue, { coupons, charges })
    const order = createOrder(random, venue, codes, charges)
    const price = (request: QuoteRequest) => {
      const quote = createQuote(request, data, 0)
      const { coupons: outcomes, deposits, taxes, subtotal, discountTotal, taxTotal, total, tip, cashTotal } = quote
      if (quote.charges && deposits) seen.charged++
      if (tip) seen.tipped++
      if (deposits) seen.deposits++
      const charged = (quote.charges ?? []).map(({ id, amount }) => [id, amount.text])
      const amounts = (deposits ?? []).map(({ product, size, quantity, amount }) =>
        [product, size ?? '', quantity, amount.text].join(' '),
      )
      const sums = { outcomes, subtotal, discountTotal, charged, amounts: amounts.sort() }
      if (!isByLine) return { ...sums, charges: quote.charges, taxes, taxTotal, tip, total, cashTotal }
      return venue.isIncluded ? { ...sums, tip, total, cashTotal } : sums
    }
    const other = {
      ...order,
      items: regroup(random, order.items),
      returns: regroupReturns(random, order.returns),
    }
    if (other.items.length > order.items.length) seen.changed++
    if (other.returns.length > (order.returns ?? []).length) seen.returned++
    const [before, after] = [price(order), price(other)]
    if (toText(before) !== toText(after)) expect([round, after]).toEqual([round, before])
  }
  expect(seen.changed).toBeGreaterThan(rounds / 3)
  for (const [what, count] of Object.entries(seen)) expect([what, count > rounds / 50]).toEqual([what, true])
})

test('100 coffees at 0.05 less 15 % cost 4.25 however they are grouped', () => {
  const venue = { ...createTestVenue(createRandom(1)), decimals: 2 as const, isIncluded: true, menu: [] }
  const [coffee] = venue.products
  const data = toQuoteData({ ...venue, products: coffee ? [{ ...coffee, price: 0.05 }] : [] })
  const coupons = createCoupons(createRandom(1), venue, { type: 'PERCENTAGE', value: 15 })
  const total = (items: QuoteItem[]) => {
    const quote = createQuote({ items, coupons: [...coupons.keys()] }, { ...data, coupons }, 0)
    return [quote.subtotal.text, quote.discountTotal.text, quote.total.text]
  }
  const one = { product: 'a', quantity: 1 }
  for (const items of [
    [{ ...one, quantity: 100 }],
    Array.from({ length: 100 }, () => one),
    [{ ...one, quantity: 99 }, one],
  ]) {
    expect(total(items)).toEqual(['5', '0.75', '4.25'])
  }
})
