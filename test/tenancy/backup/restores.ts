import { expect, vi } from 'vitest'
import { adminToken, call, createVenue, type Venue } from '../../support/api.ts'
import { samples } from '../../support/samples.ts'

export const advance = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

export const admin = (id: string, path: string, json?: unknown) =>
  call('POST', `/admin/merchants/${id}/${path}`, adminToken, json)
export const backUp = async (id: string): Promise<number> => (await admin(id, 'backups')).body.takenAt

/** Continues a restore until it is done. */
export async function finish(id: string) {
  const states: string[] = []
  for (let requests = 0; ; requests++) {
    expect(requests).toBeLessThan(20)
    const { status, body } = await admin(id, 'restore/continue')
    if (status !== 200) throw new Error(JSON.stringify(body))
    states.push(body.state)
    if (body.state === 'done') return { states, ...body }
    advance(body.waitSeconds ?? 0)
  }
}
export async function restore(id: string, takenAt: number, more: object = { replace: true }) {
  const { status, body } = await admin(id, 'restore', { takenAt, ...more })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return finish(id)
}

export const paths = [
  ...samples.map(({ collection }) => `/${collection}?include=externalId,version`),
  '/products?q=word',
  '/products?include=details',
  '/events',
  '/redemptions',
  '/stock',
  '/service',
  '/releases',
  '/imports',
]

/** Responses of the API for a merchant, byte for byte. */
export async function read(venue: Venue) {
  const responses: Record<string, string> = {}
  const add = async (path: string) => {
    const { status, body } = await venue.get(path)
    expect([path, status]).toEqual([path, 200])
    responses[path] = `${status} ${JSON.stringify(body)}`
    return body
  }
  for (const path of paths) await add(path)
  for (const { id } of (await venue.get('/webhooks')).body) await add(`/webhooks/${id}/deliveries`)
  for (const { id } of (await venue.get('/releases')).body) await add(`/releases/${id}/operations`)
  for (const { id } of (await venue.get('/coupons')).body) await add(`/coupons/${id}/limits`)
  return responses
}

/** A merchant with objects of all kinds. */
export async function fill(home: 'd1' | 'object') {
  const venue = await createVenue({ home })
  for (const { collection, body } of samples)
    for (const name of ['a', 'b']) await venue.post(`/${collection}`, body(name))
  const { body: modifier } = await venue.post('/modifiers', { title: 'Milk', instructions: '' })
  const { body: product } = await venue.post('/products', {
    title: 'Tea word',
    price: 2.5,
    modifiers: [modifier.id],
    manageStock: true,
    stockQuantity: 9,
  })
  await venue.post(`/products/${product.id}/external-id`, { externalId: 'ART-1' })
  await venue.post(`/products/${product.id}/details`, { ageLimit: 18, translations: { fr: { title: 'Thé' } } })
  await venue.post('/menus', { title: 'Day', sections: [{ title: 'All', items: [product.id] }] })
  await venue.post('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1, products: [product.id] })
  await venue.post('/redemptions', { code: 'TEN', order: 'A-1' })
  await venue.post('/stock', { reference: 'S-1', reason: 'sale', changes: [{ product: product.id, delta: -1 }] })
  await venue.post(`/products/${product.id}/availability`, { soldOut: true })
  await venue.post('/service', { paused: true, message: 'Back soon', prepMinutes: 30 })
  const operations = [{ op: 'update', resource: 'products', id: product.id, body: { price: 3 } }]
  await venue.post('/releases', { title: 'Autumn', operations })
  await venue.post('/events', { type: 'order.created', data: { total: 1 } })
  return { venue, product: product.id as string, modifier: modifier.id as string }
}
