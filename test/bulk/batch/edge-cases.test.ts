import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { createVenue, send, toIssues, type Venue } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'

const run = (venue: Venue, operations: readonly object[], more: object = {}, query = '') =>
  venue.post(`/batch${query}`, { operations, ...more })
const statuses = (response: { body: { results: { status: number }[] } }) =>
  response.body.results.map(({ status }) => status)
const createProduct = async (venue: Venue, more: object = {}): Promise<string> =>
  (await venue.post('/products', { title: 'Latte', price: 3, ...more })).body.id
const describeAs = (id: string, bytes: number) =>
  env.DB.prepare('update products set description = ? where id = ?').bind('x'.repeat(bytes), id).run()

describe('large objects', () => {
  test('are updated up to 8 MiB in all', async () => {
    const venue = await createVenue()
    const ids = await Promise.all(Array.from({ length: 5 }, () => createProduct(venue)))
    for (const id of ids) await describeAs(id, 1_700_000)
    const updates = ids.map((id) => ({ op: 'update', resource: 'products', id, body: { price: 4 } }))
    const tooLarge = await run(venue, updates)
    expect([tooLarge.status, tooLarge.body.code]).toEqual([422, 'batch_too_large'])
    const bytes = Number(/have (\d+) bytes/.exec(tooLarge.body.detail)?.[1])
    const atLimit = 1_700_000 - (bytes - 8 * 2 ** 20)
    await describeAs(ids[0] ?? '', atLimit + 1)
    expect((await run(venue, updates)).body.code).toBe('batch_too_large')
    await describeAs(ids[0] ?? '', atLimit)
    expect((await run(venue, updates)).status).toBe(200)
    expect(
      (
        await run(
          venue,
          ids.map((id) => ({ op: 'delete', resource: 'products', id })),
        )
      ).status,
    ).toBe(200)
  })

  test('come back as they were for a repeated Idempotency-Key, in rows that D1 takes', async () => {
    const venue = await createVenue()
    const ids = [await createProduct(venue), await createProduct(venue)]
    for (const id of ids) await describeAs(id, 1_700_000)
    const body = { operations: ids.map((id) => ({ op: 'update', resource: 'products', id, body: { price: 4 } })) }
    const key = { 'idempotency-key': 'large' }
    const first = await venue.post('/batch?return=objects', body, key)
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null])
    const again = await venue.post('/batch?return=objects', body, key)
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    expect(again.body).toEqual(first.body)
    const rows = await env.DB.prepare(
      'select max(length(answer)) as longest, count(*) as count from idempotency_keys',
    ).first()
    expect(rows).toEqual({ longest: 1_900_000, count: 3 })
    const other = await venue.post('/batch?return=objects', { operations: [] }, key)
    expect(other.body.code).toBe('idempotency_key_reused')
  })
})

describe('an object that changes while a batch runs', () => {
  test('is read again, and no change is lost', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue)
    let calls = 0
    const response = await observe('POST', venue.path('/batch'), {
      key: venue.key,
      json: { operations: [{ op: 'update', resource: 'products', id, body: { price: 4 } }] },
      before: async () => {
        calls++
        if (calls === 2) {
          await env.DB.prepare(`update products set title = 'Other', version = version + 1 where id = ?`).bind(id).run()
        }
      },
    })
    expect([response.status, response.trips.length]).toEqual([200, 4])
    const { body, headers } = await venue.get(`/products/${id}`)
    expect(body).toMatchObject({ title: 'Other', price: 4 })
    expect(headers.get('etag')).toMatch(/^"3-/)
  })

  test('is not found if it was deleted', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue)
    let calls = 0
    const response = await observe('POST', venue.path('/batch'), {
      key: venue.key,
      json: { operations: [{ op: 'delete', resource: 'products', id }] },
      before: async () => {
        calls++
        if (calls === 2) await env.DB.prepare('delete from products where id = ?').bind(id).run()
      },
    })
    expect(toIssues(response)).toEqual(['/operations/0 not_found'])
  })

  test('is named no longer if it was deleted', async () => {
    const venue = await createVenue()
    const { body: modifier } = await venue.post('/modifiers', { title: 'Milk', instructions: '' })
    let calls = 0
    const response = await observe('POST', venue.path('/batch'), {
      key: venue.key,
      json: {
        operations: [
          { op: 'create', resource: 'products', body: { title: 'Latte', price: 3, modifiers: [modifier.id] } },
        ],
      },
      before: async () => {
        calls++
        if (calls === 2) await env.DB.prepare('delete from modifiers where id = ?').bind(modifier.id).run()
      },
    })
    expect(toIssues(response)).toEqual(['/operations/0/body/modifiers/0 not_found'])
  })
})

