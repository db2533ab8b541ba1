import { expect, test } from 'vitest'
import { createChargeVenue } from '../charges/charge-venue.ts'

const sevenAndNineteen = async (venue: Awaited<ReturnType<typeof createChargeVenue>>) => {
  const create = async (path: string, body: object): Promise<string> => (await venue.post(path, body)).body.id
  return {
    tea: await create('/products', { title: 'Tea', price: 10 }),
    book: await create('/products', { title: 'Book', price: 30, useCustomTaxRate: true, taxRate: 7 }),
  }
}
type Venue = Awaited<ReturnType<typeof createChargeVenue>>
const set = async (venue: Venue, ...charges: object[]) => {
  const response = await venue.manager.post('/charges', { charges })
  expect([response.status, response.body]).toEqual([200, { charges: expect.any(Array) }])
  return response.body.charges
}
const quoteOf = (venue: Venue) => async (body: object) => {
  const { status, body: found } = await venue.post('/quotes', { at: 1_000, ...body })
  expect([status, found]).toEqual([200, expect.anything()])
  return found
}
const service = { id: 'service', title: 'Service', kind: 'service', type: 'PERCENTAGE', value: 10 }
const box = { id: 'box', title: 'Box', kind: 'packaging', type: 'FIXED', value: 0.3, per: 'item' }

test('a percentage is of what is left after coupons, and follows the tax rates of the lines', async () => {
  const venue = await createChargeVenue({ taxRate: 19, currency: 'EUR' })
  const { tea, book } = await sevenAndNineteen(venue)
  await set(venue, service)
  await venue.post('/coupons', { title: 'C', code: 'HALF', type: 'PERCENTAGE', value: 50, minimumOrderAmount: 40 })
  const items = [
    { product: tea, quantity: 1 },
    { product: book, quantity: 1 },
  ]
  expect(await quoteOf(venue)({ items, coupons: ['HALF'] })).toMatchObject({
    orderable: true,
    coupons: [{ status: 'applied', amount: 20 }],
    charges: [
      {
        id: 'service',
        title: 'Service',
        amount: 2,
        taxes: [
          { rate: 7, base: 1.5, amount: 0.1, included: true },
          { rate: 19, base: 0.5, amount: 0.08, included: true },
        ],
        tax: 0.18,
      },
    ],
    taxes: [
      { rate: 7, base: 16.5, amount: 1.08 },
      { rate: 19, base: 5.5, amount: 0.88 },
    ],
    subtotal: 40,
    discountTotal: 20,
    taxTotal: 1.96,
    total: 22,
  })
  const { charges } = await quoteOf(venue)({ items: [{ product: tea, quantity: 1 }] })
  expect(charges).toEqual([{ id: 'service', title: 'Service', amount: 1, taxRate: 19, tax: 0.16 }])
})

test('charges are added to prices without tax, with tax, before the tip', async () => {
  const venue = await createChargeVenue({ taxRate: 20, currency: 'EUR', pricesIncludeTax: false })
  const { tea } = await sevenAndNineteen(venue)
  await set(venue, { ...service, taxable: false }, { ...box, taxRate: 5 })
  const quote = await quoteOf(venue)({ items: [{ product: tea, quantity: 4 }], tip: { percent: 10 } })
  expect(quote).toMatchObject({
    items: [{ subtotal: 40, tax: 8, total: 48 }],
    charges: [
      { id: 'service', amount: 4, taxRate: 0, tax: 0 },
      { id: 'box', amount: 1.2, taxRate: 5, tax: 0.06 },
    ],
    taxes: [
      { rate: 0, base: 4, amount: 0 },
      { rate: 5, base: 1.2, amount: 0.06 },
      { rate: 20, base: 40, amount: 8 },
    ],
    taxTotal: 8.06,
    tip: 5.33,
    total: 58.59,
  })
})

