import { afterEach, describe, expect, test, vi } from 'vitest'
import { createWebhookHarness } from '../../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

describe.each([undefined, 'object'] as const)('a filter by label at home %s', (home) => {
  async function createLabelled(where: object) {
    const harness = await createWebhookHarness(home ? { home } : {})
    const webhook = await harness.createWebhook()
    const { status, body } = await harness.post(`/webhooks/${webhook.id}/filter`, { where })
    expect([status, body]).toEqual([200, { where }])
    expect((await harness.get(`/webhooks/${webhook.id}/filter`)).body).toEqual({ where })
    await harness.deliver()
    expect(harness.calls.at(-1)?.body.data).toEqual({ id: webhook.id, filter: { where } })
    harness.clear()
    const create = async (title: string) => String((await harness.post('/products', { title, price: 1 })).body.id)
    const label = (id: string, labels: readonly string[] | null) => harness.post(`/products/${id}/details`, { labels })
    /** Types of the calls since the last time. */
    const read = async () => {
      await harness.deliver()
      return harness.calls.splice(0).map(({ body }) => body.type)
    }
    return { harness, webhook, create, label, read }
  }

  test('sends what has the label before or after a change, and nothing else', async () => {
    const { harness, create, label, read } = await createLabelled({ 'product.*': { label: 'Café' } })
    const [tea, cake] = [await create('Tea'), await create('Cake')]
    expect(await read()).toEqual([])
    await label(tea, ['Lunch'])
    expect(await read()).toEqual([])
    await label(tea, ['Lunch', 'CAFE'])
    await label(cake, ['Dinner'])
    expect(await read()).toEqual(['product.details_updated'])
    await harness.post(`/products/${tea}`, { price: 2 })
    await harness.post(`/products/${cake}`, { price: 2 })
    expect(await read()).toEqual(['product.updated'])
    await label(tea, ['Dinner'])
    await label(cake, ['Cafe bar'])
    expect(await read()).toEqual(['product.details_updated'])
    await harness.post(`/products/${tea}`, { price: 3 })
    expect(await read()).toEqual([])
    await label(tea, ['cafe'])
    await harness.post('/batch', {
      operations: [tea, cake].map((id) => ({ op: 'delete', resource: 'products', id })),
    })
    expect(await read()).toEqual(['product.details_updated', 'product.deleted'])
    await harness.post('/menus', { title: 'Lunch' })
    expect(await read()).toEqual(['menu.created'])
  })

  test('passes a change from a label that SQL cannot fold', async () => {
    const { create, label, read } = await createLabelled({ 'product.*': { label: 'thé' } })
    const tea = await create('Tea')
    await label(tea, ['THÉ'])
    await label(tea, ['Brunch'])
    expect(await read()).toEqual(['product.details_updated', 'product.details_updated'])
    await label(tea, null)
    expect(await read()).toEqual([])
  })

  test('counts together with the visibility', async () => {
    const { harness, create, label, read } = await createLabelled({
      'product.updated': { label: 'bar', visible: true },
      'product.*': { label: 'bar' },
    })
    const tea = await create('Tea')
    await label(tea, ['bar'])
    await harness.post(`/products/${tea}`, { visible: false })
    await harness.post(`/products/${tea}`, { price: 2 })
    expect(await read()).toEqual(['product.details_updated', 'product.updated'])
  })
})

test.each([
  [{ where: { 'menu.*': { label: 'Lunch' } } }, '/where/menu.*/label', 'unknown_field'],
  [{ where: { 'product.sold_out': { label: 'Lunch' } } }, '/where/product.sold_out', 'unknown_field'],
  [{ where: { 'product.*': { label: '' } } }, '/where/product.*/label', 'too_short'],
  [{ where: { 'product.*': { label: 'x'.repeat(41) } } }, '/where/product.*/label', 'too_long'],
  [{ order: 'strict' }, '/order', 'invalid_value'],
])('rejects %j', async (filter, pointer, code) => {
  const harness = await createWebhookHarness()
  const webhook = await harness.createWebhook()
  const { status, body } = await harness.post(`/webhooks/${webhook.id}/filter`, filter)
  expect([status, body.errors]).toEqual([422, [expect.objectContaining({ pointer, code })]])
})
