import { describe, expect, test } from 'vitest'
import { createVenue, type Venue } from '../../support/api.ts'
import { observe, rowsRead, type Trip } from '../../support/d1.ts'
import { samples } from '../../support/samples.ts'

const run = async (venue: Venue, operations: readonly object[], headers: Record<string, string> = {}) => {
  const response = await observe('POST', venue.path('/batch'), { key: venue.key, json: { operations }, headers })
  await response.settled()
  expect([response.status, response.body]).toEqual([200, response.body])
  return response
}
const statementCount = (trips: readonly Trip[]) => trips.at(-1)?.statements.length ?? 0
const rowsWritten = (trips: readonly Trip[]) => trips.reduce((sum, trip) => sum + trip.rowsWritten, 0)

const product = (n: number) => ({
  op: 'create',
  resource: 'products',
  body: {
    title: `Product ${n}`,
    price: n,
    sku: `S-${n}`,
    description: 'Of the house.',
    metadata: [{ key: 'k', value: 'v' }],
  },
})
const products = (count: number) => Array.from({ length: count }, (_, n) => product(n))

describe('a batch', () => {
  test('calls the database twice, with as many statements for 500 operations as for one', async () => {
    const venue = await createVenue()
    await run(venue, products(1))
    const [one, all] = [await run(venue, products(1)), await run(venue, products(500))]
    // One call: operations that create objects without references read nothing.
    expect([one.trips.length, all.trips.length]).toEqual([1, 1])
    expect(statementCount(all.trips)).toBe(statementCount(one.trips))
    const keyed = await run(venue, products(2), { 'idempotency-key': 'costs' })
    expect(keyed.trips).toHaveLength(1)
    const ids: string[] = all.body.results.map(({ id }: { id: string }) => id)
    const updates = ids.map((id, n) => ({ op: 'update', resource: 'products', id, body: { price: n + 1 } }))
    const updated = await run(venue, updates)
    expect(updated.trips).toHaveLength(2)
    const deleted = await run(
      venue,
      ids.map((id) => ({ op: 'delete', resource: 'products', id })),
    )
    expect(deleted.trips).toHaveLength(2)
    expect((await venue.get('/products')).body).toHaveLength(4)
  })

  test('with details calls the database twice, with as many statements for 200 operations as for two', async () => {
    const venue = await createVenue()
    const withDetails = (count: number) =>
      products(count).map((operation, n) => ({
        ...{ ...operation, ref: `#p${n}` },
        details: {
          labels: ['hot'],
          translations: { de: { title: `Ware ${n}` } },
          ...(n % 2 === 1 && {
            bundle: { groups: [{ title: 'A', min: 1, max: 1, items: [{ product: `#p${n - 1}` }] }] },
          }),
        },
      }))
    await run(venue, withDetails(2))
    const [two, all] = [await run(venue, withDetails(2)), await run(venue, withDetails(200))]
    expect([two.trips.length, all.trips.length]).toEqual([2, 2])
    expect(statementCount(all.trips)).toBe(statementCount(two.trips))
    const ids: string[] = all.body.results.map(({ id }: { id: string }) => id)
    const change = { translations: { de: null, fr: { title: 'Le plat' } } }
    const updates = ids.map((id) => ({ op: 'update', resource: 'products', id, body: { price: 7 }, details: change }))
    const [one, many] = [await run(venue, updates.slice(0, 1)), await run(venue, updates.slice(1))]
    expect([one.trips.length, many.trips.length]).toEqual([2, 2])
    expect(statementCount(many.trips)).toBe(statementCount(one.trips))
    expect(rowsRead(many.trips)).toBeLessThanOrEqual(rowsRead(one.trips) * ids.length)
    expect(rowsWritten(many.trips)).toBeLessThanOrEqual(rowsWritten(one.trips) * ids.length)
  })

  test('with limits calls the database twice, with as many statements for 200 operations as for one', async () => {
    const venue = await createVenue()
    const limited = (count: number, prefix: string) =>
      Array.from({ length: count }, (_, n) => ({
        ...{ op: 'create', resource: 'coupons', body: { title: 'A', code: `${prefix}${n}`, type: 'FIXED', value: 1 } },
        limits: { maxRedemptions: 5, automatic: n === 0 },
      }))
    await run(venue, limited(1, 'a'))
    const [two, all] = [await run(venue, limited(2, 'b')), await run(venue, limited(200, 'c'))]
    expect([two.trips.length, all.trips.length]).toEqual([2, 2])
    expect(statementCount(all.trips)).toBe(statementCount(two.trips))
    const ids: string[] = all.body.results.map(({ id }: { id: string }) => id)
    const updates = ids.map((id) => ({
      op: 'update',
      resource: 'coupons',
      id,
      body: {},
      limits: { maxRedemptions: 6 },
    }))
    const [one, many] = [await run(venue, updates.slice(1, 2)), await run(venue, updates.slice(2))]
    expect([one.trips.length, many.trips.length]).toEqual([2, 2])
    expect(statementCount(many.trips)).toBe(statementCount(one.trips))
    expect(rowsRead(many.trips)).toBeLessThanOrEqual(rowsRead(one.trips) * ids.length)
    expect(rowsWritten(many.trips)).toBeLessThanOrEqual(rowsWritten(one.trips) * ids.length)
  })

  test('reads and writes at most 15 % more rows for each product than a single create', async () => {
    const venue = await createVenue()
    await run(venue, products(1))
    const single = await observe('POST', venue.path('/products'), { key: venue.key, json: product(1).body })
    const { trips } = await run(venue, products(500))
    const cost = (some: readonly Trip[]) => rowsRead(some) + rowsWritten(some)
    expect(cost(trips) / 500).toBeLessThanOrEqual(cost(single.trips) * 1.15)
  })

  test('runs at most 13 statements and 8 for each resource that it touches', async () => {
    const venue = await createVenue()
    const create = async (resource: string, body: object): Promise<string> =>
      (await venue.post(`/${resource}`, body)).body.id
    const operations: object[] = []
    for (const { collection, body, change } of samples) {
      const [updated, deleted] = [await create(collection, body('a')), await create(collection, body('b'))]
      operations.push(
        { op: 'create', resource: collection, externalId: 'new', ref: `#${collection}`, body: body('c') },
        { op: 'update', resource: collection, id: updated, body: change },
        { op: 'delete', resource: collection, id: deleted },
      )
    }
    const { trips } = await run(venue, operations, { 'idempotency-key': 'all' })
    expect(trips.length).toBe(2)
    expect(statementCount(trips)).toBeLessThanOrEqual(13 + 8 * samples.length)
  })
})
