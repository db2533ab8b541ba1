import { afterEach, describe, expect, test, vi } from 'vitest'
import { runScheduled } from '../../../src/app/maintenance/maintenance.ts'
import { dump } from '../../support/d1.ts'
import { createWebhookHarness } from '../../support/webhook-harness.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const person = { firstName: 'Zoëlle', lastName: 'Núñezowa', email: 'zoe.n@example.com', phone: '+44 20 7946 0123' }
/** The texts of the person that any table contains. */
async function findTraces() {
  const everything = await dump()
  return Object.values(person).filter((text) => everything.includes(text))
}

describe('an erased customer', () => {
  test('is sent to receivers; pending deliveries send only the id', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhook()
    harness.endpoint = ({ text }) => new Response(text, { status: 500 })
    const { body: customer } = await harness.post('/customers', person)
    await harness.deliver()
    expect(await findTraces()).toContain('Núñezowa')
    harness.calls.length = 0
    await harness.post(`/customers/${customer.id}/erase`)
    expect(await findTraces()).toEqual([])
    harness.endpoint = () => new Response()
    await harness.advance(3_600)
    await harness.sweep()
    await harness.deliver()
    expect(harness.calls.map(({ body }) => [body.type, body.data.firstName ?? '']).sort()).toEqual([
      ['customer.created', ''],
      ['customer.erased', ''],
    ])
    expect(harness.calls.map(({ text }) => text).join()).not.toContain('zoe.n')
  })

  test('is gone from what the endpoint of a deleted webhook responded, after the next purge', async () => {
    const harness = await createWebhookHarness()
    const webhook = await harness.createWebhook()
    harness.endpoint = ({ text }) => new Response(text, { status: 500 })
    const { body: customer } = await harness.post('/customers', person)
    await harness.deliver()
    await harness.remove(`/webhooks/${webhook.id}`)
    await harness.post(`/customers/${customer.id}/erase`)
    expect(await findTraces()).not.toEqual([])
    await runScheduled(harness.bindings)
    expect(await findTraces()).toEqual([])
  })

  test.each([500, 200])('does not come back with an attempt under way that gets %i', async (status) => {
    const harness = await createWebhookHarness()
    const webhook = await harness.createWebhook()
    let id = ''
    harness.endpoint = async ({ text }) => {
      if (id !== '') await harness.post(`/customers/${id}/erase`)
      return new Response(text, { status })
    }
    const { body } = await harness.post('/customers', person)
    id = body.id
    await harness.deliver()
    expect(await findTraces()).toEqual([])
    const log = await harness.log(webhook.id)
    const entry = log.find(({ type }: { type: string }) => type === 'customer.created')
    expect(entry.attempts).toEqual([{ number: 1, at: expect.any(Number), durationMs: expect.any(Number), status }])
  })
})
