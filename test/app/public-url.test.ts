import { createExecutionContext, createMessageBatch, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { runScheduled } from '../../src/app/maintenance/maintenance.ts'
import worker from '../../src/index.ts'
import { adminToken } from '../support/api.ts'
import { watch } from '../support/d1.ts'
import { createWebhookHarness } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

const logged = (written: { mock: { calls: readonly (readonly unknown[])[] } }) =>
  written.mock.calls.map(([line]) => JSON.parse(String(line)))

describe.each(['menu.example.com', 'https://menu.example.com/menu'])(
  'while PUBLIC_BASE_URL is %s',
  (PUBLIC_BASE_URL) => {
    const wrong = { PUBLIC_BASE_URL }
    const problem = {
      status: 503,
      body: expect.objectContaining({
        code: 'misconfigured',
        detail: expect.stringMatching(/^PUBLIC_BASE_URL (?:has|contains) .*https:\/\/menu\.example\.com\.$/),
      }),
    }

    test('every API request returns this problem and is logged', async () => {
      const harness = await createWebhookHarness()
      const written = vi.spyOn(console, 'error').mockImplementation(() => undefined)
      const request = (method: string, path: string, json?: unknown, key?: string) =>
        harness.request(method, path, json, key, wrong)
      for (const [method, path, json] of [
        ['POST', '/products', { title: 'Tea', price: 1 }],
        ['GET', '/products', undefined],
        ['GET', '/events', undefined],
        ['POST', '/events', { type: 'order.created', data: {} }],
        ['POST', '/webhooks', { title: 'Till', url: 'https://hooks.example.com/' }],
        ['GET', '/tags/sheet', undefined],
      ] as const) {
        const response = await request(method, harness.path(path), json)
        expect([path, response]).toEqual([path, expect.objectContaining(problem)])
        expect(response.headers.get('retry-after')).toBe('60')
      }
      expect(await request('GET', '/admin/merchants', undefined, adminToken)).toMatchObject(problem)
      expect(await request('GET', '/health')).toMatchObject(problem)
      expect(logged(written)).toHaveLength(8)
      for (const line of logged(written)) {
        expect(line).toMatchObject({ message: 'misconfigured', requestId: expect.stringMatching(/^req_/) })
      }
      // Without a key the problem stays hidden, and nothing has changed.
      expect((await request('GET', harness.path('/products'), undefined, 'sk_live_x')).status).toBe(401)
      expect((await request('GET', '/admin/merchants', undefined, 'x')).status).toBe(401)
      expect((await harness.get('/products')).body).toEqual([])
    })

    test('a scan is still redirected', async () => {
      const harness = await createWebhookHarness()
      await harness.request(
        'POST',
        `/admin/merchants/${harness.venue.id}`,
        { orderingUrl: 'https://o.example/' },
        adminToken,
      )
      const { body: tag } = await harness.post('/tags')
      const [code] = tag.alias
      const scan = await harness.request('GET', `/t/${code}`, undefined, undefined, wrong)
      expect([scan.status, scan.headers.get('location')]).toEqual([302, `https://o.example/?tag=${tag.id}`])
      const written = vi.spyOn(console, 'error').mockImplementation(() => undefined)
      expect(await harness.request('GET', `/t/${code}/qr.png`, undefined, undefined, wrong)).toMatchObject(problem)
      const chip = new URL((await harness.post(`/tags/${tag.id}/nfc-link`)).body.url).pathname
      const page = await harness.request('GET', chip, undefined, undefined, wrong)
      expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
      expect(written).toHaveBeenCalled()
    })

    test('no delivery is attempted: it is logged once and left for the sweep', async () => {
      const harness = await createWebhookHarness()
      await harness.createWebhook()
      for (let n = 0; n < 4; n++) await harness.post('/products', { title: 'Tea', price: n })
      const bodies = harness.queued.splice(0).map(({ body }) => body)
      expect(bodies).toHaveLength(4)
      const written = vi.spyOn(console, 'error').mockImplementation(() => undefined)
      const { database, trips } = watch(env.DB)
      for (const body of bodies) {
        const batch = createMessageBatch('deliveries', [{ id: body.event, timestamp: new Date(), attempts: 1, body }])
        const acked = vi.spyOn(batch, 'ackAll')
        const context = createExecutionContext()
        await worker.queue(batch, { ...harness.bindings, DB: database, ...wrong }, context)
        await waitOnExecutionContext(context)
        expect(acked).toHaveBeenCalledOnce()
      }
      expect([harness.calls.length, trips.length]).toEqual([0, 0])
      expect(logged(written)).toEqual([expect.objectContaining({ message: 'misconfigured' })])

      vi.setSystemTime(Date.now() + 31_000)
      await runScheduled({ ...harness.bindings, ...wrong })
      expect(harness.queued).toEqual([])
      await runScheduled(harness.bindings)
      expect(harness.queued).toHaveLength(4)
      await harness.deliver()
      expect(harness.calls).toHaveLength(4)
    })
  },
)
