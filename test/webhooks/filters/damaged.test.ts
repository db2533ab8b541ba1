import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createWebhookHarness } from '../../support/webhook-harness.ts'

test.each([
  ['a rule that is a text', { where: { 'product.*': 'text' } }],
  ['a rule that is a list', { where: { 'product.*': [['visible', true]] } }],
  ['a rule that is a number', { where: { 'product.updated': 1, 'product.*': 'x' } }],
  ['rules that are a text', { where: 'product.*' }],
  ['a field that is no name', { changed: { 'product.updated': ['a"b', { a: 1 }, null] } }],
  ['fields that are a text', { changed: { 'product.updated': 'pr"ice' }, order: 'object' }],
])('a stored filter with %s lets events pass, and no change fails', async (_, filter) => {
  const harness = await createWebhookHarness()
  const webhook = await harness.createWebhook({ events: ['product.created', 'product.updated', 'product.deleted'] })
  await harness.deliver()
  await env.DB.prepare('update webhooks set filter = ? where id = ?').bind(JSON.stringify(filter), webhook.id).run()
  const { status, body: made } = await harness.post('/products', { title: 'Tea', price: 4 })
  expect([status, made.title]).toEqual([201, 'Tea'])
  expect((await harness.post(`/products/${made.id}`, { price: 5 })).status).toBe(200)
  expect((await harness.request('DELETE', harness.path(`/products/${made.id}`))).status).toBe(200)
  await harness.deliver()
  const types = harness.calls.map(({ body }) => body.type)
  expect(types).toEqual(['product.created', 'product.updated', 'product.deleted'])
})
