import { describe, expect, test } from 'vitest'
import { createKey, createVenue } from '../../support/api.ts'

const venue = await createVenue()
const create = async (path: string, body: object): Promise<string> => (await venue.post(path, body)).body.id
const [cheap, dear] = [
  await create('/products', { title: 'Cheap', price: 10 }),
  await create('/products', { title: 'Dear', price: 30 }),
]
const items = [cheap, dear].map((product) => ({ product, quantity: 1 }))
const at = 1_000_000
let count = 0
async function coupon(fields: object = {}, limits: object = {}) {
  const code = `Code ${++count}`
  const id = await create('/coupons', { title: code, code, type: 'FIXED', value: 4, ...fields })
  await venue.post(`/coupons/${id}/limits`, limits)
  return { id, code }
}
interface Coupon {
  code: string
  amount: number
  status: string
  reasons: { code: string }[]
}
async function quote(coupons: string[], rest: object = {}) {
  const { status, body } = await venue.post('/quotes', { items, coupons, at, ...rest })
  expect(status).toBe(200)
  const outcomes = body.coupons.map(({ amount, status, reasons }: Coupon) => {
    expect(status).toBe(reasons.length === 0 ? 'applied' : 'not_applied')
    return reasons.length === 0 ? amount : reasons.map(({ code }) => code).join()
  })
  return { body, total: body.total, outcomes }
}
const outcome = async (made: { code: string }, rest: object = {}) => (await quote([made.code], rest)).outcomes[0]
const percent = (value: number) => ({ type: 'PERCENTAGE', value })
const individualUse = true

describe('a coupon is not applied', () => {
  test('if it does not exist, also if it belongs to another merchant or mode', async () => {
    const others = [await createVenue(), await createKey(venue.id, { mode: 'test' })]
    for (const other of others) {
      await other.post('/coupons', { title: 'x', code: 'ELSEWHERE', type: 'FIXED', value: 1 })
    }
    const { body } = await quote(['ELSEWHERE'])
    expect(body.coupons).toEqual([
      {
        code: 'ELSEWHERE',
        status: 'not_applied',
        amount: 0,
        reasons: [{ code: 'not_found', message: 'No coupon has this code.' }],
      },
    ])
    expect(body).toMatchObject({ orderable: true, total: 40 })
  })

  test('before its start, and from its end on', async () => {
    const made = await coupon({}, { startsAt: at, endsAt: at + 10 })
    expect(await outcome(made, { at: at - 1 })).toBe('not_started')
    expect(await outcome(made, { at })).toBe(4)
    expect(await outcome(made, { at: at + 9 })).toBe(4)
    expect(await outcome(made, { at: at + 10 })).toBe('expired')
  })

  test('if it was redeemed as often as it can be', async () => {
    expect(await outcome(await coupon({ timesRedeemed: 2 }, { maxRedemptions: 3 }))).toBe(4)
    expect(await outcome(await coupon({ timesRedeemed: 3 }, { maxRedemptions: 3 }))).toBe('limit_reached')
    expect(await outcome(await coupon({ timesRedeemed: 9 }))).toBe(4)
  })

  test('without the customer that it requires', async () => {
    const customer = await create('/customers', { firstName: 'Ana', lastName: 'Silva' })
    const made = await coupon({}, { maxRedemptionsPerCustomer: 1 })
    expect(await outcome(made)).toBe('customer_required')
    expect(await outcome(made, { customer })).toBe(4)
  })

  test('below its minimum, which is compared with the subtotal of all lines before discounts', async () => {
    const half = await coupon(percent(50))
    const made = await coupon({ minimumOrderAmount: 40, applyToAllProducts: false, products: [cheap] })
    expect((await quote([half.code, made.code])).outcomes).toEqual([20, 4])
    const dearer = await coupon({ minimumOrderAmount: 40.01 })
    const { body } = await quote([dearer.code])
    expect(body.coupons[0].reasons).toEqual([
      { code: 'minimum_not_met', message: 'The subtotal is 0.01 below the minimum.', missing: 0.01 },
    ])
  })

  test('if no product matches', async () => {
    const elsewhere = await create('/products', { title: 'Other', price: 1 })
    expect(await outcome(await coupon({ products: [elsewhere] }))).toBe('no_matching_product')
    expect(await outcome(await coupon({ products: [], applyToAllProducts: false }))).toBe('no_matching_product')
    const unknown = [{ product: 'prod_none', quantity: 1 }]
    expect(await outcome(await coupon(), { items: unknown })).toBe('no_matching_product')
    expect(await outcome(await coupon({ products: [elsewhere], applyToAllProducts: true }))).toBe(4)
  })

  test('if it lowers nothing', async () => {
    expect(await outcome(await coupon({}, { maxDiscount: 0 }))).toBe('no_effect')
    expect(await outcome(await coupon({ value: 0.004 }))).toBe('no_effect')
    expect(await outcome(await coupon(percent(0.01)), { items: [{ product: cheap, quantity: 1 }] })).toBe('no_effect')
    const [all, more] = [await coupon(percent(100)), await coupon()]
    expect((await quote([more.code, all.code])).outcomes).toEqual(['no_effect', 40])
  })

  test('and says all reasons that hold', async () => {
    const made = await coupon(
      { active: false, minimumOrderAmount: 50, products: [], applyToAllProducts: false, timesRedeemed: 1 },
      { startsAt: at + 1, maxRedemptions: 1, maxRedemptionsPerCustomer: 1 },
    )
    expect(await outcome(made)).toBe(
      'inactive,not_started,limit_reached,customer_required,minimum_not_met,no_matching_product',
    )
  })
})

