import { expect, test } from 'vitest'
import { createVenue, toIssues } from '../../support/api.ts'

const venue = await createVenue({ taxRate: 19, currency: 'EUR' })
const create = async (path: string, body: object): Promise<string> => (await venue.post(path, body)).body.id
const withDetails = async (price: number, details: object) => {
  const id = await create('/products', { title: 'Drink', price })
  expect((await venue.post(`/products/${id}/details`, details)).status).toBe(200)
  return id
}
const quote = async (body: object) => {
  const { status, body: found } = await venue.post('/quotes', { at: 1_000, ...body })
  expect(status).toBe(200)
  return found
}
const bottle = await withDetails(3, { deposit: { amount: 0.25, title: 'Bottle' } })
const plain = await withDetails(3, {})

test('a deposit is added to the total, outside of lines, subtotal, discounts and minimums', async () => {
  const { code } = (
    await venue.post('/coupons', { title: 'C', code: 'HALF', type: 'PERCENTAGE', value: 50, minimumOrderAmount: 6 })
  ).body
  const order = await quote({ items: [{ product: bottle, quantity: 2 }], coupons: [code] })
  expect(order).toMatchObject({
    items: [{ subtotal: 6, total: 3 }],
    taxes: [
      { rate: 19, base: 3, amount: 0.48, included: true },
      { rate: 19, base: 0.5, amount: 0.08, included: true, deposit: true },
    ],
    deposits: [{ product: bottle, title: 'Bottle', quantity: 2, amount: 0.5 }],
    subtotal: 6,
    discountTotal: 3,
    taxTotal: 0.56,
    total: 3.5,
  })
  const below = await quote({ items: [{ product: bottle, quantity: 1 }], coupons: [code] })
  expect(below.coupons[0].reasons).toMatchObject([{ code: 'minimum_not_met', missing: 3 }])
})

test('a size has its own deposit, and its own tax rate', async () => {
  const modifier = await create('/modifiers', {
    title: 'Size',
    instructions: '',
    type: 'RADIO',
    rules: {},
    options: [{ id: 's' }, { id: 'l' }],
  })
  const product = await create('/products', { title: 'Water', price: 1, modifiers: [modifier] })
  const prices = { s: { price: 1 }, l: { price: 2, deposit: { amount: 0.5, taxRate: 7 } } }
  const details = { deposit: { amount: 0.15 }, sizes: { modifier, prices } }
  expect((await venue.post(`/products/${product}/details`, details)).status).toBe(200)
  const items = ['s', 'l'].map((option) => ({ product, quantity: 1, options: [{ modifier, option }] }))
  expect(await quote({ items })).toMatchObject({
    deposits: [
      { product, size: 's', quantity: 1, amount: 0.15 },
      { product, size: 'l', quantity: 1, amount: 0.5 },
    ],
    taxes: [{}, { rate: 7, base: 0.5, deposit: true }, { rate: 19, base: 0.15, deposit: true }],
    total: 3.65,
  })
})

test('what is given back is subtracted, and mirrors what was sold', async () => {
  const returns = [{ product: bottle, quantity: 6 }]
  const sold = await quote({ items: [{ product: bottle, quantity: 6 }] })
  const back = await quote({ items: [], returns })
  expect(back).toMatchObject({
    orderable: true,
    items: [],
    deposits: [{ product: bottle, quantity: -6, amount: -1.5 }],
    taxes: [{ rate: 19, base: -1.5, amount: -sold.taxes[1].amount, deposit: true }],
    subtotal: 0,
    taxTotal: -sold.taxes[1].amount,
    total: -1.5,
  })
  expect(await quote({ items: [{ product: plain, quantity: 1 }], returns })).toMatchObject({ total: 1.5 })
})

test('what has no deposit is an issue', async () => {
  const returns = [
    { product: 'prod_none', quantity: 1 },
    { product: plain, quantity: 1 },
    { product: bottle, size: 'xl', quantity: 1 },
  ]
  const { issues, total } = await quote({ items: [{ product: plain, quantity: 1 }], returns: returns.slice(0, 2) })
  expect([issues, total]).toMatchObject([
    [
      { pointer: '/returns/0/product', code: 'unknown_product' },
      { pointer: '/returns/1/product', code: 'no_deposit' },
    ],
    3,
  ])
  expect((await quote({ items: [], returns: [returns[2]] })).issues).toMatchObject([
    { pointer: '/returns/0/size', code: 'unknown_option' },
  ])
})

test('a tip is a percentage of the lines or an amount, untaxed, never of deposits', async () => {
  const items = [{ product: bottle, quantity: 1 }]
  expect(await quote({ items, tip: { percent: 10 } })).toMatchObject({ tip: 0.3, total: 3.55, taxTotal: 0.52 })
  expect(await quote({ items, tip: { amount: 1.5 } })).toMatchObject({ tip: 1.5, total: 4.75, taxTotal: 0.52 })
  expect(await quote({ items, tip: { percent: 0 } })).toMatchObject({ tip: 0, total: 3.25 })
})

test('what is not well formed is refused', async () => {
  const items = [{ product: plain, quantity: 1 }]
  const cases: [object, string][] = [
    [{ items: [] }, '/items too_short'],
    [{ items: [], returns: [] }, '/items too_short'],
    [{ items, returns: [{ product: plain, quantity: 0 }] }, '/returns/0/quantity too_small'],
    [{ items, returns: Array(51).fill({ product: plain, quantity: 1 }) }, '/returns too_many'],
    [{ items, tip: {} }, '/tip required'],
    [{ items, tip: { percent: 1, amount: 1 } }, '/tip conflict'],
    [{ items, tip: { percent: 101 } }, '/tip/percent too_large'],
    [{ items, tip: { amount: 0.005 } }, '/tip/amount too_precise'],
  ]
  for (const [body, issue] of cases) expect(toIssues(await venue.post('/quotes', body))).toEqual([issue])
  expect(toIssues(await venue.post(`/products/${plain}/details`, { deposit: { title: 'B' } }))).toEqual([
    '/deposit/amount required',
  ])
})

test('a quote that uses none of it shows none of it', async () => {
  const found = await quote({ items: [{ product: plain, quantity: 1 }] })
  for (const field of ['deposits', 'tip', 'cashTotal']) expect(found).not.toHaveProperty(field)
  expect(found.taxes).toEqual([{ rate: 19, base: 3, amount: 0.48, included: true }])
})
