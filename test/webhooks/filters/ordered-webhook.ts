import { expect } from 'vitest'
import { waitingUntil } from '../../../src/platform/db/schema/events.ts'
import { createWebhookHarness, type WebhookHarness } from '../../support/webhook-harness.ts'

export const fails = () => new Response(null, { status: 500 })
export const works = () => new Response(null, { status: 204 })

export async function createOrdered(home?: 'object', filter: object = { order: 'object' }) {
  const harness = await createWebhookHarness(home ? { home } : {})
  const { body: tea } = await harness.post('/products', {
    title: 'Tea',
    price: 1,
    manageStock: true,
    stockQuantity: 50,
  })
  const { body: cake } = await harness.post('/products', { title: 'Cake', price: 1 })
  const webhook = await harness.createWebhook({ events: ['product.*', 'order.*', 'coupon.*'].flatMap(listTypes) })
  const { status } = await harness.post(`/webhooks/${webhook.id}/filter`, filter)
  expect(status).toBe(200)
  await harness.deliver()
  harness.clear()
  const setPrice = (id: string, price: number) => harness.post(`/products/${id}`, { price })
  return { harness, webhook, tea: String(tea.id), cake: String(cake.id), setPrice }
}
const listTypes = (pattern: string) => {
  const noun = pattern.split('.')[0]
  if (noun === 'order') return ['created', 'updated', 'cancelled', 'completed'].map((verb) => `order.${verb}`)
  const side = noun === 'product' ? ['product.details_updated'] : ['coupon.redeemed']
  return [...['created', 'updated', 'deleted'].map((verb) => `${noun}.${verb}`), ...side]
}

/** The accepted calls: what they were about, and their sequence. */
export const pricesOf = ({ calls }: WebhookHarness, id: string) =>
  calls.filter(({ body }) => body.data.id === id).map(({ body }) => body.data.price ?? body.type)
export const waiting = async (harness: WebhookHarness) =>
  (await harness.query('select 1 from deliveries where due_at = ? and state = ?', waitingUntil, 'pending')).length
