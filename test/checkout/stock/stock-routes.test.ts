import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createKey, createVenue, toIssues } from '../../support/api.ts'
import { multiply, observe } from '../../support/d1.ts'
import { adjust, createProduct, listEvents, readStock } from './adjustments.ts'

afterEach(() => vi.restoreAllMocks())

describe('a body', () => {
  test('is refused with every issue', async () => {
    const venue = await createVenue()
    const [unmanaged, managed] = [await createProduct(venue, { manageStock: false }), await createProduct(venue)]
    expect(toIssues(await venue.post('/stock', {}))).toEqual([
      '/changes required',
      '/reason required',
      '/reference required',
    ])
    const changes = [
      { product: managed },
      { product: managed, delta: 1, set: 1 },
      { product: 'x', delta: 0.00001 },
      { product: 'y', delta: 1_000_000_001 },
      { product: 'z', set: -1_000_000_001 },
      { delta: 1, price: 2 },
    ]
    expect(toIssues(await adjust(venue, changes, { reason: 'theft', oversell: 'no', reference: '' }))).toEqual([
      '/changes/0/delta required',
      '/changes/1/product duplicate',
      '/changes/1/set conflict',
      '/changes/2/delta too_precise',
      '/changes/3/delta too_large',
      '/changes/4/set too_small',
      '/changes/5/price unknown_field',
      '/changes/5/product required',
      '/oversell invalid_type',
      '/reason invalid_value',
      '/reference too_short',
    ])
    const stored = [
      { product: unmanaged, delta: 1 },
      { product: 'nobody', delta: 1 },
      { product: managed, delta: -99 },
    ]
    expect(toIssues(await adjust(venue, stored))).toEqual([
      '/changes/0/product stock_not_managed',
      '/changes/1/product not_found',
    ])
  })

  test('has at most 500 changes and a reference of at most 128 characters', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue)
    const many = (count: number) => Array.from({ length: count }, (_, n) => ({ product: `x${n}`, delta: 1 }))
    expect(toIssues(await adjust(venue, many(501)))).toEqual(['/changes too_many'])
    expect(toIssues(await adjust(venue, many(500)))).toHaveLength(500)
    expect(toIssues(await adjust(venue, []))).toEqual(['/changes too_short'])
    const change = [{ product: id, delta: 1 }]
    expect(toIssues(await adjust(venue, change, { reference: 'x'.repeat(129) }))).toEqual(['/reference too_long'])
    expect((await adjust(venue, change, { reference: 'x'.repeat(128) })).status).toBe(200)
    expect((await adjust(venue, [{ product: id, set: 1_000_000_000 }])).status).toBe(200)
  })

  test('requires the scope of stock', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue)
    const body = { reference: 'A-1', reason: 'sale', changes: [{ product: id, delta: -1 }] }
    const allowed = await createKey(venue.id, { mode: 'live', scopes: ['stock:write'] })
    const refused = await createKey(venue.id, { mode: 'live', scopes: ['stock:read', 'products:write'] })
    expect((await allowed.post('/stock', body)).status).toBe(200)
    expect((await refused.post('/stock', body)).status).toBe(403)
  })
})

describe('the database is called once', () => {
  test('for 500 products, for a repeated reference and for a shortage', async () => {
    const venue = await createVenue()
    const last = await createProduct(venue)
    await multiply('products', last, 499)
    const { results } = await env.DB.prepare('select id from products where merchant_id = ? order by id')
      .bind(venue.id)
      .all<{ id: string }>()
    const ids = results.map(({ id }) => id)
    const changes = (delta: number) => ids.map((product) => ({ product, delta }))
    const request = async (json: object) => {
      const { status, trips } = await observe('POST', venue.path('/stock'), { key: venue.key, json })
      return [status, trips.length]
    }
    const sale = { reference: 'A-1', reason: 'sale', changes: changes(-10) }
    expect(await request(sale)).toEqual([200, 1])
    expect(await request(sale)).toEqual([200, 1])
    expect(await request({ ...sale, reference: 'A-2' })).toEqual([409, 1])
    expect(await readStock(venue, ids[499] ?? '')).toBe(0)
    const [event] = (await listEvents(venue)).filter(({ type }) => type === 'product.sold_out')
    expect(event.data.products).toEqual(ids)
    expect([...event.data.soldOut].sort()).toEqual([...ids].sort())
  })
})

describe('events', () => {
  test('contain the changes, and the products that are sold out', async () => {
    const venue = await createVenue()
    const [cake, tea] = [await createProduct(venue), await createProduct(venue, { stockQuantity: 0 })]
    await adjust(venue, [{ product: cake, delta: -10 }], { reference: 'A-1' })
    await adjust(venue, [{ product: cake, delta: -1 }], { reference: 'A-2', oversell: true, reason: 'waste' })
    await adjust(
      venue,
      [
        { product: cake, set: 5 },
        { product: tea, set: 5.5 },
      ],
      { reference: 'A-3', reason: 'count' },
    )
    const common = { merchantId: venue.id, testMode: false, version: 1 }
    expect(await listEvents(venue)).toMatchObject([
      {
        ...common,
        type: 'stock.changed',
        data: {
          reference: 'A-1',
          reason: 'sale',
          changes: [{ product: cake, stockQuantity: 0, soldOut: true, version: 2 }],
        },
      },
      {
        ...common,
        type: 'product.sold_out',
        data: { products: [cake], soldOut: [cake, tea].sort(), truncated: false },
      },
      {
        type: 'stock.changed',
        data: { reference: 'A-2', reason: 'waste', changes: [{ stockQuantity: -1, version: 3 }] },
      },
      { type: 'stock.changed', data: { reference: 'A-3', reason: 'count' } },
      { type: 'product.back_in_stock', data: { products: [cake, tea], soldOut: [], truncated: false } },
    ])
    expect(
      (await venue.get('/events?limit=100')).body.some(({ type }: { type: string }) => type === 'product.updated'),
    ).toBe(false)
  })

  test('are not raised where nothing changes', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue)
    await adjust(venue, [{ product: id, set: 10 }], { reason: 'count' })
    expect(await listEvents(venue)).toEqual([])
  })
})
