import { describe, expect, test } from 'vitest'
import { createVenue } from '../../support/api.ts'
import { multiply, observe, rowsRead } from '../../support/d1.ts'

const venue = await createVenue()
const create = async (path: string, body: object): Promise<string> => (await venue.post(path, body)).body.id
const product = await create('/products', { title: 'Tea', price: 10 })
const items = [{ product, quantity: 1 }]
const createCustomer = () => create('/customers', { firstName: 'Ana', lastName: 'Silva' })

let count = 0
async function createCoupon(limits: object) {
  const code = `LIMITED${++count}`
  const { body } = await venue.post('/coupons', { title: code, code, type: 'FIXED', value: 4 })
  await venue.post(`/coupons/${body.id}/limits`, limits)
  return { id: body.id, code }
}
let orders = 0
async function redeem(code: string, fields: object = {}) {
  const { status, body } = await venue.post('/redemptions', { code, order: `${++orders}`, ...fields })
  expect([status, body]).toEqual([201, expect.anything()])
  return body
}
const settle = (id: string, verb: 'confirm' | 'release') => venue.post(`/redemptions/${id}/${verb}`, {})
/** The reason codes of coupons that a quote does not apply. */
async function quote(code: string, fields: object = {}): Promise<string[]> {
  const { status, body } = await venue.post('/quotes', { items, coupons: [code], ...fields })
  expect([status, body.orderable]).toEqual([200, true])
  return body.coupons[0].reasons.map((reason: { code: string }) => reason.code)
}

describe('limit_reached', () => {
  test('counts redemptions, until one is released', async () => {
    const { code } = await createCoupon({ maxRedemptions: 2 })
    await redeem(code)
    expect(await quote(code)).toEqual([])
    const { id } = await redeem(code)
    expect(await quote(code)).toEqual(['limit_reached'])
    await settle(id, 'release')
    expect(await quote(code)).toEqual([])
  })

  test('counts holds that have not expired at the time of the quote', async () => {
    const { code } = await createCoupon({ maxRedemptions: 2 })
    await redeem(code)
    const { id, expiresAt } = await redeem(code, { hold: 600 })
    expect(await quote(code)).toEqual(['limit_reached'])
    expect(await quote(code, { at: expiresAt - 1 })).toEqual(['limit_reached'])
    expect(await quote(code, { at: expiresAt })).toEqual([])
    await settle(id, 'confirm')
    expect(await quote(code, { at: expiresAt })).toEqual(['limit_reached'])
  })

  test('counts no released hold, and no hold of another coupon', async () => {
    const [first, second] = [await createCoupon({ maxRedemptions: 1 }), await createCoupon({ maxRedemptions: 1 })]
    const { id } = await redeem(second.code, { hold: 600 })
    expect([await quote(first.code), await quote(second.code)]).toEqual([[], ['limit_reached']])
    await settle(id, 'release')
    expect(await quote(second.code)).toEqual([])
  })
})

describe('customer_limit_reached', () => {
  test('counts what the customer redeemed or holds, at the limit', async () => {
    const { code } = await createCoupon({ maxRedemptionsPerCustomer: 2 })
    const [ana, rui] = [await createCustomer(), await createCustomer()]
    await redeem(code, { customer: ana })
    await redeem(code, { customer: rui })
    expect(await quote(code, { customer: ana })).toEqual([])
    const { id, expiresAt } = await redeem(code, { customer: ana, hold: 600 })
    expect(await quote(code, { customer: ana })).toEqual(['customer_limit_reached'])
    expect(await quote(code, { customer: rui })).toEqual([])
    expect(await quote(code, { customer: ana, at: expiresAt - 1 })).toEqual(['customer_limit_reached'])
    expect(await quote(code, { customer: ana, at: expiresAt })).toEqual([])
    expect(await quote(code)).toEqual(['customer_required'])
    await settle(id, 'confirm')
    expect(await quote(code, { customer: ana, at: expiresAt })).toEqual(['customer_limit_reached'])
    await settle(id, 'release')
    expect(await quote(code, { customer: ana })).toEqual([])
  })

  test('does not count other coupons, and is no limit of a coupon without it', async () => {
    const [first, second] = [
      await createCoupon({ maxRedemptionsPerCustomer: 1 }),
      await createCoupon({ maxRedemptions: 5 }),
    ]
    const customer = await createCustomer()
    await redeem(second.code, { customer })
    expect([await quote(first.code, { customer }), await quote(second.code, { customer })]).toEqual([[], []])
  })

  test('is returned beside limit_reached, as a redemption returns them', async () => {
    const { code } = await createCoupon({ maxRedemptions: 1, maxRedemptionsPerCustomer: 1 })
    const customer = await createCustomer()
    await redeem(code, { customer })
    const { body } = await venue.post('/quotes', { items, coupons: [code], customer })
    const refused = await venue.post('/redemptions', { code, order: 'refused', customer })
    expect(body.coupons[0].reasons).toEqual([
      { code: 'limit_reached', message: 'The coupon has reached its maximum number of redemptions.' },
      {
        code: 'customer_limit_reached',
        message: 'The customer has reached the maximum number of redemptions of the coupon.',
      },
    ])
    expect([refused.status, refused.body.reasons]).toEqual([409, body.coupons[0].reasons])
  })
})

test('counts read the holds of the coupon and the redemptions of the customer, however often it was redeemed', async () => {
  const { id: coupon, code } = await createCoupon({ maxRedemptions: 1_000, maxRedemptionsPerCustomer: 3 })
  const customer = await createCustomer()
  const { id } = await redeem(code, { customer })
  await redeem(code, { customer, hold: 600 })
  const request = async (fields: object) => {
    const json = { items, coupons: [code], ...fields }
    const { status, trips } = await observe('POST', venue.path('/quotes'), { key: venue.key, json })
    expect([status, trips.length]).toEqual([200, 1])
    return rowsRead(trips)
  }
  await request({})
  const before = [await request({}), await request({ customer })]
  await multiply('redemptions', id, 500, { order_id: "'copy-' || n", customer: "'cus_' || n" })
  const after = [await request({}), await request({ customer })]
  // One row more: the first one after the searched part of an index.
  for (const [index, rows] of after.entries()) expect(rows).toBeLessThanOrEqual((before[index] ?? 0) + 1)
  expect((await venue.get(`/redemptions?coupon=${coupon}&limit=100`)).body).toHaveLength(100)
})
