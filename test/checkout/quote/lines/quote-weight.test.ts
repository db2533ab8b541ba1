import { describe, expect, test } from 'vitest'
import { listFractions } from '../../../../src/checkout/quote/quote-request.ts'
import { limits } from '../../../../src/platform/http/fields.ts'
import { toIssues } from '../../../support/api.ts'
import { createDishVenue } from './dishes.ts'

const { venue, quote, codes, createModifier, createDish } = await createDishVenue()
const line = (product: string, quantity: number | string, options: object[] = []) => ({
  items: [{ product, quantity, options }],
})

describe('a product by weight', () => {
  test('takes quantities with three decimals, as the request has them', async () => {
    const ham = await createDish({ price: 23.9 }, { soldBy: { unit: 'kg' } })
    // 0.137 × 23.90 = 3.2743.
    expect((await quote(line(ham, 0.137))).items[0]).toMatchObject({ quantity: 0.137, unitPrice: 23.9, subtotal: 3.27 })
    expect((await quote(line(ham, '0.150'))).items[0]).toMatchObject({ quantity: 0.15, subtotal: 3.59 })
    expect(await codes(line(ham, 0.001))).toEqual([])
    expect(await codes(line(ham, 999))).toEqual([])
    const post = async (quantity: number) => toIssues(await venue.post('/quotes', line(ham, quantity)))
    expect(await post(0)).toEqual(['/items/0/quantity too_small'])
    expect(await post(0.0001)).toEqual(['/items/0/quantity too_small'])
    expect(await post(0.1234)).toEqual(['/items/0/quantity too_precise'])
    expect(await post(999.001)).toEqual(['/items/0/quantity too_large'])
  })

  test('charges its options once for the line, and is rounded once', async () => {
    const slice = await createModifier([['sliced', 0.355]], { rules: { enableOptionQuantity: true } })
    const ham = await createDish({ price: 1.11, modifiers: [slice] }, { soldBy: { unit: '100g' } })
    const { items } = await quote(line(ham, 2.5, [{ modifier: slice, option: 'sliced', quantity: 2 }]))
    // 2.5 × 1.11 + 2 × 0.355 = 3.485.
    expect(items[0]).toMatchObject({ unitPrice: 1.11, subtotal: 3.49, options: [{ additionalCost: 0.355 }] })
  })

  test('takes multiples of its step', async () => {
    const cheese = await createDish({ price: 10 }, { soldBy: { unit: 'kg', step: 0.25 } })
    expect(await codes(line(cheese, 0.75))).toEqual([])
    const { issues, items } = await quote(line(cheese, 0.7))
    expect(issues).toEqual([
      {
        pointer: '/items/0/quantity',
        code: 'quantity_not_allowed',
        message: 'The quantity must be a multiple of 0.25, from 0.25 to 999.',
        min: 0.25,
        max: 999,
        step: 0.25,
      },
    ])
    expect(items[0].subtotal).toBe(7)
  })

  test('moves the stock by its quantity', async () => {
    const fields = { price: 10, manageStock: true, stockQuantity: 1.5 }
    const ham = await createDish(fields, { soldBy: { unit: 'kg' } })
    const answer = await quote({
      items: [
        { product: ham, quantity: 0.7 },
        { product: ham, quantity: 0.8 },
      ],
    })
    expect(answer).toMatchObject({ orderable: true, stock: [{ product: ham, delta: -1.5 }] })
    const short = await quote({
      items: [
        { product: ham, quantity: 0.7 },
        { product: ham, quantity: 0.801 },
      ],
    })
    expect(short.issues).toMatchObject([
      { pointer: '/items/0/quantity', code: 'insufficient_stock', available: 1.5 },
      { pointer: '/items/1/quantity', code: 'insufficient_stock', available: 1.5 },
    ])
    const { stock: changes } = await quote(line(ham, 1.137))
    const { status, body } = await venue.post('/events', {
      type: 'order.created',
      data: {},
      effects: { stock: { reference: 'weight-1', changes } },
    })
    expect([status, body.effects.stock.changes[0]]).toMatchObject([202, { product: ham, stockQuantity: 0.363 }])
    expect(await codes(line(ham, 0.363))).toEqual([])
    expect(await codes(line(ham, 0.364))).toEqual(['/items/0/quantity insufficient_stock'])
  })
})

describe('a fraction of another product', () => {
  test('is rejected, beside the issues of the rest of the body', async () => {
    const [tea, ham] = [await createDish(), await createDish({}, { soldBy: { unit: 'l' } })]
    const items = [
      { product: ham, quantity: 1.5 },
      { product: tea, quantity: 1.5 },
      { product: tea, quantity: '0.5' },
      { product: tea, quantity: 2 },
    ]
    const issues = ['/items/1/quantity too_precise', '/items/2/quantity too_precise']
    expect(toIssues(await venue.post('/quotes', { items }))).toEqual(issues)
    expect(toIssues(await venue.post('/quotes', { items, coupons: 'TEN' }))).toEqual([
      '/coupons invalid_type',
      ...issues,
    ])
  })

  test('is rejected whatever the details of the product and of its parts say', async () => {
    const bottle = await createDish({}, { deposit: { amount: 0.25 } })
    const group = { id: 'drink', title: 'Drink', min: 1, max: 1, items: [{ product: bottle }] }
    const set = await createDish({}, { bundle: { groups: [group], splitTax: true } })
    const items = [
      { product: bottle, quantity: 1.5 },
      { product: set, quantity: 0.25, choices: [{ group: 'drink', product: bottle }] },
    ]
    for (const item of items) {
      expect(toIssues(await venue.post('/quotes', { items: [item] }))).toEqual(['/items/0/quantity too_precise'])
    }
  })

  test('that does not exist is an issue of the quote', async () => {
    expect(await codes(line('prod_none', 1.5))).toEqual(['/items/0/product unknown_product'])
  })
})

test('fractions of an invalid body are looked up for as many items and products as a valid body has', async () => {
  const tea = await createDish()
  const items = Array.from({ length: 300 }, () => ({ product: tea, quantity: 1.5 }))
  const issues = toIssues(await venue.post('/quotes', { items }))
  expect(issues.filter((issue: string) => issue.endsWith('too_precise')).length).toBe(200)
  const distinct = (count: number) => Array.from({ length: count }, (_, n) => ({ product: `prod_${n}`, quantity: 1.5 }))
  const found = listFractions({ items: distinct(5_000) })
  expect(new Set(found.map(({ product }) => product)).size).toBe(Math.min(200, limits.quoteProducts))
})
