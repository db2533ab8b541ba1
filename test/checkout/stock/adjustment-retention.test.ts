import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { purgeBounds } from '../../../src/app/maintenance/purges.ts'
import { adjustmentRetentionDays } from '../../../src/checkout/stock/adjustment-retention.ts'
import { createVenue } from '../../support/api.ts'
import { purgeNow } from '../../support/purges.ts'

const start = Date.parse('2026-11-22T12:00:00Z')
const retentionMs = adjustmentRetentionDays * 86_400_000
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: start }))
afterEach(() => vi.useRealTimers())

const countReferences = async () =>
  (await env.DB.prepare('select count(*) as count from stock_adjustments').first<{ count: number }>())?.count

test('a reference is kept for 400 days: a repeated adjustment changes nothing until then', async () => {
  expect(adjustmentRetentionDays).toBe(400)
  const venue = await createVenue()
  const stocked = { title: 'Cake', price: 3, manageStock: true, stockQuantity: 10 }
  const product: string = (await venue.post('/products', stocked)).body.id
  const adjust = async (reference: string) => {
    const changes = [{ product, delta: -1 }]
    await venue.post('/stock', { reference, reason: 'sale', changes })
    return (await venue.get(`/products/${product}`)).body.stockQuantity
  }
  expect(await adjust('older')).toBe(9)
  vi.setSystemTime(start + 1_000)
  expect(await adjust('younger')).toBe(8)

  vi.setSystemTime(start + retentionMs - 1)
  await purgeNow(env, Date.now())
  expect([await adjust('older'), await adjust('younger')]).toEqual([8, 8])
  vi.setSystemTime(start + retentionMs)
  await purgeNow(env, Date.now())
  expect([await adjust('younger'), await adjust('older')]).toEqual([8, 7])
})

test('references are deleted in batches', async () => {
  await env.DB.prepare('delete from stock_adjustments').run()
  const count = 2 * purgeBounds.rows + 500
  const insert = (prefix: string, atMs: number) =>
    env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
       insert into stock_adjustments (merchant_id, test_mode, reference, reason, request_hash, change, changes, at)
       select 'mer_x', 0, ? || i, 'sale', '', '', '[]', ? from n`,
    )
      .bind(count, prefix, atMs / 1000)
      .run()
  await insert('older', start)
  await insert('younger', start + 1_000)
  await purgeNow(env, start + retentionMs)
  expect(await countReferences()).toBe(count)
  await purgeNow(env, start + retentionMs + 1_000)
  expect(await countReferences()).toBe(0)
})
