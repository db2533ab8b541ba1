import { afterEach, describe, expect, test, vi } from 'vitest'
import { admin, damage, listIds, toNextPage } from '../admin/damage.ts'
import { createWebhookHarness } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

describe('the events feed', () => {
  test.each([
    [`row = '[5]'`, 'row'],
    [`row = '{'`, 'row'],
    [`row = json_set(row, '$.price', 'much')`, 'row'],
    [`version = 'x'`, 'version'],
    [`at = 9e99`, 'at'],
    [`previous = '['`, 'previous'],
    [`type = x'00'`, 'type'],
  ])('omits an event with %s and continues after it', async (set, field) => {
    const harness = await createWebhookHarness()
    for (const title of ['One', 'Two', 'Three']) await harness.post('/products', { title, price: 1 })
    const [first, second, third] = await harness.events()
    await damage(`update events set ${set} where id = ?`, second?.['id'])
    const pages = await listIds(harness, '/events?limit=1')
    expect(pages).toEqual([[first?.['id']], [], [third?.['id']]])
    expect((await admin(harness, '/damaged')).body).toEqual([{ table: 'events', id: second?.['id'], fields: [field] }])
  })

  test('fails a damaged event once and does not count it against the endpoint', async () => {
    const harness = await createWebhookHarness()
    const webhook = await harness.createWebhook({ events: ['product.created'] })
    await harness.post('/products', { title: 'One', price: 1 })
    await damage(`update events set row = '[5]' where merchant_id = ? and type = 'product.created'`, harness.venue.id)
    await harness.post('/products', { title: 'Two', price: 1 })
    await harness.deliver()
    await harness.advance(600)
    await harness.sweep()
    await harness.deliver()
    expect(harness.calls.map(({ body }) => body.data.title)).toEqual(['Two'])
    expect(await harness.log(webhook.id)).toMatchObject([
      { state: 'delivered' },
      { state: 'failed', attempts: [{ number: 1, error: expect.stringMatching(/cannot be read/) }] },
    ])
    expect(await harness.query('select failures from webhooks where id = ?', webhook.id)).toEqual([{ failures: 0 }])
  })

  test('fails deliveries to a webhook with damaged secrets once', async () => {
    const harness = await createWebhookHarness()
    const webhook = await harness.createWebhook({ events: ['product.created'] })
    await damage(`update webhooks set secrets = '[5' where id = ?`, webhook.id)
    await harness.post('/products', { title: 'One', price: 1 })
    await harness.deliver()
    await harness.advance(600)
    expect(await harness.sweep()).toBe(0)
    expect(harness.calls).toEqual([])
    expect(await harness.log(webhook.id)).toMatchObject([{ state: 'failed' }])
    expect((await harness.request('GET', harness.path(`/webhooks/${webhook.id}/secret`))).body.code).toBe('damaged')
  })
})

test('the delivery log omits a damaged delivery', async () => {
  const harness = await createWebhookHarness()
  const webhook = await harness.createWebhook({ events: ['product.created'] })
  for (const title of ['One', 'Two', 'Three']) await harness.post('/products', { title, price: 1 })
  await harness.deliver()
  const [one, two, three] = (await harness.deliveries()).map(({ event }) => event)
  for (const set of [`attempts = '[5]'`, `attempts = '['`, `state = 'lost'`, `created_at = x'00'`]) {
    const [before] = await harness.query('select * from deliveries where event = ?', two)
    await damage(`update deliveries set ${set} where event = ?`, two)
    const pages: unknown[] = []
    for (
      let url: URL | undefined = new URL(
        harness.path(`/webhooks/${webhook.id}/deliveries?limit=1`),
        'https://api.test',
      );
      url;
    ) {
      const response = await harness.request('GET', url.pathname + url.search)
      pages.push(response.body.map(({ eventId }: { eventId: string }) => eventId))
      url = toNextPage(response)
    }
    expect([set, ...pages]).toEqual([set, [three], [], [one]])
    expect((await admin(harness, '/damaged')).body).toEqual([
      { table: 'deliveries', id: two, fields: [set.split(' ')[0]] },
    ])
    await damage(
      'update deliveries set attempts = ?, state = ?, created_at = ? where event = ?',
      before?.['attempts'],
      before?.['state'],
      before?.['created_at'],
      two,
    )
  }
})

test('the audit log omits a damaged entry', async () => {
  const harness = await createWebhookHarness()
  for (const title of ['One', 'Two', 'Three']) await harness.post('/products', { title, price: 1 })
  const { body: all } = await harness.get('/audit?operation=products.create')
  await damage(`update audit set at = 'once' where id = ?`, all[1].id)
  expect(await listIds(harness, '/audit?operation=products.create&limit=1')).toEqual([[all[0].id], [], [all[2].id]])
  expect((await admin(harness, '/damaged')).body).toEqual([{ table: 'audit', id: all[1].id, fields: ['at'] }])
})
