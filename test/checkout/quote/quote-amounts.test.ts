import { exports } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { createVenue, origin } from '../../support/api.ts'

interface Venue {
  post: (path: string, body: object) => Promise<{ status: number; body: Record<string, string> }>
}
const create = async (venue: Venue, path: string, body: object) => (await venue.post(path, body)).body['id'] ?? ''
const product = (venue: Venue, price: number, fields: object = {}) =>
  create(venue, '/products', { title: 'Dish', price, ...fields })
let codes = 0
async function coupon(venue: Venue, fields: object, limits?: object) {
  const code = `C${++codes}`
  const id = await create(venue, '/coupons', { title: code, code, ...fields })
  if (limits) await venue.post(`/coupons/${id}/limits`, limits)
  return { id, code }
}
const percent = (value: number, fields: object = {}) => ({ type: 'PERCENTAGE', value, ...fields })
const fixed = (value: number, fields: object = {}) => ({ type: 'FIXED', value, ...fields })
const one = (id: string) => ({ product: id, quantity: 1 })

describe('an order whose prices include tax', () => {
  test('costs what was computed by hand, rounded once for each rate', async () => {
    const venue = await createVenue({ taxRate: 19 })
    const coffee = await product(venue, 3.5)
    const cake = await product(venue, 4.25, { useCustomTaxRate: true, taxRate: 7 })
    const tip = await product(venue, 1, { taxable: false })
    const { code } = await coupon(venue, percent(10))
    const { body } = await venue.post('/quotes', {
      items: [{ product: coffee, quantity: 3 }, one(cake), one(tip)],
      coupons: [code],
      at: 1_000,
    })
    // Coffee 10.50 − 1.05 = 9.45. Cake 4.25 − 0.425, which is 0.43 half up, = 3.82. Not taxable: 1.00 − 0.10 = 0.90.
    // Tax: 9.45 × 19 / 119 = 1.5088 → 1.51; 3.82 × 7 / 107 = 0.2499 → 0.25.
    expect(body).toMatchObject({
      currency: 'EUR',
      orderable: true,
      at: 1_000,
      subtotal: 15.75,
      discountTotal: 1.58,
      taxTotal: 1.76,
      total: 14.17,
      taxes: [
        { rate: 0, base: 0.9, amount: 0, included: true },
        { rate: 7, base: 3.82, amount: 0.25, included: true },
        { rate: 19, base: 9.45, amount: 1.51, included: true },
      ],
      items: [
        { unitPrice: 3.5, subtotal: 10.5, discounts: [{ amount: 1.05 }], taxRate: 19, tax: 1.51, total: 9.45 },
        { unitPrice: 4.25, subtotal: 4.25, discounts: [{ amount: 0.43 }], taxRate: 7, tax: 0.25, total: 3.82 },
        { unitPrice: 1, subtotal: 1, discounts: [{ amount: 0.1 }], taxRate: 0, tax: 0, total: 0.9 },
      ],
      coupons: [{ code, status: 'applied', amount: 1.58, reasons: [] }],
    })
  })

  test('rounds tax in each line where the venue says so', async () => {
    const totals: number[] = []
    for (const taxRounding of ['rate', 'line']) {
      const venue = await createVenue({ taxRate: 19, taxRounding })
      const items = [one(await product(venue, 0.1)), one(await product(venue, 0.1)), one(await product(venue, 0.1))]
      const { body } = await venue.post('/quotes', { items })
      expect(body).toMatchObject({ total: 0.3 })
      totals.push(body['taxTotal'] ?? '')
    }
    // Once: 0.30 × 19 / 119 = 0.0479 → 0.05. Each line: 0.10 × 19 / 119 = 0.016 → 0.02, three times.
    expect(totals).toEqual([0.05, 0.06])
  })
})

test('an order whose prices exclude tax costs what was computed by hand', async () => {
  const venue = await createVenue({ taxRate: 8.875, pricesIncludeTax: false, currency: 'USD' })
  const items = [{ product: await product(venue, 9.99), quantity: 2 }, one(await product(venue, 4.5))]
  const { code } = await coupon(venue, fixed(5))
  const { body } = await venue.post('/quotes', { items, coupons: [code] })
  // 19.98 + 4.50 = 24.48. 5.00 × 1998 / 2448 = 4.0809, and 0.9191: 4.08 and 0.92. Left 15.90 and 3.58.
  // Tax: 19.48 × 8.875 % = 1.72885 → 1.73, spread over 15.90 and 3.58: 1.4121 and 0.3179 → 1.41 and 0.32.
  expect(body).toMatchObject({
    subtotal: 24.48,
    discountTotal: 5,
    taxTotal: 1.73,
    total: 21.21,
    taxes: [{ rate: 8.875, base: 19.48, amount: 1.73, included: false }],
    items: [
      { discounts: [{ amount: 4.08 }], tax: 1.41, total: 17.31 },
      { discounts: [{ amount: 0.92 }], tax: 0.32, total: 3.9 },
    ],
  })
})

