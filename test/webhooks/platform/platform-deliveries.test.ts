import { afterEach, describe, expect, test, vi } from 'vitest'
import { createVenue } from '../../support/api.ts'
import { createPlatformWebhook, removePlatformWebhooks } from '../../support/platform-webhook.ts'
import { createWebhookHarness } from '../../support/webhook-harness.ts'

afterEach(async () => {
  vi.restoreAllMocks()
  await removePlatformWebhooks()
})
const homes = [{ home: undefined }, { home: 'object' as const }]

describe.each(homes)('a platform webhook of a venue in $home', ({ home }) => {
  const start = () => createWebhookHarness(home ? { home } : {})

  test('gets the events of the venue, once, with the body that a webhook of the venue gets', async () => {
    const harness = await start()
    const platform = await createPlatformWebhook(harness, { events: ['product.created'] })
    await harness.createWebhook()
    harness.clear()
    const { body: product } = await harness.post('/products', { title: 'Tea', price: 4.5 })
    await harness.deliver()
    expect(harness.calls.map(({ url }) => new URL(url).pathname).sort()).toEqual(['/all', '/in'])
    const [first, second] = harness.calls
    expect(first?.text).toBe(second?.text)
    expect(first?.body).toMatchObject({
      type: 'product.created',
      merchantId: harness.venue.id,
      data: { id: product.id },
    })
    const [{ webhook } = {}, ...others] = await platform.deliveries()
    expect([Number(webhook) < 0, others]).toEqual([true, []])
    const log = await platform.get(`/deliveries?merchant=${harness.venue.id}`)
    expect(log).toMatchObject([
      { eventId: first?.body.id, type: 'product.created', merchantId: harness.venue.id, state: 'delivered' },
    ])
    // Messages can be delivered twice.
    await harness.consume([
      {
        queueName: 'deliveries',
        at: 0,
        body: { merchant: harness.venue.id, webhook: Number(webhook), event: first?.body.id, n: 1 },
      },
    ])
    expect(harness.calls).toHaveLength(2)
  })

  test('is tried again after a failure, with the same bytes', async () => {
    const harness = await start()
    const platform = await createPlatformWebhook(harness)
    harness.endpoint = (_call, number) => new Response(null, { status: number === 1 ? 500 : 200 })
    await harness.post('/products', { title: 'Tea', price: 4.5 })
    await harness.deliver()
    expect(await platform.stored()).toMatchObject({ failures: 1 })
    await harness.advance(7)
    expect(harness.calls).toHaveLength(2)
    expect(harness.calls[0]?.text).toBe(harness.calls[1]?.text)
    expect(await platform.deliveries()).toMatchObject([{ state: 'delivered', attempt: 2 }])
    expect(await platform.stored()).toMatchObject({ failures: 0, failing_since: null })
  })

  test('gets a delivery whose message was lost', async () => {
    const harness = await start()
    const platform = await createPlatformWebhook(harness)
    harness.queueFails = true
    vi.spyOn(console, 'warn').mockReturnValue()
    await harness.post('/products', { title: 'Tea', price: 4.5 })
    harness.queueFails = false
    await harness.advance(31)
    await harness.maintain()
    await harness.deliver()
    expect(harness.calls).toHaveLength(1)
    expect(await platform.deliveries()).toMatchObject([{ state: 'delivered' }])
  })
})

test('types and merchants select the events; * excludes those of customers', async () => {
  const harness = await createWebhookHarness()
  const other = await createVenue()
  const all = await createPlatformWebhook(harness)
  await createPlatformWebhook(harness, { url: `https://${harness.host}/people`, events: ['customer.created'] })
  await createPlatformWebhook(harness, { url: `https://${harness.host}/one`, merchants: [other.id] })
  await harness.post('/customers', { firstName: 'Ana', lastName: 'Guest' })
  await harness.post('/products', { title: 'Tea', price: 4.5 })
  await harness.deliver()
  expect(harness.calls.map(({ url, body }) => [new URL(url).pathname, body.type])).toEqual([
    ['/people', 'customer.created'],
    ['/all', 'product.created'],
  ])
  await all.post('/filter', { where: { 'product.*': { visible: false } }, fields: { 'product.*': ['title'] } })
  harness.clear()
  await harness.post('/products', { title: 'Seen', price: 4.5 })
  await harness.post('/products', { title: 'Hidden', price: 4.5, visible: false })
  await harness.deliver()
  expect(harness.calls.map(({ body }) => Object.keys(body.data).sort().join())).toEqual(['id,title'])
})
