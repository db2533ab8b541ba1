import { afterEach, describe, expect, test, vi } from 'vitest'
import { createKey, createVenue, toIssues } from '../../support/api.ts'
import { adjust, createProduct, listEvents, readStock, references } from './adjustments.ts'

afterEach(() => vi.restoreAllMocks())

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
    const responses = await Promise.all(Array.from({ length: 10 }, () => venue.post('/stock', body)))
    expect(new Set(responses.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
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
      const response = await foreign.post('/stock', { ...body, reference: 'A-2' })
      expect(toIssues(response)).toEqual(['/changes/0/product not_found'])
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

  test('does not exist for an increase, and with oversell', async () => {
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
    const responses = await Promise.all(Array.from({ length: 80 }, () => adjust(venue, [{ product: id, delta: -1 }])))
    expect(Map.groupBy(responses, ({ status }) => status).get(200)).toHaveLength(50)
    expect(Map.groupBy(responses, ({ body }) => body.code).get('insufficient_stock')).toHaveLength(30)
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
    const responses = await Promise.all(work.flat())
    expect(responses.filter(({ status }) => status !== 200)).toEqual([])
    expect(await readStock(venue, id)).toBe(10)
  })
})