describe('coupons together', () => {
  test('take percentages first, each of what is left, then fixed amounts in the given order', async () => {
    const [fixed, ten, twenty] = [await coupon(), await coupon(percent(10)), await coupon(percent(20))]
    // 40 − 4.00 = 36; − 7.20 = 28.80; − 4.00 = 24.80.
    const { outcomes, total } = await quote([fixed.code, ten.code, twenty.code])
    expect([outcomes, total]).toEqual([[4, 4, 7.2], 24.8])
    // 40 − 8 = 32; − 3.20.
    expect((await quote([twenty.code, ten.code])).outcomes).toEqual([8, 3.2])
  })

  test('never take more than there is', async () => {
    const [large, small] = [await coupon({ value: 100, products: [cheap] }), await coupon({ value: 1_000 })]
    const { body, outcomes, total } = await quote([large.code, small.code])
    expect([outcomes, total, body.discountTotal]).toEqual([[10, 30], 0, 40])
  })

  test('take at most their maximum, spread in proportion', async () => {
    const capped = await coupon(percent(50), { maxDiscount: 3 })
    const { body } = await quote([capped.code])
    // 3.00 over 10 and 30: 0.75 and 2.25.
    expect(body.items.map(({ discounts }: { discounts: { amount: number }[] }) => discounts[0]?.amount)).toEqual([
      0.75, 2.25,
    ])
    expect(await outcome(await coupon({ value: 9 }, { maxDiscount: 3.5 }))).toBe(3.5)
  })

  test('of individual use lose to a cheaper combination, or win alone', async () => {
    const [six, five] = [await coupon({ value: 6 }), await coupon({ value: 5 })]
    const alone = async (value: number) => coupon({ value, individualUse })
    const ten = await alone(10)
    expect((await quote([ten.code])).outcomes).toEqual([10])
    expect((await quote([six.code, ten.code])).outcomes).toEqual(['not_combinable', 10])
    expect((await quote([six.code, ten.code, five.code])).outcomes).toEqual([6, 'not_combinable', 5])
    const twelve = await alone(12)
    expect((await quote([six.code, ten.code, five.code, twelve.code])).outcomes).toEqual([
      'not_combinable',
      'not_combinable',
      'not_combinable',
      12,
    ])
  })

  test('of individual use give way to the first given if both are as cheap', async () => {
    const [alone, another, shared] = [
      await coupon({ value: 7, individualUse }),
      await coupon({ value: 7, individualUse }),
      await coupon({ value: 7 }),
    ]
    expect((await quote([alone.code, another.code])).outcomes).toEqual([7, 'not_combinable'])
    expect((await quote([another.code, alone.code])).outcomes).toEqual([7, 'not_combinable'])
    expect((await quote([shared.code, alone.code])).outcomes).toEqual([7, 'not_combinable'])
    expect((await quote([alone.code, shared.code])).outcomes).toEqual([7, 'not_combinable'])
  })

  test('never raise the total: one that would do so by rounding is not applied', async () => {
    const prices = [0.01, 0.13, 0.21]
    const ids = await Promise.all(prices.map((price) => create('/products', { title: 'Cent', price })))
    const [a, b, c] = ids
    const tenth = await coupon({ ...percent(10), products: [a, c] })
    const all = await coupon({ value: 0.17 })
    const rest = await coupon({ value: 0.2, products: [b, c] })
    const order = { items: ids.map((product) => ({ product, quantity: 1 })) }
    // Without the first coupon, 17 cents over 1, 13 and 21 are 0.49, 6.31 and 10.2: 1, 6 and 10. The other 18 cents are free.
    // With it, they spread over 1, 13 and 19: 0.52, 6.7 and 9.8, so 0, 7 and 10. One cent would remain.
    expect(await quote([all.code, rest.code], order)).toMatchObject({ outcomes: [0.17, 0.18], total: 0 })
    expect(await quote([tenth.code, all.code, rest.code], order)).toMatchObject({
      outcomes: ['no_effect', 0.17, 0.18],
      total: 0,
    })
  })

  test('that cannot be applied do not compete', async () => {
    const alone = await coupon({ value: 1, individualUse })
    const inactive = await coupon({ value: 9, active: false })
    const weak = await coupon({ value: 0.001 })
    expect((await quote([inactive.code, alone.code, weak.code])).outcomes).toEqual(['inactive', 1, 'no_effect'])
  })
})

test('codes are found in any letter case and width, and returned as they were sent', async () => {
  const { id, code } = await coupon()
  const spelling = ` ${code.toUpperCase().replace('C', 'Ｃ')} `
  const { body } = await quote([spelling])
  expect(body.coupons).toMatchObject([{ code: spelling.trim(), coupon: id, status: 'applied' }])
  expect(body.items[0].discounts).toEqual([{ coupon: id, amount: 1 }])
})