test('order types, guests and choice decide which charges apply', async () => {
  const venue = await createChargeVenue({ currency: 'EUR' })
  const { tea } = await sevenAndNineteen(venue)
  await set(
    venue,
    { ...service, minGuests: 6, orderTypes: ['dine_in'] },
    { ...box, orderTypes: ['takeaway', 'delivery'] },
    {
      id: 'gift',
      title: 'Gift wrap',
      kind: 'other',
      type: 'FIXED',
      value: 1,
      optional: true,
      orderTypes: ['takeaway'],
    },
  )
  const items = [{ product: tea, quantity: 2 }]
  const idsOf = async (body: object) => {
    const { charges = [], issues } = await quoteOf(venue)({ items, ...body })
    return [
      charges.map(({ id }: { id: string }) => id),
      issues.map((issue: Record<string, string>) => `${issue['pointer']} ${issue['code']}`),
    ]
  }
  expect(await idsOf({})).toEqual([[], []])
  expect(await idsOf({ guests: 5 })).toEqual([[], []])
  expect(await idsOf({ guests: 6 })).toEqual([['service'], []])
  expect(await idsOf({ guests: 6, orderType: 'delivery' })).toEqual([['box'], []])
  expect(await idsOf({ orderType: 'takeaway', optionalCharges: ['box', 'gift'] })).toEqual([['box', 'gift'], []])
  expect(await idsOf({ optionalCharges: ['gift', 'none', 'service'] })).toEqual([
    [],
    [
      '/optionalCharges/0 charge_not_offered',
      '/optionalCharges/1 unknown_charge',
      '/optionalCharges/2 charge_not_offered',
    ],
  ])
})

test('items are units of known products; a line by weight is one', async () => {
  const venue = await createChargeVenue({ currency: 'EUR' })
  const { tea, book } = await sevenAndNineteen(venue)
  await venue.post(`/products/${book}/details`, { soldBy: { unit: 'kg' } })
  await set(venue, box)
  const items = [
    { product: tea, quantity: 3 },
    { product: book, quantity: 0.25 },
    { product: 'prod_none', quantity: 6.203 },
  ]
  expect(await quoteOf(venue)({ items })).toMatchObject({ charges: [{ id: 'box', amount: 1.2 }], orderable: false })
})

test('charges are not in minimums of coupons, and an order of empties has none', async () => {
  const venue = await createChargeVenue({ currency: 'EUR' })
  const { tea } = await sevenAndNineteen(venue)
  await venue.post(`/products/${tea}/details`, { deposit: { amount: 0.25 } })
  await venue.post('/coupons', { title: 'C', code: 'FIVE', type: 'FIXED', value: 5, minimumOrderAmount: 10.01 })
  await set(venue, { id: 'd', title: 'Delivery', kind: 'delivery', type: 'FIXED', value: 3 })
  expect(await quoteOf(venue)({ items: [{ product: tea, quantity: 1 }], coupons: ['FIVE'] })).toMatchObject({
    coupons: [{ status: 'not_applied', reasons: [{ code: 'minimum_not_met', missing: 0.01 }] }],
    total: 13.25,
  })
  const empties = await quoteOf(venue)({ items: [], returns: [{ product: tea, quantity: 4 }] })
  expect(empties).toMatchObject({ total: -1, orderable: true })
  expect(empties).not.toHaveProperty('charges')
})

test('a fixed charge with nothing left of the lines has the tax rate of the merchant', async () => {
  const venue = await createChargeVenue({
    taxRate: 19,
    taxRates: { takeaway: 9 },
    currency: 'EUR',
    pricesIncludeTax: false,
  })
  const { book } = await sevenAndNineteen(venue)
  await venue.post('/coupons', { title: 'C', code: 'ALL', type: 'PERCENTAGE', value: 100 })
  await set(venue, { id: 'd', title: 'Delivery', kind: 'delivery', type: 'FIXED', value: 3 }, service)
  const order = { items: [{ product: book, quantity: 1 }], coupons: ['ALL'], orderType: 'takeaway' }
  expect(await quoteOf(venue)(order)).toMatchObject({
    charges: [
      { id: 'd', amount: 3, taxRate: 9, tax: 0.27 },
      { id: 'service', amount: 0, tax: 0 },
    ],
    total: 3.27,
  })
})

test('charges of one mode are not those of the other, and a quote without any shows none', async () => {
  const venue = await createChargeVenue({ mode: 'test' })
  const { tea } = await sevenAndNineteen(venue)
  expect(await quoteOf(venue)({ items: [{ product: tea, quantity: 1 }] })).not.toHaveProperty('charges')
  await set(venue, { ...service, minGuests: 2 })
  expect(await quoteOf(venue)({ items: [{ product: tea, quantity: 1 }] })).not.toHaveProperty('charges')
})
