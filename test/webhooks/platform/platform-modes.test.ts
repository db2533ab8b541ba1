import { afterEach, describe, expect, test, vi } from 'vitest'
import { createKey } from '../../support/api.ts'
import { createPlatformWebhook, removePlatformWebhooks } from '../../support/platform-webhook.ts'
import { createWebhookHarness, type WebhookHarness } from '../../support/webhook-harness.ts'

afterEach(async () => {
  vi.restoreAllMocks()
  await removePlatformWebhooks()
})

const paths = ({ calls }: WebhookHarness) =>
  calls.map(({ url, body }) => `${new URL(url).pathname} ${body.data.title} ${body.testMode}`).sort()

describe.each([{}, { home: 'object' as const }])('platform webhooks of a venue in %j', (home) => {
  async function start() {
    const harness = await createWebhookHarness({ mode: 'test', ...home })
    const { key } = await createKey(harness.venue.id, { mode: 'live' })
    const create = (title: string, by: string) =>
      harness.request('POST', harness.path('/products'), { title, price: 1 }, by)
    /** A product of each mode. */
    const createBoth = async () => {
      await create('Tried', harness.venue.key)
      await create('Sold', key)
    }
    return { harness, createBoth }
  }

  test('get the events of live mode, of test mode, or of both', async () => {
    const { harness, createBoth } = await start()
    const live = await createPlatformWebhook(harness, { url: `https://${harness.host}/live` })
    for (const mode of ['test', 'all']) {
      const platform = await createPlatformWebhook(harness, { url: `https://${harness.host}/${mode}` })
      expect((await platform.post('/filter', { mode })).body).toEqual({ mode })
    }
    await createBoth()
    await harness.deliver()
    expect(paths(harness)).toEqual(['/all Sold false', '/all Tried true', '/live Sold false', '/test Tried true'])
    await live.post('/filter', { mode: 'test', changed: { 'product.updated': ['price'] } })
    harness.clear()
    await createBoth()
    await harness.deliver()
    expect(paths(harness)).toEqual(['/all Sold false', '/all Tried true', '/live Tried true', '/test Tried true'])
    expect((await live.post('/filter', { mode: null })).body).toEqual({ changed: { 'product.updated': ['price'] } })
    harness.clear()
    await createBoth()
    await harness.deliver()
    expect(paths(harness)).toContain('/live Sold false')
    expect(paths(harness)).not.toContain('/live Tried true')
  })

  test('try deliveries of test mode again, list them, and send them again', async () => {
    const { harness, createBoth } = await start()
    const platform = await createPlatformWebhook(harness, { events: ['product.created'] })
    await platform.post('/filter', { mode: 'all' })
    let answers = 0
    harness.endpoint = () => new Response(null, { status: answers++ < 2 ? 500 : 204 })
    await createBoth()
    await harness.deliver()
    const [first, second] = harness.calls.splice(0)
    await harness.advance(10)
    expect(harness.calls.map(({ text }) => text).sort()).toEqual([first?.text, second?.text].sort())
    const list = async (query: string) =>
      (await platform.get(`/deliveries?merchant=${harness.venue.id}${query}`)).map(
        ({ testMode, state, type }: Record<string, unknown>) => [testMode, state, type],
      )
    expect(await list('')).toEqual([[false, 'delivered', 'product.created']])
    expect(await list('&mode=live')).toEqual([[false, 'delivered', 'product.created']])
    expect(await list('&mode=test')).toEqual([[true, 'delivered', 'product.created']])
    if (!('home' in home)) {
      const all = await platform.get('/deliveries')
      expect(all.map(({ testMode }: { testMode: boolean }) => testMode).sort()).toEqual([false, true])
      expect(await platform.get('/deliveries?mode=test')).toEqual([expect.objectContaining({ testMode: true })])
    }
    await harness.query(`update deliveries set state = 'failed' where webhook < 0`)
    harness.clear()
    await platform.post('/recover', { since: Math.floor(Date.now() / 1000) - 3_600 })
    await harness.deliver()
    // The directory learns of lost deliveries of an object by their attempts.
    expect(harness.calls).toHaveLength('home' in home ? 0 : 2)
  })
})

test.each(['both', '', 1, ['live']])('%j is no mode', async (mode) => {
  const harness = await createWebhookHarness()
  const platform = await createPlatformWebhook(harness)
  expect((await platform.post('/filter', { mode })).body).toMatchObject({ status: 422, errors: [{ pointer: '/mode' }] })
})
