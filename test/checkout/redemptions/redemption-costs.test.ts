import { expect, test } from 'vitest'
import { createVenue } from '../../support/api.ts'
import { multiply, observe, rowsRead } from '../../support/d1.ts'

test('redeeming, holding, confirming and releasing read as many rows of a popular coupon as of a new one', async () => {
  const venue = await createVenue()
  const { id: coupon } = (await venue.post('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 10 })).body
  await venue.post(`/coupons/${coupon}/limits`, { maxRedemptions: 10_000 })
  let orders = 0
  const send = async (path: string, json?: object) => {
    const { status, body, trips } = await observe('POST', venue.path(`/redemptions${path}`), { key: venue.key, json })
    expect(status, JSON.stringify(body)).toBeLessThan(300)
    return { id: String(body.id), rows: rowsRead(trips) }
  }
  const redeem = (fields: object = {}) => send('', { code: 'TEN', order: `order-${++orders}`, amount: 1, ...fields })
  const measure = async () => {
    const [redeemed, held] = [await redeem(), await redeem({ hold: 600 })]
    const [confirmed, released] = [await send(`/${held.id}/confirm`), await send(`/${redeemed.id}/release`)]
    return [redeemed, held, confirmed, released].map(({ rows }) => rows)
  }
  await measure()
  const before = await measure()
  const { id } = await redeem()
  await multiply('redemptions', id, 300, { order_id: "'copy-' || n" })
  for (const [index, rows] of (await measure()).entries()) expect(rows).toBeLessThanOrEqual((before[index] ?? 0) + 10)
})
