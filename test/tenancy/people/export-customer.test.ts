import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import { exportPageRows } from '../../../src/tenancy/people/export-customer.ts'
import { createKey, createVenue } from '../../support/api.ts'
import { watch } from '../../support/d1.ts'
import { createWebhookHarness } from '../../support/webhook-harness.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const person = { firstName: 'Zoë', lastName: 'Núñez', email: 'zoe@example.com' }

test('an export contains the customer, its events, redemptions and deliveries, and nothing of others', async () => {
  const harness = await createWebhookHarness()
  const hook = await harness.createWebhook()
  const { body: customer } = await harness.post('/customers', person)
  await harness.post(`/customers/${customer.id}/external-id`, { externalId: 'CRM-1' })
  const { body: other } = await harness.post('/customers', { ...person, email: 'other@example.com' })
  await harness.post('/coupons', { title: 'Ten', code: 'TEN', type: 'PERCENTAGE', value: 10 })
  const { body: redemption } = await harness.post('/redemptions', { code: 'TEN', order: '1', customer: customer.id })
  await harness.post('/redemptions', { code: 'TEN', order: '2', customer: other.id })
  await harness.post('/events', { type: 'order.created', data: { email: person.email, total: 4 } })
  await harness.post('/events', { type: 'order.created', data: { email: 'other@example.com' } })
  await harness.deliver()
  const { status, headers, body } = await harness.get(`/customers/${customer.id}/export`)
  expect([status, headers.get('content-disposition')]).toEqual([200, `attachment; filename="${customer.id}.json"`])
  expect(body).toMatchObject({
    id: customer.id,
    exportedAt: expect.any(Number),
    customer: { ...customer, updatedAt: expect.any(Number), externalId: 'CRM-1' },
    redemptions: [redemption],
  })
  expect(body.events.map(({ type }: { type: string }) => type)).toEqual([
    'customer.created',
    'customer.updated',
    'coupon.redeemed',
    'order.created',
  ])
  expect(body.deliveries).toEqual(
    body.events.map(({ id }: { id: string }) => ({
      webhookId: hook.id,
      eventId: id,
      state: 'delivered',
      createdAt: expect.any(Number),
      attempts: 1,
    })),
  )
  expect(JSON.stringify(body)).not.toContain(other.id)
})

test('an export is read in pages, and continues after a damaged event', async () => {
  const venue = await createVenue()
  const { body: customer } = await venue.post('/customers', person)
  for (let n = 0; n < 2 * exportPageRows.events; n++)
    await venue.post('/events', { type: 'order.created', data: { customer: customer.id, n } })
  await env.DB.prepare(`update events set row = 'damaged' || row where merchant_id = ? and seq = 3`)
    .bind(venue.id)
    .run()
  const { database, trips } = watch(env.DB)
  const { app } = await import('../../../src/app/app.ts')
  const { createExecutionContext } = await import('cloudflare:test')
  const response = await app.fetch(
    new Request(`https://api.test${venue.path(`/customers/${customer.id}/export`)}`, {
      headers: { authorization: `Bearer ${venue.key}` },
    }),
    { ...env, DB: database },
    createExecutionContext(),
  )
  const { events }: { events: { data: { n: number } }[] } = await response.json()
  expect(events.slice(1).map(({ data }) => data.n)).toEqual(
    Array.from({ length: 2 * exportPageRows.events }, (_, n) => n).filter((n) => n !== 1),
  )
  // The key, the customer, its events, others with its values, redemptions, three pages of events, and their deliveries.
  expect(trips.length).toBeLessThanOrEqual(9 + 2)
})

test('a deleted customer is exported while its events are stored, an erased one is not', async () => {
  const venue = await createVenue()
  const { body: customer } = await venue.post('/customers', person)
  await venue.remove(`/customers/${customer.id}`)
  const { body } = await venue.get(`/customers/${customer.id}/export`)
  expect(body).not.toHaveProperty('customer')
  expect(body.events).toHaveLength(2)
  await venue.post(`/customers/${customer.id}/erase`, undefined)
  expect((await venue.get(`/customers/${customer.id}/export`)).status).toBe(404)
  expect((await venue.get('/customers/cus_unknown/export')).status).toBe(404)
})

test('an export requires the scope of customers, and stays in its merchant and mode', async () => {
  const venue = await createVenue()
  const { body: customer } = await venue.post('/customers', person)
  const tester = await createKey(venue.id, { mode: 'test' })
  const other = await createKey(venue.id, { mode: 'live', scopes: ['products:read'] })
  expect((await tester.get(`/customers/${customer.id}/export`)).status).toBe(404)
  expect((await other.get(`/customers/${customer.id}/export`)).status).toBe(403)
})
