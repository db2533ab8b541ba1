import { describe, expect, test, vi } from 'vitest'
import { undoBounds } from '../../../src/bulk/changes/undo/undo-steps.ts'
import { limits } from '../../../src/platform/http/fields.ts'
import { createKey, createVenue, type Venue } from '../../support/api.ts'
import { importFile } from '../../support/imports.ts'
import { setLimits } from '../../support/limits.ts'
import { isLong } from '../../support/rounds.ts'

const undo = ({ post }: Pick<Venue, 'post'>, id: string) => post(`/changes/${id}/undo`, undefined)
/** Objects that fit one transaction. In CI it is the limit of the service. */
const together = isLong ? limits.operations : 50

/** The stock of all products, in the order of their creation. */
async function listStock({ get }: Pick<Venue, 'get'>) {
  const stock: number[] = []
  for (let path = '/products?order=asc&limit=100'; path !== ''; ) {
    const { body, headers } = await get(path)
    stock.push(...body.map(({ stockQuantity }: { stockQuantity: number }) => stockQuantity))
    const next = /<[^?]*(\?[^>]*)>/.exec(headers.get('link') ?? '')?.[1]
    path = next === undefined ? '' : `/products${next}`
  }
  return stock
}

const rows = (count: number, stock: number, price: number) =>
  `externalId,title,price,manageStock,stockQuantity\n${Array.from({ length: count }, (_, n) => `E${n},Tea ${n},${price},true,${stock}\n`).join('')}`

describe.each(['d1', 'object'] as const)('stock that an import counted, in a home of the kind %s', (home) => {
  test.each([
    { way: 'in one transaction', count: 4 },
    { way: 'in steps', count: together + 120 },
  ])(
    'is taken back by the difference, once, $way',
    async ({ count }) => {
      setLimits(limits, { operations: together })
      setLimits(undoBounds, { objects: Math.ceil(together * 0.3) })
      const venue = await createVenue({ home })
      await importFile(venue, 'resource=products', rows(count, 10, 1))
      const { changeSet } = await importFile(venue, 'resource=products&counters=set', rows(count, 7, 2))
      const first = (await venue.get('/products?order=asc&limit=1')).body[0].id
      const sale = { reference: 'sale', reason: 'sale', changes: [{ product: first, delta: -2 }] }
      expect((await venue.post('/stock', sale)).status).toBe(200)
      expect((await listStock(venue)).slice(0, 2)).toEqual([5, 7])
      const started = await Promise.all([1, 2, 3].map(() => undo(venue, changeSet)))
      const id = started[0]?.body.id
      expect(new Set(started.map(({ body }) => body.id))).toEqual(new Set([id]))
      await vi.waitUntil(async () => (await venue.get(`/changes/${id}`)).body.state === 'done', { timeout: 60_000 })
      expect(await listStock(venue)).toEqual([8, ...Array.from({ length: count - 1 }, () => 10)])
      const types = (await venue.get('/events?order=desc&limit=20')).body.map(({ type }: { type: string }) => type)
      expect(types).toContain(count === 4 ? 'stock.changed' : 'product.updated')
      await undo(venue, id)
      await vi.waitUntil(async () => (await venue.get(`/changes/${id}`)).body.state === 'undone', { timeout: 60_000 })
      expect(await listStock(venue)).toEqual([5, ...Array.from({ length: count - 1 }, () => 7)])
    },
    120_000,
  )
})

test.each(['d1', 'object'] as const)(
  'redemptions that an import set are taken back by the difference, once, in a home of the kind %s',
  async (home) => {
    const venue = await createVenue({ home })
    const fields = { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1, timesRedeemed: 5 }
    const { id } = (await venue.post('/coupons', fields)).body
    const count = async () => (await venue.get(`/coupons/${id}`)).body.timesRedeemed
    const set = `id,title,timesRedeemed\n${id},Nine,9\n`
    const { changeSet } = await importFile(venue, 'resource=coupons&counters=set', set)
    expect(await count()).toBe(9)
    expect((await venue.post('/redemptions', { code: 'TEN', order: 'A' })).status).toBe(201)
    const undone = await undo(venue, changeSet)
    expect([undone.status, undone.body.conflicts ?? []]).toEqual([200, []])
    expect([await count(), (await venue.get(`/coupons/${id}`)).body.title]).toEqual([6, 'Ten'])
    expect((await undo(venue, changeSet)).body.id).toBe(undone.body.id)
    expect(await count()).toBe(6)
    await undo(venue, undone.body.id)
    expect(await count()).toBe(10)
    // An edit of a batch is no count: it stays.
    const operations = [{ op: 'update', resource: 'coupons', id, body: { timesRedeemed: 2, title: 'Two' } }]
    const edit = (await venue.post('/batch', { operations })).body.changeSet
    await undo(venue, edit)
    expect([await count(), (await venue.get(`/coupons/${id}`)).body.title]).toEqual([2, 'Nine'])
  },
)

test('taking counted stock back needs stock:write', async () => {
  const venue = await createVenue()
  await importFile(venue, 'resource=products', rows(1, 10, 1))
  const { changeSet } = await importFile(venue, 'resource=products&counters=set', rows(1, 7, 1))
  const key = (scopes: string[]) => createKey(venue.id, { mode: 'live', scopes })
  expect((await undo(await key(['changes:write', 'products:write']), changeSet)).status).toBe(403)
  expect((await undo(await key(['changes:write', 'products:write', 'stock:write']), changeSet)).status).toBe(200)
  expect(await listStock(venue)).toEqual([10])
})
