import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { deactivationThreshold } from '../../src/webhooks/deactivation.ts'
import { createWebhookHarness, now } from '../support/webhook-harness.ts'
import { failing, setFailures, states } from './failing-webhooks.ts'

afterEach(() => vi.restoreAllMocks())

describe('410 Gone', () => {
  test('deactivates the webhook with a reason, raises an event and cancels pending deliveries', async () => {
    const harness = await createWebhookHarness()
    const watcher = await harness.createWebhook({
      title: 'Watcher',
      url: `https://watch.${harness.host}/`,
      events: ['webhook.updated'],
    })
    const { webhook } = await harness.createWebhookAndProduct()
    for (const title of ['Cake', 'Milk']) await harness.post('/products', { title, price: 1 })
    harness.endpoint = ({ url }) => new Response(null, { status: url.includes('watch') ? 200 : 410 })
    const [first, ...later] = harness.queued.splice(0)
    if (!first) throw new Error('nothing was rung')
    await harness.consume([first])
    expect(harness.calls).toHaveLength(1)
    const { body: now } = await harness.get(`/webhooks/${webhook.id}`)
    expect(now).toMatchObject({ active: false, disabledReason: 'The endpoint returned 410 Gone.' })
    expect(now.updatedAt).toBeGreaterThanOrEqual(webhook.updatedAt)
    expect(await states(harness, webhook.id)).toEqual(['cancelled', 'cancelled', 'failed'])
    await harness.consume(later)
    await harness.deliver()
    const [notified, ...more] = harness.calls.slice(1)
    expect(more).toEqual([])
    expect(notified).toMatchObject({
      url: watcher.url,
      body: {
        type: 'webhook.updated',
        data: { id: webhook.id, active: false, disabledReason: now.disabledReason },
        previous: { active: true, disabledReason: null },
      },
    })
  })

  test('ends when the webhook is activated; recover resends cancelled deliveries', async () => {
    const harness = await createWebhookHarness()
    const { webhook } = await harness.createWebhookAndProduct()
    const since = now()
    harness.endpoint = () => new Response(null, { status: 410 })
    await harness.deliver()
    const { body } = await harness.post(`/webhooks/${webhook.id}`, { active: true })
    expect(body).not.toHaveProperty('disabledReason')
    await harness.advance(3600)
    await harness.sweep()
    await harness.deliver()
    expect(harness.calls).toHaveLength(1)
    harness.endpoint = () => new Response()
    expect((await harness.post(`/webhooks/${webhook.id}/recover`, { since })).body).toEqual({ recovered: 1 })
    await harness.deliver()
    expect(await harness.log(webhook.id)).toMatchObject([
      {
        state: 'delivered',
        attempts: [
          { number: 1, status: 410 },
          { number: 2, status: 200 },
        ],
      },
    ])
  })
})

const { days, failures: enough } = deactivationThreshold

describe(`${days} days without a success`, () => {
  const threshold = days * 86_400

  test.each([
    [`and ${enough} failures switch the webhook off`, enough - 1, threshold, false],
    [`and ${enough - 1} failures do not`, enough - 2, threshold, true],
    ['less a second and many failures do not', 50 * enough, threshold - 1, true],
  ])('%s', async (_what, failures, seconds, active) => {
    const harness = await createWebhookHarness()
    const { webhook } = await harness.createWebhookAndProduct()
    harness.endpoint = failing
    await setFailures(webhook.id, failures, now() - seconds)
    await harness.deliver()
    expect(harness.calls).toHaveLength(1)
    const { body } = await harness.get(`/webhooks/${webhook.id}`)
    expect(body.active).toBe(active)
    if (active) expect(body).not.toHaveProperty('disabledReason')
    else expect(body.disabledReason).toBe(`The endpoint accepted no delivery for ${days} days, in ${enough} attempts.`)
    expect(await states(harness, webhook.id)).toEqual([active ? 'pending' : 'cancelled'])
  })

  test('start again after a success, a new address and an activation', async () => {
    const harness = await createWebhookHarness()
    const { webhook } = await harness.createWebhookAndProduct()
    const counted = async () =>
      (await harness.query('select failures, failing_since from webhooks where id = ?', webhook.id))[0]
    const anew = { failures: 0, failing_since: null }
    await setFailures(webhook.id, enough - 1, now() - threshold)
    await harness.deliver()
    expect(await counted()).toEqual(anew)
    await setFailures(webhook.id, enough - 1, now() - threshold)
    await harness.post(`/webhooks/${webhook.id}`, { title: 'Another title' })
    expect(await counted()).not.toEqual(anew)
    await harness.post(`/webhooks/${webhook.id}`, { url: `https://${harness.host}/other` })
    expect(await counted()).toEqual(anew)
    await harness.post(`/webhooks/${webhook.id}`, { active: false })
    await setFailures(webhook.id, enough - 1, now() - threshold)
    await harness.post(`/webhooks/${webhook.id}`, { active: true })
    expect(await counted()).toEqual(anew)
  })
})

