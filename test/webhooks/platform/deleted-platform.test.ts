import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { platformList } from '../../../src/platform/db/home/d1-connection.ts'
import { parkedUntil } from '../../../src/platform/db/schema/events.ts'
import { daySeconds } from '../../../src/platform/lib/day.ts'
import { createVenue } from '../../support/api.ts'
import { queryHome, ringAlarm } from '../../support/home.ts'
import { moveTo } from '../../support/moves.ts'
import { createPlatformWebhook, removePlatformWebhooks } from '../../support/platform-webhook.ts'
import { createWebhookHarness, type WebhookHarness } from '../../support/webhook-harness.ts'

afterEach(async () => {
  vi.restoreAllMocks()
  await removePlatformWebhooks()
  await env.DB.exec('delete from platform_backlogs')
})

const events = ['product.created']
const failing = () => new Response(null, { status: 500 })
const sound = () => new Response(null, { status: 204 })
const backlogs = async () =>
  (await env.DB.prepare('select webhook, merchant_id, parked from platform_backlogs order by 1, 2').all()).results

/** Breaks the endpoint, and parks a delivery. */
async function breakEndpoint(harness: WebhookHarness) {
  harness.endpoint = failing
  for (let i = 0; i < 12; i++) await harness.post('/products', { title: 'Tea', price: 4.5 })
  await harness.deliver()
  await harness.advance(61)
  await harness.post('/products', { title: 'Tea', price: 4.5 })
  await harness.maintain()
  await harness.deliver()
}

describe.each([{ home: undefined }, { home: 'object' as const }])(
  'a deleted platform webhook, venue in $home',
  ({ home }) => {
    test('leaves no pending delivery and no backlog, also of isolates that still have it in their list', async () => {
      const harness = await createWebhookHarness(home ? { home } : {})
      const platform = await createPlatformWebhook(harness, { events })
      await breakEndpoint(harness)
      const states = async () => [...new Set((await platform.deliveries()).map(({ state }) => state))].sort()
      expect(await states()).toContain('pending')
      expect(await backlogs()).toHaveLength(home ? 1 : 0)
      const list = platformList.json
      expect((await platform.asOperator('DELETE', `/${platform.id}`)).status).toBe(200)
      await harness.maintain()
      expect([(await states()).includes('pending'), await backlogs()]).toEqual([false, []])

      // Another isolate writes with its list, and its deliveries are parked.
      Object.assign(platformList, { json: list, readAtMs: Date.now() })
      await harness.post('/products', { title: 'Cake', price: 4.5 })
      await harness.query(`update deliveries set due_at = ? where webhook < 0 and state = 'pending'`, parkedUntil)
      harness.queued.length = 0
      expect(await states()).toContain('pending')
      for (let run = 0; run < 2; run++) await harness.maintain()
      expect([(await states()).includes('pending'), await backlogs()]).toEqual([false, []])
      if (home) expect(await harness.query('select * from platform_backlogs')).toEqual([])
    })
  },
)

test('the recovery of a venue that moved to the shared database forgets no backlog of another venue', async () => {
  const harness = await createWebhookHarness({ home: 'object' })
  const other = await createVenue({ home: 'object' })
  const platform = await createPlatformWebhook(harness, { events })
  harness.endpoint = failing
  const lost = await harness.request('POST', `/merchants/${other.id}/products`, { title: 'Cake', price: 1 }, other.key)
  await breakEndpoint(harness)
  await queryHome(other.id, `update deliveries set due_at = ? where webhook < 0 and state = 'pending'`, parkedUntil)
  await ringAlarm(other.id, harness.bindings)
  await queryHome(other.id, `update deliveries set state = 'failed', due_at = unixepoch() where webhook < 0`)
  expect(await backlogs()).toHaveLength(2)
  await moveTo(harness.venue.id, 'd1')
  harness.endpoint = sound
  harness.clear()
  await harness.advance(61)
  for (let run = 0; run < 2; run++) {
    await harness.maintain()
    await harness.deliver()
  }
  await platform.post('/recover', { since: Math.floor(Date.now() / 1000) - 2 * daySeconds })
  await harness.deliver()
  expect(harness.calls.map(({ body }) => body.data.id)).toContain(lost.body.id)
})
