import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createKey } from '../support/api.ts'
import { createWebhookHarness, now } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

const secretForm = /^whsec_[A-Za-z0-9+/]{32}$/

describe('the signing secret', () => {
  test('can be read repeatedly and differs between webhooks', async () => {
    const stage = await createWebhookHarness()
    const [a, b] = [await stage.hook(), await stage.hook()]
    const read = async (id: string) => (await stage.get(`/webhooks/${id}/secret`)).body
    expect(await read(a.id)).toEqual({ secret: expect.stringMatching(secretForm) })
    expect(await read(a.id)).toEqual(await read(a.id))
    expect(await read(a.id)).not.toEqual(await read(b.id))
  })

  test('rotates at once; at most three secrets sign, each for a day after its replacement', async () => {
    const stage = await createWebhookHarness()
    const webhook = await stage.hook()
    const rotate = () => stage.post(`/webhooks/${webhook.id}/secret/rotate`)
    const signatures = async () => {
      await stage.post('/products', { title: 'Tea', price: 1 })
      await stage.deliver()
      return stage.calls.at(-1)?.headers['webhook-signature']?.split(' ').length
    }
    expect(await signatures()).toBe(1)
    for (const count of [2, 3]) {
      const { status, body } = await rotate()
      expect([status, body]).toEqual([200, { secret: expect.stringMatching(secretForm) }])
      expect((await stage.get(`/webhooks/${webhook.id}/secret`)).body).toEqual(body)
      expect(await signatures()).toBe(count)
      await stage.pass(3_600)
    }
    const refused = await rotate()
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    expect(JSON.stringify(refused.body)).not.toContain('whsec_')
    await stage.pass(86_400 - 7_200 - 1)
    expect((await rotate()).status).toBe(409)
    await stage.pass(1)
    expect(await signatures()).toBe(2)
    expect((await rotate()).status).toBe(200)
  })

  test('two concurrent rotations both take effect', async () => {
    const stage = await createWebhookHarness()
    const webhook = await stage.hook()
    const rotations = await Promise.all([1, 2, 3].map(() => stage.post(`/webhooks/${webhook.id}/secret/rotate`)))
    expect(rotations.map(({ status }) => status).sort()).toEqual([200, 200, 409])
    const given = rotations.flatMap(({ body }) => body.secret ?? [])
    expect(given).toContain((await stage.get(`/webhooks/${webhook.id}/secret`)).body.secret)
    const [row] = await stage.query('select secrets from webhooks where id = ?', webhook.id)
    for (const secret of given) expect(row?.['secrets']).toContain(secret)
  })
})

describe('the bearer token', () => {
  test('is returned by create and retrieve, and rotates at once', async () => {
    const stage = await createWebhookHarness()
    const webhook = await stage.hook()
    const kept = async () => (await stage.get(`/webhooks/${webhook.id}`)).body.bearerToken
    expect(await kept()).toBe(webhook.bearerToken)
    const { status, body } = await stage.post(`/webhooks/${webhook.id}/token/rotate`)
    expect([status, Object.keys(body)]).toEqual([200, ['bearerToken']])
    expect(body.bearerToken).not.toBe(webhook.bearerToken)
    expect(await kept()).toBe(body.bearerToken)
  })
})

test('neither is in other responses, events, deliveries, log lines or rows', async () => {
  const stage = await createWebhookHarness()
  const lines = (['log', 'info', 'warn', 'error', 'debug'] as const).map((level) =>
    vi.spyOn(console, level).mockReturnValue(),
  )
  await stage.hook()
  const { body: webhook } = await stage.post('/webhooks', {
    title: 'Till',
    url: `https://${stage.host}/in`,
    events: ['*'],
  })
  const { body: secret } = await stage.get(`/webhooks/${webhook.id}/secret`)
  const secrets = [webhook.bearerToken, secret.secret, secret.secret.slice(6)]
  stage.endpoint = () => new Response(null, { status: 500 })
  const answers = [
    await stage.get('/webhooks'),
    await stage.get('/webhooks?q=till'),
    await stage.get(`/webhooks?ids=${webhook.id}`),
    await stage.post(`/webhooks/${webhook.id}`, { title: 'Bar' }),
    await stage.post(`/webhooks/${webhook.id}`, { url: 'http://10.0.0.1/' }),
    await stage.post(`/webhooks/${webhook.id}`, { bearerToken: 'x' }),
    await stage.post(`/webhooks/${webhook.id}/test`),
    await stage.get('/events'),
  ]
  await stage.deliver()
  stage.queueFails = true
  await stage.pass(10)
  answers.push(await stage.get(`/webhooks/${webhook.id}/deliveries`))
  answers.push(await stage.post(`/webhooks/${webhook.id}`, { active: false }))
  answers.push(await stage.remove(`/webhooks/${webhook.id}`))
  answers.push(await stage.get(`/webhooks/${webhook.id}`))
  answers.push(await stage.get('/events'))
  const texts = [
    JSON.stringify(answers.map(({ body, headers }) => [body, [...headers]])),
    JSON.stringify(stage.calls.map(({ text, url }) => [text, url])),
    JSON.stringify([await stage.events(), await stage.query('select * from deliveries')]),
    JSON.stringify(lines.map((line) => line.mock.calls)),
  ]
  expect(stage.calls.filter(({ body }) => body.data.id === webhook.id).length).toBeGreaterThan(3)
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
    const stage = await createWebhookHarness()
    const webhook = await stage.hook()
    const { key } = await createKey(stage.venue.id, { mode: 'live', scopes: [scope] })
    for (const [method, path, needed] of paths(webhook.id)) {
      const { status, body } = await stage.request(method, stage.path(path), method === 'POST' ? {} : undefined, key)
      expect(status === 403, `${method} ${path}`).toBe(!covered.some((one) => one === needed))
      if (status === 403 && method !== 'HEAD')
        expect(body.detail).toMatch(/lacks the scope (webhooks|events):(read|write)/)
    }
  })
})

