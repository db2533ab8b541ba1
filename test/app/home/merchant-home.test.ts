import { env } from 'cloudflare:workers'
import { describe, expect, test, vi } from 'vitest'
import { adminToken, call, createKey, createVenue, toIssues } from '../../support/api.ts'
import { multiply, observe, rowsRead } from '../../support/d1.ts'
import { findObject, queryHome } from '../../support/home.ts'
import { moveTo } from '../../support/moves.ts'
import { samples } from '../../support/samples.ts'

const coupon = { title: 'Spring', type: 'FIXED', value: 1 }
const createOwn = () => createVenue({ home: 'object' })
const count = async (sql: string, ...values: unknown[]) =>
  (
    await env.DB.prepare(sql)
      .bind(...values)
      .first<{ n: number }>()
  )?.n

describe.each(samples)('$collection of a merchant in an object', ({ collection, body, change }) => {
  test('are created, read, listed, updated and deleted there, and nothing of them is in the shared database', async () => {
    const venue = await createOwn()
    const created = await venue.post(`/${collection}`, body('x'))
    expect(created.status).toBe(201)
    expect(created.headers.get('d1-bookmark')).toBeNull()
    const path = `/${collection}/${created.body.id}`
    expect((await venue.get(path)).body.id).toBe(created.body.id)
    expect((await venue.get(`/${collection}`)).body).toHaveLength(1)
    expect((await venue.post(path, change)).status).toBe(200)
    const shared = await count(`select count(*) as n from ${collection} where merchant_id = ?`, venue.id)
    expect(shared).toBe(0)
    expect((await venue.remove(path)).status).toBe(200)
    expect((await venue.get(path)).status).toBe(404)
    const { body: events } = await venue.get('/events')
    expect(events.map(({ type }: { type: string }) => type.split('.')[1])).toEqual(['created', 'updated', 'deleted'])
  })
})

test('requests ask the shared database for nothing but the key', async () => {
  const venue = await createOwn()
  await venue.post('/products', { title: 'Tea', price: 1 })
  const warm = await observe('GET', venue.path('/products'), { key: venue.key })
  const list = await observe('GET', venue.path('/products'), { key: venue.key })
  expect([warm.status, list.status, list.trips.length]).toEqual([200, 200, 1])
  // Calls of objects do not tell how many rows they read.
  expect(rowsRead(list.trips)).toBe(0)
})

test('a request calls the object once for what it reads, and once for what it writes', async () => {
  const venue = await createOwn()
  const { body: product } = await venue.post('/products', { title: 'Tea', price: 1 })
  const request = async (method: string, path: string, json?: unknown) =>
    (await observe(method, venue.path(path), { key: venue.key, json })).trips.length
  await request('GET', '/products')
  expect(await request('POST', '/products', { title: 'Soup', price: 2 })).toBe(1)
  expect(await request('GET', `/products/${product.id}`)).toBe(1)
  expect(await request('POST', `/products/${product.id}`, { price: 3 })).toBe(2)
  expect(await request('POST', '/events', { type: 'order.created', data: {} })).toBe(1)
})

test('writes that arrive together are committed together, and one that fails undoes itself only', async () => {
  const venue = await createOwn()
  await venue.post('/coupons', { ...coupon, code: 'TAKEN' })
  // The turn of this write ends.
  await scheduler.wait(50)
  const turns = vi.spyOn(scheduler, 'wait')
  const codes = ['A', 'B', 'TAKEN', 'C', 'D', 'E', 'F', 'G']
  const created = await Promise.all(codes.map((code) => venue.post('/coupons', { ...coupon, code })))
  const waits = turns.mock.calls.filter(([ms]) => ms === 0).length
  turns.mockRestore()
  expect(created.map(({ status }) => status)).toEqual([201, 201, 409, 201, 201, 201, 201, 201])
  expect(waits).toBeGreaterThan(0)
  expect(waits).toBeLessThan(codes.length)
  const { body: events } = await venue.get('/events')
  expect(events).toHaveLength(codes.length)
  const seqs = await queryHome(venue.id, 'select seq from events order by seq')
  expect(seqs.map(({ seq }) => seq)).toEqual(codes.map((_, index) => index + 1))
  expect(await queryHome(venue.id, `select object from audit where operation = 'coupons.create'`)).toHaveLength(8)
})

