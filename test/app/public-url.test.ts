import { createExecutionContext, createMessageBatch, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { runScheduled } from '../../src/maintenance.ts'
import { consumeDeliveries } from '../../src/webhooks/consumer.ts'
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
        detail: expect.stringMatching(/^PUBLIC_BASE_URL has .*https:\/\/menu\.example\.com\.$/),
      }),
    }

    test('every API request returns this problem and is logged', async () => {
      const stage = await createWebhookHarness()
      const written = vi.spyOn(console, 'error').mockImplementation(() => undefined)
      const ask = (method: string, path: string, json?: unknown, key?: string) =>
        stage.request(method, path, json, key, wrong)
      for (const [method, path, json] of [
        ['POST', '/products', { title: 'Tea', price: 1 }],
        ['GET', '/products', undefined],
        ['GET', '/events', undefined],
        ['POST', '/events', { type: 'order.created', data: {} }],
        ['POST', '/webhooks', { title: 'Till', url: 'https://hooks.example.com/' }],
        ['GET', '/tags/sheet', undefined],
      ] as const) {
        const answer = await ask(method, stage.path(path), json)
        expect([path, answer]).toEqual([path, expect.objectContaining(problem)])
        expect(answer.headers.get('retry-after')).toBe('60')
      }
      expect(await ask('GET', '/admin/merchants', undefined, adminToken)).toMatchObject(problem)
      expect(await ask('GET', '/health')).toMatchObject(problem)
      expect(logged(written)).toHaveLength(8)
      for (const line of logged(written)) {
        expect(line).toMatchObject({ message: 'misconfigured', requestId: expect.stringMatching(/^req_/) })
      }
      // Without a key the problem stays hidden, and nothing has changed.
      expect((await ask('GET', stage.path('/products'), undefined, 'sk_live_x')).status).toBe(401)
      expect((await ask('GET', '/admin/merchants', undefined, 'x')).status).toBe(401)
      expect((await stage.get('/products')).body).toEqual([])
    })

    test('a scan is still redirected', async () => {
      const stage = await createWebhookHarness()
      await stage.request(
        'POST',
        `/admin/merchants/${stage.venue.id}`,
        { orderingUrl: 'https://o.example/' },
        adminToken,
      )
      const { body: tag } = await stage.post('/tags')
      const [code] = tag.alias
      const scan = await stage.request('GET', `/t/${code}`, undefined, undefined, wrong)
      expect([scan.status, scan.headers.get('location')]).toEqual([302, `https://o.example/?tag=${tag.id}`])
      const written = vi.spyOn(console, 'error').mockImplementation(() => undefined)
      expect(await stage.request('GET', `/t/${code}/qr.png`, undefined, undefined, wrong)).toMatchObject(problem)
      const chip = new URL((await stage.post(`/tags/${tag.id}/nfc-link`)).body.url).pathname
      const page = await stage.request('GET', chip, undefined, undefined, wrong)
      expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
      expect(written).toHaveBeenCalled()
    })

    test('no delivery is attempted: it is logged once and left for the sweep', async () => {
      const stage = await createWebhookHarness()
      await stage.hook()
      for (let n = 0; n < 4; n++) await stage.post('/products', { title: 'Tea', price: n })
      const bodies = stage.rings.splice(0).map(({ body }) => body)
      expect(bodies).toHaveLength(4)
      const written = vi.spyOn(console, 'error').mockImplementation(() => undefined)
      const { database, trips } = watch(env.DB)
      for (const body of bodies) {
        const batch = createMessageBatch('deliveries', [{ id: body.event, timestamp: new Date(), attempts: 1, body }])
        const acked = vi.spyOn(batch, 'ackAll')
        const context = createExecutionContext()
        await consumeDeliveries(batch, { ...stage.bindings, DB: database, ...wrong }, context)
        await waitOnExecutionContext(context)
        expect(acked).toHaveBeenCalledOnce()
      }
      expect([stage.calls.length, trips.length]).toEqual([0, 0])
      expect(logged(written)).toEqual([expect.objectContaining({ message: 'misconfigured' })])

      vi.setSystemTime(Date.now() + 31_000)
      await runScheduled({ ...stage.bindings, ...wrong })
      expect(stage.rings).toEqual([])
      await runScheduled(stage.bindings)
      expect(stage.rings).toHaveLength(4)
      await stage.deliver()
      expect(stage.calls).toHaveLength(4)
    })
  },
)
