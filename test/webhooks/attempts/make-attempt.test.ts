import { afterEach, describe, expect, test, vi } from 'vitest'
import { circuitBreaker } from '../../../src/platform/outbox/circuit-breaker.ts'
import { deactivationThreshold } from '../../../src/webhooks/deactivation.ts'
import { createWebhookHarness, now, type WebhookHarness } from '../../support/webhook-harness.ts'
import { setFailures, states } from '../failing-webhooks.ts'

afterEach(() => vi.restoreAllMocks())

describe('during a call', () => {
  test.each([
    [200, 'delivered'],
    [500, 'cancelled'],
  ])('a webhook is deactivated: a response of %i leaves the delivery %s', async (status, state) => {
    const harness = await createWebhookHarness()
    const { webhook } = await harness.createWebhookAndProduct()
    harness.endpoint = async () => {
      await harness.post(`/webhooks/${webhook.id}`, { active: false })
      return new Response(null, { status })
    }
    await harness.deliver()
    await harness.advance(3600)
    expect(await harness.sweep()).toBe(0)
    expect(await harness.log(webhook.id)).toMatchObject([{ state, attempts: [{ status }] }])
    expect(harness.calls).toHaveLength(1)
  })

  /** Changes by the owner while a call is in progress. */
  const changes: [what: string, change: (harness: WebhookHarness, id: string) => Promise<unknown>, path: string][] = [
    [
      'gets another address',
      (harness, id) => harness.post(`/webhooks/${id}`, { url: `https://${harness.host}/new` }),
      'new',
    ],
    [
      'is activated again',
      async (harness, id) => {
        await harness.post(`/webhooks/${id}`, { active: false })
        await harness.post(`/webhooks/${id}`, { active: true })
        await harness.post(`/webhooks/${id}/recover`, { since: now() - 60 })
      },
      'in',
    ],
  ]
  describe.each(changes)('a webhook %s:', (_what, change, path) => {
    /** A webhook that changes during its first call, which gets a response of `status`; later ones are accepted. */
    async function changedDuringCall(status: number, failures = 0) {
      const harness = await createWebhookHarness()
      const { webhook } = await harness.createWebhookAndProduct()
      if (failures > 0) await setFailures(webhook.id, failures, now() - deactivationThreshold.days * 86_400)
      harness.endpoint = async (_call, number) => {
        if (number > 1) return new Response()
        await change(harness, webhook.id)
        return new Response(null, { status })
      }
      await harness.deliver()
      return { harness, webhook }
    }

    test.each([
      ['410', 410, 0],
      ['the failure that reaches the threshold', 500, deactivationThreshold.failures - 1],
    ])('%s does not deactivate it', async (_response, status, failures) => {
      const { harness, webhook } = await changedDuringCall(status, failures)
      const { body } = await harness.get(`/webhooks/${webhook.id}`)
      expect([body.url, body.active]).toEqual([`https://${harness.host}/${path}`, true])
      expect(await harness.query('select failures, failing_since from webhooks where id = ?', webhook.id)).toEqual([
        { failures: 0, failing_since: null },
      ])
      await harness.advance(60)
      await harness.sweep()
      await harness.deliver()
      expect(harness.calls.map(({ url }) => url)).toEqual([webhook.url, body.url])
      expect(await states(harness, webhook.id)).toEqual(['delivered'])
    })
  })

  test.each([200, 410, 500])('a webhook is deleted: a response of %i changes nothing', async (status) => {
    const harness = await createWebhookHarness()
    const { webhook } = await harness.createWebhookAndProduct()
    const log = vi.spyOn(console, 'error').mockReturnValue()
    harness.endpoint = async () => {
      await harness.remove(`/webhooks/${webhook.id}`)
      return new Response(null, { status })
    }
    await harness.deliver()
    await harness.advance(3600)
    expect(await harness.sweep()).toBe(0)
    expect(harness.calls).toHaveLength(1)
    expect(log).not.toHaveBeenCalled()
  })

  test('an endpoint is broken by other calls: a success releases its deliveries', async () => {
    const harness = await createWebhookHarness()
    const webhook = await harness.createWebhook({ events: ['order.created'] })
    const { failures } = circuitBreaker
    for (let n = 0; n < 2 * failures + 5; n++) await harness.post('/events', { type: 'order.created', data: {} })
    const messages = harness.queued.splice(0)
    const [called, parked] = [messages.slice(0, 2 * failures), messages.slice(2 * failures)]
    const readState = async () =>
      (await harness.query('select failures, probe_at from webhooks where id = ?', webhook.id))[0]
    async function waitUntilBroken() {
      while ((await readState())?.['failures'] !== failures) await scheduler.wait(5)
    }
    const { promise: allAreCalled, resolve } = Promise.withResolvers<void>()
    let isBroken: Promise<void> | undefined
    harness.endpoint = async (_call, number) => {
      if (number === called.length) resolve()
      await allAreCalled
      if (number <= failures) return new Response(null, { status: 429 })
      isBroken ??= waitUntilBroken()
      await isBroken
      return new Response()
    }
    // Four consumers at once, each with a batch.
    await Promise.all([0, 5, 10, 15].map((start) => harness.consume(called.slice(start, start + 5))))
    expect(await readState()).toEqual({ failures: 0, probe_at: null })
    // One wave, and the message of the next call, which the last failure has enqueued.
    const released = harness.queued.filter(({ body }) => body.n === 1).map(({ body }) => body.event)
    expect(released).toHaveLength(parked.length + 1)
    expect(new Set(released)).toEqual(new Set(parked.map(({ body }) => body.event)))
  })
})