describe('a damaged object', () => {
  test('fails to update unless the body repairs it, and can be deleted', async () => {
    const venue = await createVenue()
    const [broken, deleted] = [await createProduct(venue), await createProduct(venue)]
    for (const id of [broken, deleted]) {
      await env.DB.prepare(`update products set images = '[5]' where id = ?`).bind(id).run()
    }
    const update = (body: object) => ({ op: 'update', resource: 'products', id: broken, body })
    expect(toIssues(await run(venue, [update({ price: 4 })]))).toEqual(['/operations/0 damaged'])
    const failed = await run(venue, [update({ price: 4 })], { mode: 'independent' })
    expect(failed.body.results[0].problem.code).toBe('damaged')
    const remove = { op: 'delete', resource: 'products', id: deleted }
    const response = await run(venue, [update({ images: [] }), remove], {}, '?return=objects')
    expect(statuses(response)).toEqual([200, 200])
    expect(response.body.results[1].object).toMatchObject({ id: deleted, title: 'Latte' })
    expect(response.body.results[1].object).not.toHaveProperty('images')
    expect((await venue.get(`/products/${broken}`)).body.images).toEqual([])
  })

  test('is pruned as far as it can be', async () => {
    const venue = await createVenue()
    const { body: modifier } = await venue.post('/modifiers', { title: 'Milk', instructions: '' })
    const id = await createProduct(venue, { modifiers: [modifier.id] })
    await env.DB.prepare(`update products set images = '[5]' where id = ?`).bind(id).run()
    expect((await run(venue, [{ op: 'delete', resource: 'modifiers', id: modifier.id }])).status).toBe(200)
    const row = await env.DB.prepare('select modifiers, version from products where id = ?').bind(id).first()
    expect(row).toEqual({ modifiers: '[]', version: 2 })
  })
})

describe('modes', () => {
  test('a test key reaches and makes test objects only', async () => {
    const [live, mine] = [await createVenue(), await createVenue({ mode: 'test' })]
    const tag = { op: 'create', resource: 'tags' }
    expect(toIssues(await run(mine, [{ ...tag, body: { testMode: false } }]))).toEqual(['/operations/0 forbidden'])
    const made = await run(live, [
      { ...tag, externalId: 'T', body: { testMode: true } },
      { ...tag, body: {} },
    ])
    const [first, second] = made.body.results.map(({ id }: { id: string }) => id)
    const modes = [first, second].map(async (id) => (await live.get(`/tags/${id}`)).body.testMode)
    expect(await Promise.all(modes)).toEqual([true, false])
    const changed = await run(live, [
      { op: 'update', resource: 'tags', externalId: 'T', body: { testMode: false } },
      { op: 'delete', resource: 'tags', id: second },
    ])
    expect(statuses(changed)).toEqual([200, 200])
    expect(toIssues(await run(mine, [{ op: 'delete', resource: 'tags', id: first }]))).toEqual([
      '/operations/0 not_found',
    ])
  })
})

describe('copies of tags', () => {
  test('follow a batch at once', async () => {
    const venue = await createVenue({ orderingUrl: 'https://order.example.com/{metadata.table}' })
    const table = (value: string) => ({ metadata: [{ key: 'table', value }] })
    const made = await run(venue, [{ op: 'create', resource: 'tags', body: table('1') }], {}, '?return=objects')
    const [{ id, object }] = made.body.results
    const scan = async () => {
      const response = await send(`/t/${object.alias[0]}`)
      return response.headers.get('location') ?? response.status
    }
    expect(await scan()).toContain('https://order.example.com/1')
    await run(venue, [{ op: 'update', resource: 'tags', id, body: table('2') }])
    expect(await scan()).toContain('https://order.example.com/2')
    await run(venue, [{ op: 'delete', resource: 'tags', id }])
    expect(await scan()).toBe(410)
  })
})

test('operations that fail through others, in any order, hold no values that the others of the batch want', async () => {
  const venue = await createVenue()
  const coupon = { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 }
  const operations = [
    { op: 'create', resource: 'coupons', body: { ...coupon, products: ['#p'] } },
    { op: 'create', resource: 'products', ref: '#p', body: { title: 'Latte', price: 3, modifiers: ['#m'] } },
    { op: 'create', resource: 'modifiers', ref: '#m', body: { title: '' } },
    { op: 'create', resource: 'coupons', body: coupon },
  ]
  expect(statuses(await run(venue, operations, { mode: 'independent' }))).toEqual([422, 422, 422, 201])
})
