import { expect, test } from 'vitest'
import { createChargeVenue } from '../../charges/charge-venue.ts'

type Venue = Awaited<ReturnType<typeof createChargeVenue>>
const quoteOf = async (venue: Venue, body: object) => {
  const { status, body: found } = await venue.post('/quotes', body)
  expect([status, found]).toEqual([200, expect.anything()])
  return found
}
const create = async (venue: Venue, path: string, body: object): Promise<string> =>
  (await venue.post(path, body)).body.id
const charge = async (venue: Venue, ...charges: object[]) =>
  expect((await venue.manager.post('/charges', { charges })).status).toBe(200)
const box = { id: 'box', title: 'Box', kind: 'packaging', type: 'FIXED', value: 1, per: 'item' }

test('the largest amounts add up to the last unit', async () => {
  const venue = await createChargeVenue({ currency: 'EUR', pricesIncludeTax: false, taxRate: 100 })
  const product = await create(venue, '/products', { title: 'Yacht', price: 1_000_000_000 })
  await venue.post(`/products/${product}/details`, { deposit: { amount: 1_000_000_000 } })
  const whole = { title: 'All', kind: 'service', type: 'PERCENTAGE', value: 100 }
  await charge(venue, ...Array.from({ length: 19 }, () => whole), { ...box, value: 1_000_000_000 })
  const items = Array.from({ length: 200 }, () => ({ product, quantity: 999 }))
  const response = await venue.post('/quotes', { items, tip: { percent: 100 } })
  expect(response.status).toBe(200)
  // Units × 10⁹: lines 199,800, 19 charges as much, boxes as much; taxes as much again; deposits with tax; the tip once more.
  const units = 200 * 999 * 1e9
  expect(response.body).toMatchObject({
    orderable: true,
    subtotal: units,
    tip: units * 42,
    total: units * (42 + 2 + 42),
  })
})

test.each([
  ['JPY', 3, { amount: 33, tax: 3 }, 333 + 33],
  ['KWD', 0.125, { amount: 0.013, tax: 0.001 }, 0.138],
])('charges in %s have its decimals', async (currency, price, expected, total) => {
  const venue = await createChargeVenue({ currency, taxRate: 10 })
  const product = await create(venue, '/products', { title: 'Tea', price: currency === 'JPY' ? 333 : price })
  await charge(venue, { title: 'Service', kind: 'service', type: 'PERCENTAGE', value: 10 })
  const quote = await quoteOf(venue, { items: [{ product, quantity: 1 }] })
  expect(quote).toMatchObject({ charges: [expected], total })
})

test('a total below zero has charges on its lines, and cash rounds it away from zero', async () => {
  const venue = await createChargeVenue({ currency: 'CHF', cashRounding: 0.05 })
  const product = await create(venue, '/products', { title: 'Cola', price: 1 })
  await venue.post(`/products/${product}/details`, { deposit: { amount: 0.5 } })
  await charge(venue, { ...box, value: 0.025, per: 'order' })
  const order = { items: [{ product, quantity: 1 }], returns: [{ product, quantity: 9 }], tip: { percent: 10 } }
  // 1 + 0.03 of the charge + 0.5 − 4.5 + a tip of 0.10.
  expect(await quoteOf(venue, order)).toMatchObject({ tip: 0.1, total: -2.87, cashTotal: -2.85 })
})

test('what is deleted between two quotes is an issue or a reason, and the rest is priced', async () => {
  const venue = await createChargeVenue({ currency: 'EUR' })
  const [kept, gone] = [
    await create(venue, '/products', { title: 'Tea', price: 2 }),
    await create(venue, '/products', { title: 'Cake', price: 4 }),
  ]
  const coupon = await create(venue, '/coupons', { title: 'Ten', code: 'TEN', type: 'PERCENTAGE', value: 10 })
  const wrap = { ...box, id: 'wrap', title: 'Wrap', optional: true }
  await charge(venue, box, wrap)
  const items = [kept, gone].map((product) => ({ product, quantity: 1 }))
  const order = { items, coupons: ['TEN'], optionalCharges: ['wrap'], returns: [{ product: gone, quantity: 1 }] }
  expect(await quoteOf(venue, { ...order, returns: [] })).toMatchObject({ orderable: true, total: 9.4 })
  await venue.remove(`/products/${gone}`)
  await venue.remove(`/coupons/${coupon}`)
  await charge(venue, box)
  expect(await quoteOf(venue, order)).toMatchObject({
    orderable: false,
    coupons: [{ status: 'not_applied', reasons: [{ code: 'not_found' }] }],
    charges: [{ id: 'box', amount: 1 }],
    total: 3,
    issues: [
      { pointer: '/items/1/product', code: 'unknown_product' },
      { pointer: '/returns/0/product', code: 'unknown_product' },
      { pointer: '/optionalCharges/0', code: 'unknown_charge' },
    ],
  })
})
