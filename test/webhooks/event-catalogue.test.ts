import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { Validator } from '@cfworker/json-schema'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { app } from '../../src/app/app.ts'
import { eventNames, orderEventNames } from '../../src/catalogue/events/event-types.ts'
import { adminToken, call, origin, send } from '../support/api.ts'
import { samples } from '../support/samples.ts'
import { createWebhookHarness, type WebhookHarness } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

/** Raises the events of the till. */
async function useTill(harness: WebhookHarness) {
  const cake = { title: 'Cake', price: 3, manageStock: true, stockQuantity: 1 }
  const { id } = (await harness.post('/products', cake)).body
  const sale = { reference: 'A-1', reason: 'sale', changes: [{ product: id, delta: -1 }] }
  await harness.post('/stock', sale)
  await harness.post('/stock', { reference: 'A-2', reason: 'count', changes: [{ product: id, set: 2.5 }] })
  const coupon = (await harness.post('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 10 })).body
  await harness.post(`/coupons/${coupon.id}/limits`, { maxRedemptions: 1 })
  const { body } = await harness.post('/redemptions', { code: 'TEN', order: 'A-1', amount: 10 })
  await harness.post(`/redemptions/${body.id}/release`, {})
  const options = [{ id: 'oat', label: 'Oat milk' }]
  const modifier = (await harness.post('/modifiers', { title: 'Milk', instructions: '', options })).body.id
  for (const soldOut of [true, false]) {
    await harness.post(`/modifiers/${modifier}/availability`, { options: { oat: { soldOut } } })
  }
  const until = Math.floor(Date.now() / 1000) + 600
  await harness.post('/service', { paused: true, until, message: 'Back soon' })
  await harness.post('/service', { paused: false })
  const operations = [{ op: 'update', resource: 'coupons', id: coupon.id, body: { value: 11 } }]
  const release = (await harness.post('/releases', { title: 'Autumn', operations })).body.id
  await harness.post(`/releases/${release}/publish`, {})
}

/** Raises the events of a guest at a table. */
async function callStaff({ venue, post, bindings }: WebhookHarness) {
  await call('POST', `/admin/merchants/${venue.id}`, adminToken, { menuBar: { actions: ['call'] } })
  const { id, alias } = (await post('/tags', { metadata: [] })).body
  const location = (await send(`/t/${alias[0]}`)).headers.get('location') ?? ''
  const seat = new URLSearchParams(location.split('?')[1]).get('seat') ?? ''
  const body = new URLSearchParams({ tag: id, kind: 'call', seat })
  const context = createExecutionContext()
  await app.fetch(new Request(`${origin}/m/${venue.id}/requests`, { method: 'POST', body }), bindings, context)
  await waitOnExecutionContext(context)
  await post(`/tags/${id}/requests/call/done`, {})
}

describe('the catalogue of events', () => {
  test('has each type once, with a sample that matches the schemas', async () => {
    const { status, body: catalogue } = await send('/event-types')
    expect([status, catalogue.map(({ type }: { type: string }) => type)]).toEqual([200, [...eventNames]])
    const harness = await createWebhookHarness()
    await harness.createWebhook()
    const product = (await harness.post('/products', { title: 'Tea', price: 1 })).body.id
    const [webhook] = (await harness.get('/webhooks')).body
    await harness.post(`/webhooks/${webhook.id}/filter`, { where: { 'menu.created': { visible: true } } })
    const modifier = (await harness.post('/modifiers', { title: 'Milk', instructions: '' })).body.id
    const menu = (await harness.post('/menus', { title: 'Day', sections: [] })).body.id
    for (const path of [`products/${product}`, `modifiers/${modifier}`, `menus/${menu}`]) {
      await harness.post(`/${path}/details`, { translations: { de: { title: 'Neu' } } })
    }
    const tag = (await harness.post('/tags', {})).body.id
    await harness.post(`/tags/${tag}/details`, { orderType: 'takeaway' })
    const customer = (await harness.post('/customers', { firstName: 'A', lastName: 'B' })).body.id
    await harness.post(`/customers/${customer}/erase`, {})
    for (const { collection, body, full, change } of samples) {
      const { testMode: _mode, ...fields } = full({ product, modifier })
      for (const json of [body('One'), fields]) {
        const { body: made } = await harness.post(`/${collection}`, json)
        await harness.post(`/${collection}/${made.id}`, change)
        await harness.post(`/${collection}/${made.id}`, {
          metadata: null,
          active: true,
          title: 'New',
          firstName: 'New',
        })
        await harness.remove(`/${collection}/${made.id}`)
      }
    }
    await callStaff(harness)
    for (const type of orderEventNames) await harness.post('/events', { type, data: { orderId: '1234' } })
    await useTill(harness)
    await harness.deliver()
    for (const { type, schema, sample } of catalogue) {
      const validator = new Validator(schema, '2020-12', false)
      expect(validator.validate(sample), type).toMatchObject({ valid: true })
      const real = harness.calls.filter(({ body }) => body.type === type)
      // The scheduler raises it: test/bulk/release/schedule.test.ts.
      expect(real.length > 0, type).toBe(type !== 'release.failed')
      for (const { body } of real) {
        expect(validator.validate(body), JSON.stringify(body)).toMatchObject({ valid: true })
        // Events of a release name it besides.
        expect(Object.keys(body).filter((key) => key !== 'release')).toEqual(Object.keys(sample))
      }
      const { id: _id, ...unnamed } = sample
      for (const issue of [unnamed, { ...sample, type: 'x' }, { ...sample, data: 7 }]) {
        expect(validator.validate(issue).valid, type).toBe(false)
      }
      expect(JSON.stringify([schema, sample])).not.toMatch(/bearerToken|secret/)
    }
  })
})