describe('an equal remainder', () => {
  test('goes to the lower tax rate, then to the lower product id, in any order of items', async () => {
    const venue = await createVenue({ taxRate: 19 })
    const [high, first, second] = [
      await product(venue, 1),
      await product(venue, 1, { taxable: false }),
      await product(venue, 1, { taxable: false }),
    ]
    const { code } = await coupon(venue, fixed(0.02))
    const discounted = async (...ids: string[]) => {
      const { body } = await venue.post('/quotes', { items: ids.map(one), coupons: [code] })
      const lines: { product: string; discounts: object[] }[] = JSON.parse(JSON.stringify(body['items']))
      return lines.filter(({ discounts }) => discounts.length > 0).map((line) => line.product)
    }
    // 0.02 over the rates, which have 1.00 and 2.00: 0.67 and 1.33 cents, so one cent each. Of the two lines with one rate, the first takes it.
    expect(await discounted(high, second, first)).toEqual([high, first])
    expect(await discounted(first, high, second)).toEqual([first, high])
    const { code: cent } = await coupon(venue, fixed(0.01))
    const { body } = await venue.post('/quotes', { items: [one(high), one(second)], coupons: [cent] })
    expect(body['items']).toMatchObject([{ discounts: [] }, { discounts: [{ amount: 0.01 }] }])
    const { body: other } = await venue.post('/quotes', { items: [one(second), one(first)], coupons: [cent] })
    expect(other['items']).toMatchObject([{ discounts: [] }, { discounts: [{ amount: 0.01 }] }])
  })
})

test.each([
  // 1,234.5 yen are 1,235. Half: 617.5 → 618. Tax included 10 %: 617 × 10 / 110 = 56.09 → 56.
  ['JPY', { price: 1234.5, subtotal: 1235, discountTotal: 618, total: 617, taxTotal: 56 }],
  // 1.2345 dinars are 1.235 (0.0005 up). Half: 0.6175 → 0.618. 0.617 / 11 = 0.05609 → 0.056.
  ['KWD', { price: 1.2345, subtotal: 1.235, discountTotal: 0.618, total: 0.617, taxTotal: 0.056 }],
  ['EUR', { price: 1.005, subtotal: 1.01, discountTotal: 0.51, total: 0.5, taxTotal: 0.05 }],
  [null, { price: 1.005, subtotal: 1.01, discountTotal: 0.51, total: 0.5, taxTotal: 0.05 }],
])('amounts in %s have its decimal places', async (currency, { price, ...totals }) => {
  const venue = await createVenue({ currency, taxRate: 10 })
  const { code } = await coupon(venue, percent(50))
  const { body } = await venue.post('/quotes', { items: [one(await product(venue, price))], coupons: [code] })
  expect(body).toMatchObject({ ...totals, items: [{ unitPrice: price }] })
  expect(body['currency'] ?? null).toBe(currency)
})

test('amounts beyond the precision of a double have all their digits', async () => {
  const venue = await createVenue({ pricesIncludeTax: false })
  const modifier = await create(venue, '/modifiers', {
    title: 'Gold',
    instructions: '',
    rules: { enableOptionQuantity: true },
    options: Array.from({ length: 100 }, (_, n) => ({ id: `o${n}`, additionalCost: 999_999_999.9999 })),
  })
  const id = await product(venue, 1_000_000_000, { modifiers: [modifier] })
  const options = Array.from({ length: 100 }, (_, n) => ({ modifier, option: `o${n}`, quantity: 99 }))
  const items = Array.from({ length: 20 }, () => ({ product: id, quantity: 999, options }))
  // Units of 1/10,000: 100 options, 99 times each. A line has 999 units and is rounded to cents.
  const unit = 9_999_999_999_999n * 9_900n + 10_000_000_000_000n
  const cents = ((unit * 999n + 50n) / 100n) * 20n
  const headers = { authorization: `Bearer ${venue.key}`, 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify({ items }) }
  const response = await exports.default.fetch(new Request(new URL(venue.path('/quotes'), origin), request))
  // A parsed number has lost its last digits.
  const text = await response.text()
  expect(text).toContain(
    `"total":${cents / 100n}.${String(cents % 100n)
      .padStart(2, '0')
      .replace(/0+$/, '')}`,
  )
})
