import { expect, test } from 'vitest'
import { createVenue, type Venue } from '../../support/api.ts'
import { multiply, observe, rowsRead } from '../../support/d1.ts'
import { samples } from '../../support/samples.ts'

/** Copies of an object. A request that reads all of them differs from one that reads none by at least this number. */
const copies = 200
/** Rows by which a cost may differ: ids and search words are random, and so is the depth of the indexes' trees. */
const tolerance = 20

/** Rows that a request reads. */
async function cost(venue: Venue, method: string, path: string, json?: unknown) {
  const response = await observe(method, venue.path(path), { key: venue.key, ...(json === undefined ? {} : { json }) })
  await response.settled()
  expect(response.status, JSON.stringify(response.body)).toBeLessThan(300)
  return rowsRead(response.trips)
}

// A merchant has at most 100 webhooks, and each create counts them.
test.each(samples.filter(({ name }) => name !== 'webhook'))(
  'the costs of $collection do not grow with their number',
  async ({ collection, body, change }) => {
    const venue = await createVenue()
    let names = 0
    const create = async (): Promise<string> => (await venue.post(`/${collection}`, body(`x${names++}`))).body.id
    const measure = async () => {
      const [first, second, third, fourth] = [await create(), await create(), await create(), await create()]
      const external = `external-${names++}`
      const operations = [
        { op: 'create', resource: collection, body: body(`x${names++}`) },
        { op: 'update', resource: collection, id: second, body: change },
        { op: 'delete', resource: collection, id: third },
      ]
      return {
        create: await cost(venue, 'POST', `/${collection}`, body(`x${names++}`)),
        retrieve: await cost(venue, 'GET', `/${collection}/${first}?include=externalId`),
        'retrieve by ids': await cost(venue, 'GET', `/${collection}?ids=${first},${second}`),
        update: await cost(venue, 'POST', `/${collection}/${first}`, change),
        delete: await cost(venue, 'DELETE', `/${collection}/${fourth}`),
        batch: await cost(venue, 'POST', '/batch', { operations }),
        'create by external id': await cost(venue, 'PUT', `/${collection}/external/${external}`, body(`x${names++}`)),
        'retrieve by external id': await cost(venue, 'GET', `/${collection}/external/${external}`),
        'list by external ids': await cost(venue, 'GET', `/${collection}?externalIds=${external},other`),
        'delete by external id': await cost(venue, 'DELETE', `/${collection}/external/${external}`),
      }
    }
    await measure()
    const before = await measure()
    await multiply(collection, await create(), copies)
    for (const [name, rows] of Object.entries(await measure())) {
      const earlier = Object.entries(before).find(([other]) => other === name)?.[1] ?? 0
      expect(rows, name).toBeLessThanOrEqual(earlier + tolerance)
    }
  },
)

test('the costs of the till do not grow with the catalogue', async () => {
  const venue = await createVenue()
  const product = { title: 'Cake', price: 3, manageStock: true, stockQuantity: 100 }
  const create = async (): Promise<string> => (await venue.post('/products', product)).body.id
  let orders = 0
  const measure = async () => {
    const id = await create()
    return {
      quote: await cost(venue, 'POST', '/quotes', { items: [{ product: id, quantity: 1 }] }),
      adjust: await cost(venue, 'POST', '/stock', {
        reference: `order-${orders++}`,
        changes: [{ product: id, delta: -1 }],
        reason: 'sale',
      }),
      'sold out': await cost(venue, 'POST', `/products/${id}/availability`, { soldOut: true }),
      back: await cost(venue, 'POST', `/products/${id}/availability`, { soldOut: false }),
      exceptions: await cost(venue, 'GET', '/stock'),
    }
  }
  await measure()
  const before = await measure()
  await multiply('products', await create(), copies)
  for (const [name, rows] of Object.entries(await measure())) {
    const earlier = Object.entries(before).find(([other]) => other === name)?.[1] ?? 0
    expect(rows, name).toBeLessThanOrEqual(earlier + tolerance)
  }
})
