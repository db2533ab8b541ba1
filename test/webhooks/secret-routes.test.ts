import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createKey } from '../support/api.ts'
import { createWebhookHarness, now } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

const secretForm = /^whsec_[A-Za-z0-9+/]{32}$/

describe('the signing secret', () => {
  test('can be read repeatedly and differs between webhooks', async () => {
    const harness = await createWebhookHarness()
    const [a, b] = [await harness.createWebhook(), await harness.createWebhook()]
    const read = async (id: string) => (await harness.get(`/webhooks/${id}/secret`)).body
    expect(await read(a.id)).toEqual({ secret: expect.stringMatching(secretForm) })
    expect(await read(a.id)).toEqual(await read(a.id))
    expect(await read(a.id)).not.toEqual(await read(b.id))
  })

  test('rotates at once; at most three secrets sign, each for a day after its replacement', async () => {
    const harness = await createWebhookHarness()
    const webhook = await harness.createWebhook()
    const rotate = () => harness.post(`/webhooks/${webhook.id}/secret/rotate`)
    const signatures = async () => {
      await harness.post('/products', { title: 'Tea', price: 1 })
      await harness.deliver()
      return harness.calls.at(-1)?.headers['webhook-signature']?.split(' ').length
    }
    expect(await signatures()).toBe(1)
    for (const count of [2, 3]) {
      const { status, body } = await rotate()
      expect([status, body]).toEqual([200, { secret: expect.stringMatching(secretForm) }])
      expect((await harness.get(`/webhooks/${webhook.id}/secret`)).body).toEqual(body)
      expect(await signatures()).toBe(count)
      await harness.advance(3_600)
    }
    const refused = await rotate()
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    expect(JSON.stringify(refused.body)).not.toContain('whsec_')
    await harness.advance(86_400 - 7_200 - 1)
    expect((await rotate()).status).toBe(409)
    await harness.advance(1)
    expect(await signatures()).toBe(2)
    expect((await rotate()).status).toBe(200)
  })

  test('two concurrent rotations both take effect', async () => {
    const harness = await createWebhookHarness()
    const webhook = await harness.createWebhook()
    const rotations = await Promise.all([1, 2, 3].map(() => harness.post(`/webhooks/${webhook.id}/secret/rotate`)))
    expect(rotations.map(({ status }) => status).sort()).toEqual([200, 200, 409])
    const given = rotations.flatMap(({ body }) => body.secret ?? [])
    expect(given).toContain((await harness.get(`/webhooks/${webhook.id}/secret`)).body.secret)
    const [row] = await harness.query('select secrets from webhooks where id = ?', webhook.id)
    for (const secret of given) expect(row?.['secrets']).toContain(secret)
  })
})

describe('the bearer token', () => {
  test('is returned by create and retrieve, and rotates at once', async () => {
    const harness = await createWebhookHarness()
    const webhook = await harness.createWebhook()
    const kept = async () => (await harness.get(`/webhooks/${webhook.id}`)).body.bearerToken
    expect(await kept()).toBe(webhook.bearerToken)
    const { status, body } = await harness.post(`/webhooks/${webhook.id}/token/rotate`)
    expect([status, Object.keys(body)]).toEqual([200, ['bearerToken']])
    expect(body.bearerToken).not.toBe(webhook.bearerToken)
    expect(await kept()).toBe(body.bearerToken)
  })
})

test('neither is in other responses, events, deliveries, log lines or rows', async () => {
  const harness = await createWebhookHarness()
  const lines = (['log', 'info', 'warn', 'error', 'debug'] as const).map((level) =>
    vi.spyOn(console, level).mockReturnValue(),
  )
  await harness.createWebhook()
  const { body: webhook } = await harness.post('/webhooks', {
    title: 'Till',
    url: `https://${harness.host}/in`,
    events: ['*'],
  })
  const { body: secret } = await harness.get(`/webhooks/${webhook.id}/secret`)
  const secrets = [webhook.bearerToken, secret.secret, secret.secret.slice(6)]
  harness.endpoint = () => new Response(null, { status: 500 })
  const responses = [
    await harness.get('/webhooks'),
    await harness.get('/webhooks?q=till'),
    await harness.get(`/webhooks?ids=${webhook.id}`),
    await harness.post(`/webhooks/${webhook.id}`, { title: 'Bar' }),
    await harness.post(`/webhooks/${webhook.id}`, { url: 'http://10.0.0.1/' }),
    await harness.post(`/webhooks/${webhook.id}`, { bearerToken: 'x' }),
    await harness.post(`/webhooks/${webhook.id}/test`),
    await harness.get('/events'),
  ]
  await harness.deliver()
  harness.queueFails = true
  await harness.advance(10)
  responses.push(await harness.get(`/webhooks/${webhook.id}/deliveries`))
  responses.push(await harness.post(`/webhooks/${webhook.id}`, { active: false }))
  responses.push(await harness.remove(`/webhooks/${webhook.id}`))
  responses.push(await harness.get(`/webhooks/${webhook.id}`))
  responses.push(await harness.get('/events'))
  const texts = [
    JSON.stringify(responses.map(({ body, headers }) => [body, [...headers]])),
    JSON.stringify(harness.calls.map(({ text, url }) => [text, url])),
    JSON.stringify([await harness.events(), await harness.query('select * from deliveries')]),
    JSON.stringify(lines.map((line) => line.mock.calls)),
  ]
  expect(harness.calls.filter(({ body }) => body.data.id === webhook.id).length).toBeGreaterThan(3)
  expect(JSON.stringify(lines.map((line) => line.mock.calls))).toContain('deliveries not enqueued')
  for (const text of texts) for (const secret of secrets) expect(text).not.toContain(secret)
  expect(texts[0]).not.toMatch(/"secrets?"/)
})

