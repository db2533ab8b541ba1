import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createKey, createVenue, toIssues, type Venue } from '../../support/api.ts'
import { multiply, observe } from '../../support/d1.ts'

afterEach(() => vi.restoreAllMocks())

const createProduct = async (venue: Venue, fields: object = {}): Promise<string> =>
  (await venue.post('/products', { title: 'Cake', price: 3, manageStock: true, stockQuantity: 10, ...fields })).body.id

const readStock = async (venue: Venue, id: string): Promise<number> =>
  (await venue.get(`/products/${id}`)).body.stockQuantity

let references = 0
const adjust = (venue: Venue, changes: readonly object[], fields: object = {}) =>
  venue.post('/stock', { reference: `order-${++references}`, reason: 'sale', changes, ...fields })

/** All events of stock, oldest first. */
async function listEvents(venue: Venue) {
  const events = []
  for (let page = (await venue.get('/events?limit=100')).body; page.length > 0; ) {
    events.push(...page)
    page = (await venue.get(`/events?limit=100&after=${page.at(-1).id}`)).body
  }
  return events.filter(({ type }) => /stock|sold/.test(type))
}

describe('an adjustment', () => {
  test('adds to the stock, takes from it and sets it, in one transaction', async () => {
    const venue = await createVenue()
    const [cake, tea, milk, juice] = [
      await createProduct(venue),
      await createProduct(venue, { stockQuantity: 1.5 }),
      await createProduct(venue, { stockQuantity: -2 }),
      await createProduct(venue, { stockQuantity: null }),
    ]
    const { status, body } = await adjust(venue, [
      { product: cake, delta: -3 },
      { product: tea, delta: '0.1' },
      { product: milk, set: 7 },
      { product: juice, delta: 4 },
    ])
    expect([status, body]).toEqual([
      200,
      {
        reference: `order-${references}`,
        changes: [
          { product: cake, stockQuantity: 7, soldOut: false },
          { product: tea, stockQuantity: 1.6, soldOut: false },
          { product: milk, stockQuantity: 7, soldOut: false },
          { product: juice, stockQuantity: 4, soldOut: false },
        ],
      },
    ])
    expect(await Promise.all([cake, tea, milk, juice].map((id) => readStock(venue, id)))).toEqual([7, 1.6, 7, 4])
  })

  test('has no error of binary fractions', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue, { stockQuantity: 0 })
    for (let n = 0; n < 10; n++) await adjust(venue, [{ product: id, delta: 0.1 }], { reason: 'delivery' })
    expect(await readStock(venue, id)).toBe(1)
    expect((await adjust(venue, [{ product: id, delta: -0.7 }])).body.changes[0].stockQuantity).toBe(0.3)
  })

  test('moves version, ETag and time of the products that changed, and of no other', async () => {
    const venue = await createVenue()
    const [changed, same] = [await createProduct(venue), await createProduct(venue)]
    const read = async (id: string) => {
      const { headers, body } = await venue.get(`/products/${id}`)
      return { version: Number.parseInt((headers.get('etag') ?? '').slice(1), 10), updatedAt: body.updatedAt }
    }
    const before = [await read(changed), await read(same)]
    await adjust(venue, [
      { product: changed, delta: -1 },
      { product: same, delta: 0 },
    ])
    const after = [await read(changed), await read(same)]
    expect(after[0]?.version).toBe(2)
    expect(after[0]?.updatedAt).toBeGreaterThan(before[0]?.updatedAt ?? 0)
    expect(after[1]).toEqual(before[1])
    const stale = await venue.post(`/products/${changed}`, { title: 'x' }, { 'if-match': '"1-0000000000000000"' })
    expect(stale.status).toBe(412)
  })

  test('is applied once for each reference', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue)
    const body = { reference: 'A-1', reason: 'sale', changes: [{ product: id, delta: -2 }] }
    const first = await venue.post('/stock', body)
    await adjust(venue, [{ product: id, delta: -1 }])
    const again = await venue.post('/stock', { ...body, oversell: false })
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(await readStock(venue, id)).toBe(7)
    for (const other of [{ changes: [{ product: id, delta: -3 }] }, { reason: 'waste' }, { oversell: true }]) {
      const { status, body: problem } = await venue.post('/stock', { ...body, ...other })
      expect([status, problem.code, problem.errors[0].pointer]).toEqual([409, 'conflict', '/reference'])
    }
    expect(await readStock(venue, id)).toBe(7)
  })

  test('whose response was lost is applied once by requests at the same time', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue)
    const body = { reference: 'A-1', reason: 'sale', changes: [{ product: id, delta: -2 }] }
    const answers = await Promise.all(Array.from({ length: 10 }, () => venue.post('/stock', body)))
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
    expect(await readStock(venue, id)).toBe(8)
    expect((await listEvents(venue)).map(({ type }) => type)).toEqual(['stock.changed'])
  })

  test('returns the first response for an Idempotency-Key', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue)
    const body = { reference: 'A-1', reason: 'sale', changes: [{ product: id, delta: -2 }] }
    const key = { 'idempotency-key': 'k1' }
    const first = await venue.post('/stock', body, key)
    const again = await venue.post('/stock', body, key)
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true'])
    expect((await venue.post('/stock', { ...body, reference: 'A-2' }, key)).body.code).toBe('idempotency_key_reused')
    expect(await readStock(venue, id)).toBe(8)
  })

  test('belongs to its merchant and mode', async () => {
    const venue = await createVenue()
    const [other, tests] = [await createVenue(), await createKey(venue.id, { mode: 'test' })]
    const id = await createProduct(venue)
    const body = { reference: 'A-1', reason: 'sale', changes: [{ product: id, delta: -2 }] }
    await venue.post('/stock', body)
    for (const foreign of [other, tests]) {
      const answer = await foreign.post('/stock', { ...body, reference: 'A-2' })
      expect(toIssues(answer)).toEqual(['/changes/0/product not_found'])
      const own = (await foreign.post('/products', { title: 'x', price: 1, manageStock: true, stockQuantity: 5 })).body
      const used = await foreign.post('/stock', { ...body, changes: [{ product: own.id, delta: -2 }] })
      expect(used.body.changes[0].stockQuantity).toBe(3)
    }
    expect(await readStock(venue, id)).toBe(8)
  })

  test('writes an entry to the audit log, and none where it changes nothing', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue)
    await adjust(venue, [{ product: id, delta: -2 }], { reference: 'A-1' })
    await adjust(venue, [{ product: id, delta: -2 }], { reference: 'A-1' })
    await adjust(venue, [{ product: id, delta: -20 }], { reference: 'A-2' })
    const { body } = await venue.get('/audit?operation=stock.adjust')
    expect(body.map(({ object }: { object: string }) => object)).toEqual(['A-1'])
  })
})