describe('a webhook', () => {
  test('receives its own webhook.created if it subscribes to it, and no earlier event', async () => {
    const stage = await createWebhookHarness()
    await stage.post('/products', { title: 'Tea', price: 1 })
    const { body: webhook } = await stage.post('/webhooks', {
      title: 'Till',
      url: `https://${stage.host}/in`,
      events: ['webhook.created'],
    })
    await stage.deliver()
    const { bearerToken: _token, secret, ...shown } = webhook
    // With the answer to create alone, its own creation can be verified.
    expect(() => new Webhook(secret).verify(stage.calls[0]?.text ?? '', stage.calls[0]?.headers ?? {})).not.toThrow()
    expect(stage.calls.map(({ body }) => [body.type, body.data])).toEqual([['webhook.created', shown]])
    expect(stage.calls[0]?.headers['authorization']).toBe(`Bearer ${webhook.bearerToken}`)
  })

  test('receives only subscribed events, while it is active', async () => {
    const stage = await createWebhookHarness()
    const subscriptions = [['product.created'], ['product.updated', 'menu.created'], ['*'], [], undefined]
    for (const [index, events] of subscriptions.entries()) {
      await stage.post('/webhooks', { title: `${index}`, url: `https://${stage.host}/${index}`, events })
    }
    const asleep = { title: 'off', url: `https://${stage.host}/off`, events: ['*'], active: false }
    const { body: off } = await stage.post('/webhooks', asleep)
    await stage.deliver()
    stage.forget()
    await stage.post('/products', { title: 'Tea', price: 1 })
    await stage.post('/menus', { title: 'Day' })
    await stage.deliver()
    const heard = stage.calls.map(({ url, body }) => `${new URL(url).pathname} ${body.type}`).sort()
    expect(heard).toEqual(['/0 product.created', '/1 menu.created', '/2 menu.created', '/2 product.created'])
    expect(await stage.log(off.id)).toEqual([])
  })

  test.each(['product.sold', 'product', 'product.*', 'order.updated', 'webhook.test', '', '**', 'PRODUCT.CREATED'])(
    'cannot listen to %j',
    async (event) => {
      const stage = await createWebhookHarness()
      const url = `https://${stage.host}/in`
      const { status, body } = await stage.post('/webhooks', { title: 'x', url, events: ['*', event] })
      expect([status, body.errors[0].pointer]).toEqual([422, '/events/1'])
    },
  )

  test('deactivated by its owner has no reason and keeps its times and token', async () => {
    const stage = await createWebhookHarness()
    const webhook = await stage.hook()
    await env.DB.prepare(`update webhooks set disabled_reason = 'x' where id = ?`).bind(webhook.id).run()
    await stage.post(`/webhooks/${webhook.id}`, { active: false })
    const { body } = await stage.post(`/webhooks/${webhook.id}`, { active: true })
    expect(body).not.toHaveProperty('disabledReason')
    expect(body.createdAt).toBeLessThanOrEqual(now())
    expect((await stage.get(`/webhooks/${webhook.id}`)).body.bearerToken).toBe(webhook.bearerToken)
    expect((await stage.post(`/webhooks/${webhook.id}`, { disabledReason: 'x' })).body.errors[0].code).toBe(
      'read_only_field',
    )
  })
})
