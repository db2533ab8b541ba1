import { expect, test } from 'vitest'
import { createQuote } from '../../../../src/checkout/quote/create-quote.ts'
import type { QuoteItem } from '../../../../src/checkout/quote/quote-request.ts'
import { toRounds } from '../../../support/rounds.ts'
import { createBasket, createRandom, createTestVenue } from './random-basket.ts'
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

test('splitting quantities, grouping units into lines and their order change no total', () => {
  let changed = 0
  for (let round = 0; round < toRounds(24_000); round++) {
    const random = createRandom(round)
    const venue = createTestVenue(random)
    const items = createBasket(random, venue)
    const coupons = createCoupons(random, venue)
    const data = { ...toQuoteData(venue), coupons }
    const codes = [...coupons.keys()]
    // Tax that is rounded in each line depends on the lines, and with it which of several coupons are cheapest.
    const isByLine = venue.rounding === 'line'
    if (isByLine && !venue.isIncluded) codes.splice(1)
    const price = (lines: readonly QuoteItem[]) => {
      const quote = createQuote({ items: [...lines], coupons: codes, orderType: venue.orderType }, data, 0)
      const { coupons: outcomes, deposits, taxes, subtotal, discountTotal, taxTotal, total } = quote
      const amounts = (deposits ?? []).map(({ product, size, amount }) => [product, size ?? '', amount.text]).sort()
      const sums = { outcomes, subtotal, discountTotal, amounts }
      if (!isByLine) return { ...sums, taxes, taxTotal, total }
      return venue.isIncluded ? { ...sums, total } : sums
    }
    const other = regroup(random, items)
    if (other.length > items.length) changed++
    const [before, after] = [price(items), price(other)]
    if (toText(before) !== toText(after)) expect([round, after]).toEqual([round, before])
  }
  expect(changed).toBeGreaterThan(toRounds(24_000) / 3)
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