describe('between two attempts', () => {
  async function failedOnce() {
    const harness = await createWebhookHarness()
    const scene = await harness.createWebhookAndProduct()
    harness.endpoint = failing
    await harness.deliver()
    harness.endpoint = () => new Response()
    return { harness, ...scene }
  }

  test('a deactivated webhook receives nothing', async () => {
    const { harness, webhook } = await failedOnce()
    await harness.post(`/webhooks/${webhook.id}`, { active: false })
    expect(await states(harness, webhook.id)).toEqual(['cancelled'])
    await harness.advance(3600)
    expect(await harness.sweep()).toBe(0)
    expect(harness.calls).toHaveLength(1)
    expect((await harness.get(`/webhooks/${webhook.id}`)).body).not.toHaveProperty('disabledReason')
  })

  test('a deleted webhook receives nothing', async () => {
    const { harness, webhook } = await failedOnce()
    await harness.remove(`/webhooks/${webhook.id}`)
    await harness.advance(3600)
    expect(await harness.sweep()).toBe(0)
    expect(harness.calls).toHaveLength(1)
  })

  test('an inactive webhook receives nothing, even if its deliveries are not cancelled', async () => {
    const { harness, webhook } = await failedOnce()
    await env.DB.prepare('update webhooks set active = 0 where id = ?').bind(webhook.id).run()
    await harness.advance(10)
    expect(harness.calls).toHaveLength(1)
    expect(await states(harness, webhook.id)).toEqual(['cancelled'])
  })

  test('a new webhook never gets the deliveries of a deleted one', async () => {
    const { harness, webhook } = await failedOnce()
    await harness.remove(`/webhooks/${webhook.id}`)
    const other = await createWebhookHarness()
    const { body: made } = await other.post('/webhooks', { title: 'New', url: `https://${other.host}/` })
    expect(await other.log(made.id)).toEqual([])
    expect((await other.post(`/webhooks/${made.id}/recover`, { since: now() - 60 })).body).toEqual({ recovered: 0 })
  })

  test('the sweep cancels deliveries of a webhook that does not exist', async () => {
    const { harness, webhook } = await failedOnce()
    await env.DB.prepare('delete from webhooks where id = ?').bind(webhook.id).run()
    await harness.advance(3600)
    await harness.sweep()
    await harness.deliver()
    expect(harness.calls).toHaveLength(1)
    expect(await harness.sweep()).toBe(0)
  })

  test('the next attempt uses a changed address', async () => {
    const { harness, webhook } = await failedOnce()
    await harness.post(`/webhooks/${webhook.id}`, { url: `https://${harness.host}/moved` })
    await harness.advance(10)
    expect(harness.calls.map(({ url }) => url)).toEqual([webhook.url, `https://${harness.host}/moved`])
    expect(harness.calls[1]?.text).toBe(harness.calls[0]?.text)
  })

  test('a webhook that unsubscribed still receives earlier events', async () => {
    const { harness, webhook } = await failedOnce()
    await harness.post(`/webhooks/${webhook.id}`, { events: [] })
    await harness.advance(10)
    expect(harness.calls).toHaveLength(2)
  })

  test('the old and the new secret sign for a day', async () => {
    const { harness, webhook } = await failedOnce()
    const secret = async () => (await harness.get(`/webhooks/${webhook.id}/secret`)).body.secret
    const old = await secret()
    const { body: rotated } = await harness.post(`/webhooks/${webhook.id}/secret/rotate`)
    expect(await secret()).toBe(rotated.secret)
    const accepts = (key: string) => {
      const { text = '', headers = {} } = harness.calls.at(-1) ?? {}
      return new Webhook(key).verify(text, headers)
    }
    await harness.advance(10)
    expect(harness.calls).toHaveLength(2)
    for (const key of [old, rotated.secret]) expect(accepts(key)).toMatchObject({ type: 'product.created' })
    await harness.advance(86_400)
    await harness.post('/products', { title: 'Cake', price: 1 })
    await harness.deliver()
    expect(accepts(rotated.secret)).toMatchObject({ data: { title: 'Cake' } })
    expect(() => accepts(old)).toThrow()
  })

  test('a new token replaces the old one', async () => {
    const { harness, webhook } = await failedOnce()
    const { body } = await harness.post(`/webhooks/${webhook.id}/token/rotate`)
    await harness.advance(10)
    expect(harness.calls.map(({ headers }) => headers['authorization'])).toEqual([
      `Bearer ${webhook.bearerToken}`,
      `Bearer ${body.bearerToken}`,
    ])
  })
})
