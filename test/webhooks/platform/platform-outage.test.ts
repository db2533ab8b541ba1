import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { parkedUntil } from '../../../src/platform/db/schema/events.ts'
import { daySeconds } from '../../../src/platform/lib/day.ts'
import { createPlatformWebhook, removePlatformWebhooks } from '../../support/platform-webhook.ts'
import { createWebhookHarness } from '../../support/webhook-harness.ts'

afterEach(async () => {
  vi.restoreAllMocks()
  await removePlatformWebhooks()
})
const failing = () => new Response(null, { status: 500 })
const sound = () => new Response(null, { status: 204 })

describe.each([{ home: undefined }, { home: 'object' as const }])(
  'an endpoint that is dead for a day, venue in $home',
  ({ home }) => {
    test('is called every 30 seconds at most, and gets everything once after it recovers', async () => {
      const harness = await createWebhookHarness(home ? { home } : {})
      const platform = await createPlatformWebhook(harness, { events: ['product.created'] })
      harness.endpoint = failing
      const wanted: string[] = []
      const create = async () => {
        const { body } = await harness.post('/products', { title: 'Tea', price: 4.5 })
        wanted.push(body.id)
      }
      for (let i = 0; i < 12; i++) await create()
      await harness.deliver()
      expect(await platform.stored()).toMatchObject({ failures: expect.toSatisfy((failures) => failures >= 10) })

      // A minute later, every isolate knows. Writes send no message.
      await harness.advance(61)
      harness.clear()
      harness.messages = 0
      for (let i = 0; i < 20; i++) await create()
      expect(harness.messages).toBe(0)
      for (let hour = 0; hour < 24; hour += 4) {
        await harness.advance(4 * 3_600)
        await harness.maintain()
        await harness.deliver()
      }
      expect(harness.calls.length).toBeLessThanOrEqual(2 * 6 + 2)
      const parked = (await platform.deliveries()).filter(
        ({ state, due_at }) => state === 'pending' && due_at === parkedUntil,
      )
      expect(parked.length).toBeGreaterThan(20)
      const { results: backlogs } = await env.DB.prepare('select merchant_id from platform_backlogs').all()
      expect(backlogs).toEqual(home ? [{ merchant_id: harness.venue.id }] : [])

      harness.endpoint = sound
      harness.clear()
      await harness.advance(60)
      await harness.maintain()
      await harness.deliver()
      expect(await platform.stored()).toMatchObject({ failures: 0, probe_at: null })
      // Those whose attempts were all made are lost until somebody recovers them.
      const lost = (await platform.deliveries()).filter(({ state }) => state === 'failed').length
      const { body } = await platform.post('/recover', { since: Math.floor(Date.now() / 1000) - 2 * daySeconds })
      expect(body.recovered).toBe(lost)
      await harness.deliver()
      expect(harness.calls.map(({ body }) => body.data.id).sort()).toEqual(wanted.toSorted())
      expect((await platform.deliveries()).every(({ state }) => state === 'delivered')).toBe(true)
      // Rows that an isolate with an old list parks after the recovery follow with the next sweep.
      harness.clear()
      await create()
      harness.queued.length = 0
      await harness.query('update deliveries set due_at = ? where webhook < 0 and state = ?', parkedUntil, 'pending')
      await harness.maintain()
      await harness.deliver()
      expect(harness.calls).toHaveLength(1)
    })

    test('is not called before the time in Retry-After', async () => {
      const harness = await createWebhookHarness(home ? { home } : {})
      const platform = await createPlatformWebhook(harness, { events: ['product.created'] })
      harness.endpoint = () => new Response(null, { status: 503, headers: { 'retry-after': '600' } })
      for (let i = 0; i < 12; i++) await harness.post('/products', { title: 'Tea', price: 4.5 })
      await harness.deliver()
      expect(await platform.stored()).toMatchObject({ probe_at: Math.floor(Date.now() / 1000) + 600 })
      harness.clear()
      const wait = async (passed: number) => {
        await harness.advance(passed)
        await harness.maintain()
        await harness.deliver()
        return harness.calls.length
      }
      expect([await wait(61), await wait(600 - 61 - 2), await wait(33)]).toEqual([0, 0, 1])
      expect([await wait(61), await wait(600 - 61 - 2), await wait(33)]).toEqual([1, 1, 2])
    })
  },
)

test('an endpoint that returns 410 is deactivated; its deliveries follow after a request', async () => {
  const harness = await createWebhookHarness()
  const platform = await createPlatformWebhook(harness, { events: ['product.created'] })
  vi.spyOn(console, 'error').mockReturnValue()
  harness.endpoint = () => new Response(null, { status: 410 })
  await harness.post('/products', { title: 'Tea', price: 4.5 })
  await harness.post('/products', { title: 'Cake', price: 4.5 })
  await harness.consume(harness.queued.splice(0, 1))
  await harness.deliver()
  expect(await platform.get()).toMatchObject({ active: false, disabledReason: 'The endpoint returned 410 Gone.' })
  expect((await platform.deliveries()).map(({ state }) => state).sort()).toEqual(['cancelled', 'failed'])
  expect((await platform.post('/recover', { since: Math.floor(Date.now() / 1000) - 60 })).status).toBe(409)
  harness.endpoint = sound
  harness.clear()
  const { body } = await platform.post('', { active: true })
  expect(body).toMatchObject({ active: true, failures: 0 })
  expect(body).not.toHaveProperty('disabledReason')
  expect((await platform.post('/recover', { since: Math.floor(Date.now() / 1000) - 60 })).body).toEqual({
    recovered: 2,
  })
  await harness.deliver()
  expect(harness.calls).toHaveLength(2)
})
