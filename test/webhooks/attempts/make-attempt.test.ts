import { afterEach, describe, expect, test, vi } from 'vitest'
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

  /** What the owner changes while a call is in progress. */
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
      ['the failure that reaches the threshold', 500, 9],
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
})
