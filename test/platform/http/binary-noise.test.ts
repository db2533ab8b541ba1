import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import * as field from '../../../src/platform/http/fields.ts'
import { createVenue, toIssues } from '../../support/api.ts'
import { importFile, jsonl, toJsonLines } from '../../support/imports.ts'

const venue = await createVenue()
const create = async (path: string, body: object): Promise<string> => (await venue.post(path, body)).body.id
const product = await create('/products', { title: 'Tea', price: 1, manageStock: true, stockQuantity: 5 })
const menu = await create('/menus', { title: 'All' })
const coupon = await create('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 })

const noisy = 3 * 1.1
const found = async (path: string, body: object, read: (body: Record<string, never>) => unknown) =>
  read((await venue.post(path, body)).body)

test.each<[string, () => Promise<unknown>]>([
  ['a price', () => found(`/products/${product}`, { price: noisy }, ({ price }) => price)],
  ['a price as text', () => found(`/products/${product}`, { price: `${noisy}` }, ({ price }) => price)],
  [
    'units in stock',
    () => found(`/products/${product}`, { stockQuantity: noisy }, ({ stockQuantity }) => stockQuantity),
  ],
  [
    'a nutrient',
    () =>
      found(
        `/products/${product}/details`,
        { nutrition: { basis: '100g', fat: noisy } },
        (body) => body['nutrition']?.['fat'],
      ),
  ],
  [
    'a price of a menu',
    () =>
      found(
        `/menus/${menu}/details`,
        { prices: [{ product, price: noisy }] },
        (body) => body['prices']?.[0]?.['price'],
      ),
  ],
  ['a discount', () => found(`/coupons/${coupon}`, { value: noisy }, ({ value }) => value)],
  ['a minimum', () => found(`/coupons/${coupon}`, { minimumOrderAmount: noisy }, (body) => body['minimumOrderAmount'])],
  [
    'a largest discount',
    () => found(`/coupons/${coupon}/limits`, { maxDiscount: noisy }, ({ maxDiscount }) => maxDiscount),
  ],
  [
    'a surcharge',
    () =>
      found(
        '/modifiers',
        { title: 'M', instructions: '', options: [{ additionalCost: noisy }] },
        (body) => body['options']?.[0]?.['additionalCost'],
      ),
  ],
  [
    'a row of a file',
    async () => {
      const line = { resource: 'products', externalId: 'JSON', title: 'Tea', price: noisy }
      await importFile(venue, '', toJsonLines([line]), jsonl)
      return (await venue.get('/products/external/JSON')).body.price
    },
  ],
  [
    'a cell of a table',
    async () => {
      await importFile(venue, 'resource=products', `externalId,title,price\nCSV,Tea,${noisy}\n`)
      return (await venue.get('/products/external/CSV')).body.price
    },
  ],
])('%s is rounded where only noise goes', async (_, read) => expect(await read()).toBe(3.3))

test('a stock adjustment adds units without noise', async () => {
  await venue.post(`/products/${product}`, { stockQuantity: 5 })
  const body = { reference: 'noise', reason: 'delivery', changes: [{ product, delta: 0.1 + 0.2 }] }
  expect((await venue.post('/stock', body)).status).toBe(200)
  expect((await venue.get(`/products/${product}`)).body.stockQuantity).toBe(5.3)
})

test('digits that are more than noise are issues', async () => {
  const send = (price: unknown) => venue.post(`/products/${product}`, { price })
  for (const [value, rounded] of [
    [19.990000000000002, 19.99],
    [0.1 + 0.2, 0.3],
    [4.3500000005, 4.35],
    [5e-324, 0],
    [-1e-12, 0],
  ]) {
    expect([value, (await send(value)).body.price]).toEqual([value, rounded])
  }
  for (const value of [4.350000002, 0.00005, 1.23456]) {
    expect([value, toIssues(await send(value))]).toEqual([value, ['/price too_precise']])
  }
})

/** Schemas of numbers with four decimal places, whatever their names. */
const exact = Object.entries(field).flatMap(([name, schema]) =>
  schema instanceof z.ZodMiniPipe && schema.safeParse(0.1234).success && !schema.safeParse(0.12345).success
    ? [{ name, schema }]
    : [],
)
test('every field with four decimal places rounds', () => {
  expect(exact.length).toBeGreaterThan(5)
  expect(exact.map(({ name, schema }) => [name, schema.safeParse(noisy).data])).toEqual(
    exact.map(({ name }) => [name, 3.3]),
  )
})