describe('a shortage', () => {
  test('changes nothing, and names every short product with what is available', async () => {
    const venue = await createVenue()
    const [cake, tea, milk] = [
      await createProduct(venue, { stockQuantity: 2 }),
      await createProduct(venue, { stockQuantity: -1 }),
      await createProduct(venue),
    ]
    const { status, body } = await adjust(venue, [
      { product: cake, delta: -2.0001 },
      { product: milk, delta: -1 },
      { product: tea, delta: -1 },
    ])
    expect([status, body.code]).toEqual([409, 'insufficient_stock'])
    expect(body.errors).toMatchObject([
      { pointer: '/changes/0', code: 'insufficient_stock', available: 2 },
      { pointer: '/changes/2', code: 'insufficient_stock', available: 0 },
    ])
    expect(await Promise.all([cake, tea, milk].map((id) => readStock(venue, id)))).toEqual([2, -1, 10])
    expect(await listEvents(venue)).toEqual([])
  })

  test('does not use up the reference', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue)
    expect((await adjust(venue, [{ product: id, delta: -11 }], { reference: 'A-1' })).status).toBe(409)
    expect((await adjust(venue, [{ product: id, delta: -10 }], { reference: 'A-1' })).status).toBe(200)
  })

  test('is none for an increase, and with oversell', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue, { stockQuantity: -5 })
    expect((await adjust(venue, [{ product: id, delta: 1 }])).body.changes[0].stockQuantity).toBe(-4)
    expect((await adjust(venue, [{ product: id, delta: 0 }])).status).toBe(200)
    expect((await adjust(venue, [{ product: id, delta: -3 }])).body.code).toBe('insufficient_stock')
    expect((await adjust(venue, [{ product: id, set: -1 }])).body.code).toBe('insufficient_stock')
    expect((await adjust(venue, [{ product: id, delta: -3 }], { oversell: true })).body.changes[0].stockQuantity).toBe(
      -7,
    )
    expect((await adjust(venue, [{ product: id, set: -1 }], { oversell: true })).body.changes[0].stockQuantity).toBe(-1)
    expect((await adjust(venue, [{ product: id, set: 0 }])).body.changes[0]).toMatchObject({ soldOut: true })
  })

  test('leaves exactly the stock to sales at the same time', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue, { stockQuantity: 50 })
    const answers = await Promise.all(Array.from({ length: 80 }, () => adjust(venue, [{ product: id, delta: -1 }])))
    expect(Map.groupBy(answers, ({ status }) => status).get(200)).toHaveLength(50)
    expect(Map.groupBy(answers, ({ body }) => body.code).get('insufficient_stock')).toHaveLength(30)
    expect(await readStock(venue, id)).toBe(0)
    const events = await listEvents(venue)
    expect(events.filter(({ type }) => type === 'stock.changed')).toHaveLength(50)
    expect(events.filter(({ type }) => type === 'product.sold_out')).toHaveLength(1)
  })

  test('does not arise from an update of the product at the same time', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue, { stockQuantity: 20 })
    const work = Array.from({ length: 10 }, (_, n) => [
      adjust(venue, [{ product: id, delta: -1 }]),
      venue.post(`/products/${id}`, { title: `Cake ${n}` }),
    ])
    const answers = await Promise.all(work.flat())
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    expect(await readStock(venue, id)).toBe(10)
  })
})

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
    const ask = async (json: object) => {
      const { status, trips } = await observe('POST', venue.path('/stock'), { key: venue.key, json })
      return [status, trips.length]
    }
    const sale = { reference: 'A-1', reason: 'sale', changes: changes(-10) }
    expect(await ask(sale)).toEqual([200, 1])
    expect(await ask(sale)).toEqual([200, 1])
    expect(await ask({ ...sale, reference: 'A-2' })).toEqual([409, 1])
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