describe('a key', () => {
  const paths = (id: string) =>
    [
      ['GET', `/webhooks/${id}/deliveries`, 'webhooks:read'],
      ['GET', `/webhooks/${id}/secret`, 'webhooks:write'],
      ['HEAD', `/webhooks/${id}/secret`, 'webhooks:write'],
      ['POST', `/webhooks/${id}/secret/rotate`, 'webhooks:write'],
      ['POST', `/webhooks/${id}/token/rotate`, 'webhooks:write'],
      ['POST', `/webhooks/${id}/deliveries/evt_none/retry`, 'webhooks:write'],
      ['POST', `/webhooks/${id}/recover`, 'webhooks:write'],
      ['POST', `/webhooks/${id}/test`, 'webhooks:write'],
      ['GET', '/events', 'events:read'],
      ['POST', '/events', 'events:write'],
    ] as const

  test.each([
    ['webhooks:read', ['webhooks:read']],
    ['webhooks:write', ['webhooks:read', 'webhooks:write']],
    ['events:read', ['events:read']],
    ['events:write', ['events:read', 'events:write']],
    ['products:write', []],
  ])('with the scope %s reaches only the operations of this scope', async (scope, covered) => {
    const harness = await createWebhookHarness()
    const webhook = await harness.createWebhook()
    const { key } = await createKey(harness.venue.id, { mode: 'live', scopes: [scope] })
    for (const [method, path, needed] of paths(webhook.id)) {
      const { status, body } = await harness.request(
        method,
        harness.path(path),
        method === 'POST' ? {} : undefined,
        key,
      )
      expect(status === 403, `${method} ${path}`).toBe(!covered.some((one) => one === needed))
      if (status === 403 && method !== 'HEAD')
        expect(body.detail).toMatch(/lacks the scope (webhooks|events):(read|write)/)
    }
  })
})

describe('a webhook', () => {
  test('receives its own webhook.created if it subscribes to it, and no earlier event', async () => {
    const harness = await createWebhookHarness()
    await harness.post('/products', { title: 'Tea', price: 1 })
    const { body: webhook } = await harness.post('/webhooks', {
      title: 'Till',
      url: `https://${harness.host}/in`,
      events: ['webhook.created'],
    })
    await harness.deliver()
    const { bearerToken: _token, secret, ...shown } = webhook
    // The response to create is enough to verify the event of the creation.
    expect(() =>
      new Webhook(secret).verify(harness.calls[0]?.text ?? '', harness.calls[0]?.headers ?? {}),
    ).not.toThrow()
    expect(harness.calls.map(({ body }) => [body.type, body.data])).toEqual([['webhook.created', shown]])
    expect(harness.calls[0]?.headers['authorization']).toBe(`Bearer ${webhook.bearerToken}`)
  })

  test('receives only subscribed events, while it is active', async () => {
    const harness = await createWebhookHarness()
    const subscriptions = [['product.created'], ['product.updated', 'menu.created'], ['*'], [], undefined]
    for (const [index, events] of subscriptions.entries()) {
      await harness.post('/webhooks', { title: `${index}`, url: `https://${harness.host}/${index}`, events })
    }
    const asleep = { title: 'off', url: `https://${harness.host}/off`, events: ['*'], active: false }
    const { body: off } = await harness.post('/webhooks', asleep)
    await harness.deliver()
    harness.clear()
    await harness.post('/products', { title: 'Tea', price: 1 })
    await harness.post('/menus', { title: 'Day' })
    await harness.deliver()
    const heard = harness.calls.map(({ url, body }) => `${new URL(url).pathname} ${body.type}`).sort()
    expect(heard).toEqual(['/0 product.created', '/1 menu.created', '/2 menu.created', '/2 product.created'])
    expect(await harness.log(off.id)).toEqual([])
  })

  test.each(['product.sold', 'product', 'product.*', 'order.deleted', 'webhook.test', '', '**', 'PRODUCT.CREATED'])(
    'cannot listen to %j',
    async (event) => {
      const harness = await createWebhookHarness()
      const url = `https://${harness.host}/in`
      const { status, body } = await harness.post('/webhooks', { title: 'x', url, events: ['*', event] })
      expect([status, body.errors[0].pointer]).toEqual([422, '/events/1'])
    },
  )

  test('deactivated by its owner has no reason and keeps its times and token', async () => {
    const harness = await createWebhookHarness()
    const webhook = await harness.createWebhook()
    await env.DB.prepare(`update webhooks set disabled_reason = 'x' where id = ?`).bind(webhook.id).run()
    await harness.post(`/webhooks/${webhook.id}`, { active: false })
    const { body } = await harness.post(`/webhooks/${webhook.id}`, { active: true })
    expect(body).not.toHaveProperty('disabledReason')
    expect(body.createdAt).toBeLessThanOrEqual(now())
    expect((await harness.get(`/webhooks/${webhook.id}`)).body.bearerToken).toBe(webhook.bearerToken)
    expect((await harness.post(`/webhooks/${webhook.id}`, { disabledReason: 'x' })).body.errors[0].code).toBe(
      'read_only_field',
    )
  })
})