test('a caller that does not say whether it writes gets a transaction', async () => {
  const venue = await createOwn()
  await venue.post('/products', { title: 'Tea', price: 1 })
  const renamed = queryHome(venue.id, `update products set title = 'Soup'`)
  expect(await renamed).toEqual([])
  const object = await findObject(venue.id)
  const identity = { merchantId: venue.id, object: object?.home.object ?? 0, settingsVersion: 0 }
  const statements = [`update products set title = 'Half'`, 'update products set title = null'].map((sql) => ({
    sql,
    values: [],
  }))
  expect(await object?.stub.run(identity, statements)).toMatchObject({ error: expect.stringContaining('NOT NULL') })
  expect(await queryHome(venue.id, 'select title from products')).toEqual([{ title: 'Soup' }])
})

describe('a merchant is created', () => {
  const create = (fields: object) => call('POST', '/admin/merchants', adminToken, { name: 'Venue', ...fields })

  test('in an object, near a place or within a jurisdiction', async () => {
    const near = await create({ home: 'object', location: 'weur' })
    expect(near.body).toMatchObject({ home: 'object', location: 'weur' })
    const within = await create({ home: 'object', jurisdiction: 'eu' })
    expect(within.body).toMatchObject({ home: 'object', jurisdiction: 'eu' })
    for (const { body } of [near, within]) {
      const found = await call('GET', `/admin/merchants/${body.id}`, adminToken)
      expect(found.body).toEqual(body)
      const { get } = await createKey(body.id, { mode: 'live' })
      expect((await get('/products')).body).toEqual([])
    }
  })

  test('in the shared database, which has neither', async () => {
    expect((await create({ home: 'd1' })).body).not.toHaveProperty('location')
    const refused = await create({ home: 'd1', location: 'weur', jurisdiction: 'eu' })
    expect(toIssues(refused)).toEqual(['/jurisdiction conflict', '/location conflict'])
    expect(toIssues(await create({ home: 'object', location: 'moon' }))).toEqual(['/location invalid_value'])
  })

  test('and keeps its home, also if an update sends another', async () => {
    const { body } = await create({ home: 'object' })
    const update = await call('POST', `/admin/merchants/${body.id}`, adminToken, { home: 'd1' })
    expect(toIssues(update)).toEqual(['/home read_only_field'])
  })
})

test('an object has new audit entries of the operator although the merchant made many before its move', async () => {
  const venue = await createVenue({ home: 'd1' })
  await venue.post('/products', { title: 'Tea', price: 1 })
  const [{ id, operation }] = (await venue.get('/audit')).body
  expect(operation).toBe('products.create')
  await multiply('audit', id, 1_200, { id: "substr(id, 1, 20) || printf('%010d', n)" })
  expect(await moveTo(venue.id, 'object')).toMatchObject({ state: 'done' })
  for (const name of ['A', 'B', 'C']) {
    expect((await call('POST', `/admin/merchants/${venue.id}`, adminToken, { name })).status).toBe(200)
    await venue.get('/products')
  }
  const { body: audit } = await venue.get('/audit?limit=10')
  const operations = audit.map(({ operation }: { operation: string }) => operation)
  expect(operations.slice(0, 4)).toEqual([...Array(3).fill('merchants.update'), 'merchants.move'])
})

test('an object has the settings of its merchant, and the audit entries of the operator', async () => {
  const venue = await createOwn()
  const settings = () => venue.post('/quotes', { items: [] })
  expect((await settings()).body.currency ?? 'EUR').toBe('EUR')
  await call('POST', `/admin/merchants/${venue.id}`, adminToken, { timezone: 'Asia/Tokyo' })
  const { body: tag } = await venue.post('/tags', {})
  expect((await venue.get(`/tags/${tag.id}/scans`)).status).toBe(200)
  const { body: audit } = await venue.get('/audit')
  const operations = audit.map(({ operation }: { operation: string }) => operation)
  expect(operations).toEqual(['tags.create', 'merchants.update', 'keys.create', 'merchants.create'])
})
