// What an integrator does with a client that was made of the document alone, and of no line of ours.
import assert from 'node:assert/strict'
import createClient from 'openapi-fetch'
import type { paths } from './schema.d.ts'

const [baseUrl = '', merchantId = '', key = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })
const path = { merchantId }

/** The data of a response. Throws unless the request succeeded. */
function requireData<Data>({ data, error, response }: { data?: Data; error?: unknown; response: Response }): Data {
  assert.ok(data !== undefined, `${response.status} ${response.url}: ${JSON.stringify(error)}`)
  return data
}

const modifier = requireData(
  await client.POST('/merchants/{merchantId}/modifiers', {
    params: { path },
    body: { title: 'Milk', type: 'RADIO', instructions: '', options: [{ label: 'Oat', additionalCost: 0.4 }] },
  }),
)
const product = requireData(
  await client.POST('/merchants/{merchantId}/products', {
    params: { path },
    body: { title: 'Flat white', price: 3.5, sku: 'COF-1', modifiers: [modifier.id] },
  }),
)
const menu = requireData(
  await client.POST('/merchants/{merchantId}/menus', {
    params: { path },
    body: { title: 'Morning', begin: '0700', end: '1130', sections: [{ title: 'Coffee', items: [product.id] }] },
  }),
)
const coupon = requireData(
  await client.POST('/merchants/{merchantId}/coupons', {
    params: { path },
    body: { title: 'Ten off', code: 'TEN', type: 'PERCENTAGE', value: '10', products: [product.id] },
  }),
)
const customer = requireData(
  await client.POST('/merchants/{merchantId}/customers', {
    params: { path },
    body: { firstName: 'Ana', lastName: 'Brito', email: 'ana@example.com', phone: '+351 210 000 000' },
  }),
)
const tag = requireData(
  await client.POST('/merchants/{merchantId}/tags', {
    params: { path },
    body: { metadata: [{ key: 'table', value: '4' }] },
  }),
)
const webhook = requireData(
  await client.POST('/merchants/{merchantId}/webhooks', {
    params: { path },
    body: { title: 'Till', url: 'http://127.0.0.1:9/', events: ['order.created'] },
  }),
)
for (const body of [{ title: 'Tea', price: 3 }, { price: 4 }]) {
  const upserted = requireData(
    await client.PUT('/merchants/{merchantId}/products/external/{externalId}', {
      params: { path: { ...path, externalId: 'TEA' } },
      body,
    }),
  )
  assert.deepEqual([upserted.title, upserted.price], ['Tea', body.price])
}
assert.equal(menu.allDayMenu, false)
assert.equal(coupon.value, 10)
assert.ok(tag.nfcUrl?.includes('/n/'))

const { data: page, response } = await client.GET('/merchants/{merchantId}/products', {
  params: { path, query: { visible: true, limit: 1, ids: [product.id], q: 'flat', updatedSince: 0 } },
})
assert.deepEqual(
  page?.map(({ id }) => id),
  [product.id],
)
assert.equal(response.headers.get('link'), null)

const one = { ...path, productId: product.id }
const updated = requireData(
  await client.POST('/merchants/{merchantId}/products/{productId}', {
    params: { path: one },
    body: { price: 3.8, description: null },
  }),
)
assert.equal(updated.price, 3.8)
const events = requireData(await client.GET('/merchants/{merchantId}/events', { params: { path } }))
assert.ok(events.some(({ type, previous }) => type === 'product.updated' && previous?.['price'] === 3.5))

const refused = await client.POST('/merchants/{merchantId}/coupons/{couponId}', {
  params: { path: { ...path, couponId: coupon.id } },
  body: { value: 110 },
})
assert.equal(refused.error?.code, 'invalid_request')
const published = requireData(
  await client.POST('/merchants/{merchantId}/events', {
    params: { path },
    body: { type: 'order.created', data: { total: 12 } },
  }),
)
const deliveries = requireData(
  await client.GET('/merchants/{merchantId}/webhooks/{webhookId}/deliveries', {
    params: { path: { ...path, webhookId: webhook.id }, query: { limit: 10 } },
  }),
)
assert.ok(deliveries.some(({ eventId }) => eventId === published.id))
requireData(
  await client.GET('/merchants/{merchantId}/tags/{tagId}/scans', { params: { path: { ...path, tagId: tag.id } } }),
)
requireData(await client.GET('/m/{merchantId}.json', { params: { path } }))

requireData(
  await client.DELETE('/merchants/{merchantId}/menus/{menuId}', { params: { path: { ...path, menuId: menu.id } } }),
)
requireData(
  await client.DELETE('/merchants/{merchantId}/tags/{tagId}', { params: { path: { ...path, tagId: tag.id } } }),
)
requireData(
  await client.DELETE('/merchants/{merchantId}/customers/{customerId}', {
    params: { path: { ...path, customerId: customer.id } },
  }),
)
const { message } = requireData(
  await client.DELETE('/merchants/{merchantId}/products/{productId}', { params: { path: one } }),
)
assert.equal(message, 'Product deleted')
const gone = await client.GET('/merchants/{merchantId}/products/{productId}', { params: { path: one } })
assert.deepEqual([gone.response.status, gone.error?.code], [404, 'not_found'])
console.log('done')
