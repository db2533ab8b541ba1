import { expect, test } from 'vitest'
import { type QuotedLine, toQuotedLines } from '../../../../src/checkout/quote/lines/line.ts'
import { priceOrder } from '../../../../src/checkout/quote/price-order.ts'
import type { QuoteItem } from '../../../../src/checkout/quote/quote-request.ts'
import { toRounds } from '../../../support/rounds.ts'
import { priceAgain } from '../reference-price.ts'
import { createBasket, createRandom, createTestVenue, type TestVenue } from './random-basket.ts'
import { priceLines } from './reference-dish.ts'
import { toQuoteData } from './stored-venue.ts'

const baskets = toRounds(32_000)
/** In milliseconds. */
const timeout = 300_000
const seed = 20_261_126
/** Number of baskets that are filled at one venue. */
const basketsOfVenue = 16

/** The amounts of a basket as the service computes them. */
function priceBasket(lines: readonly QuotedLine[], venue: TestVenue) {
  const order = priceOrder(lines, [], venue)
  return {
    items: lines.map(({ unitPrice, subtotal, taxShares }, index) => {
      const { tax, total, taxes } = order.lines[index] ?? {}
      return { unitPrice, subtotal, tax, total, taxes: taxShares ? taxes : [] }
    }),
    taxes: order.taxes.map(({ rate, amount }) => ({ rate, amount })),
    total: order.total,
  }
}

/** The same amounts from another calculation. */
function priceBasketAgain(items: readonly QuoteItem[], venue: TestVenue, isOnMenu: boolean) {
  const lines = priceLines(venue, items, isOnMenu)
  const { totals, own, byRate, byLine, total } = priceAgain(lines, [], venue)
  return {
    items: lines.map(({ unitPrice, subtotal, taxShares }, index) => ({
      unitPrice,
      subtotal,
      tax: own[index],
      total: totals[index],
      taxes: taxShares ? byLine[index] : [],
    })),
    taxes: Array.from(byRate, ([rate, amount]) => ({ rate: BigInt(rate), amount })),
    total,
  }
}

const toText = (value: object) => JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each))
const toTestLines = (items: readonly QuoteItem[], venue: TestVenue, isOnMenu: boolean) => {
  const data = toQuoteData(venue)
  const menu = new Map(isOnMenu ? venue.menu.map((entry) => [entry.product, entry]) : [])
  return toQuotedLines(items, data, { prices: menu, orderType: venue.orderType }, venue.decimals)
}

test(`${baskets} random baskets cost what another calculation says`, { timeout }, () => {
  const seen = { types: 0, sizes: 0, splits: 0, pools: 0, nested: 0, highest: 0, weight: 0, unknown: 0 }
  let venue = createTestVenue(createRandom(seed))
  for (let round = 0; round < baskets; round++) {
    const random = createRandom(seed + round)
    if (round % basketsOfVenue === 0) venue = createTestVenue(random)
    const items = createBasket(random, venue)
    const isOnMenu = random.chance(0.5)
    const lines = toTestLines(items, venue, isOnMenu)
    const own = priceBasket(lines, venue)
    const again = priceBasketAgain(items, venue, isOnMenu)
    // A comparison of texts is fast; the assertion only shows what differs.
    if (toText(own) !== toText(again)) expect([round, own]).toEqual([round, again])
    if (venue.orderType !== 'dine_in') seen.types++
    const pools = lines.flatMap(({ isPooled, product, variant }) => (isPooled ? `${product} ${variant}` : []))
    if (new Set(pools).size < pools.length) seen.pools++
    for (const { dish, taxShares, options, parts, item } of lines) {
      if (dish?.size !== undefined || parts.some((part) => part.dish?.size !== undefined)) seen.sizes++
      if ((taxShares?.length ?? 0) > 1) seen.splits++
      if (options.some((option) => option.options.some(({ cost }) => cost !== 0n))) seen.nested++
      if (options.some(({ offered, quantity, times }) => offered?.details.isHighest && times < quantity)) seen.highest++
      if (!Number.isInteger(item.quantity)) seen.weight++
      if (!dish || options.some(({ isKnown }) => !isKnown) || parts.some((part) => !part.dish)) seen.unknown++
    }
  }
  for (const [what, count] of Object.entries(seen)) expect([what, count > baskets / 50]).toEqual([what, true])
})

test('a line costs the same with and without others, and another choice changes no other line', () => {
  for (let round = 0; round < toRounds(16_000); round++) {
    const random = createRandom(round)
    const venue = createTestVenue(random)
    const items = createBasket(random, venue)
    const price = (all: readonly QuoteItem[]) =>
      toTestLines(all, venue, false).map(({ unitPrice, subtotal }) => [unitPrice, subtotal])
    const together = price(items)
    const [first, ...others] = items
    const other = [{ product: 'a', quantity: 1, ...first, choices: [] }, ...others]
    // Lines that differ only in their quantity are rounded together.
    const isAlone = [items, other].every((all) => {
      const variants = toTestLines(all, venue, false).map(({ product, variant }) => `${product} ${variant}`)
      return new Set(variants).size === variants.length
    })
    if (!isAlone) continue
    if (toText(together) !== toText(items.flatMap((item) => price([item])))) expect(round).toBe(-1)
    const [, ...unchanged] = price(other)
    expect(unchanged).toEqual(together.slice(1))
  }
})
