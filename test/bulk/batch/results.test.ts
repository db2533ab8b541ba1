import { describe, expect, test } from 'vitest'
import { createVenue, toIssues } from '../../support/api.ts'
import { create, customer, product, run, statuses } from './requests.ts'

describe('an independent batch', () => {
  test('writes what succeeds and says why the rest fails', async () => {
    const venue = await createVenue()
    const { body: kept } = await venue.post('/customers', customer('Kept'))
    const response = await run(
      venue,
      [
        { op: 'create', resource: 'modifiers', ref: '#bad', body: { title: '', instructions: '' } },
        { op: 'create', resource: 'products', ref: '#p', body: product({ modifiers: ['#bad'] }) },
        { op: 'create', resource: 'menus', body: { title: 'M', sections: [{ items: ['#p'] }] } },
        create('Good'),
        { op: 'update', resource: 'customers', id: kept.id, ifMatch: '"9-x"', body: { firstName: 'Lost' } },
        { op: 'delete', resource: 'customers', externalId: 'none' },
      ],
      { mode: 'independent' },
    )
    expect(statuses(response)).toEqual([422, 422, 422, 201, 412, 404])
    const [first, second, third, , stale] = response.body.results
    expect(first.problem).toMatchObject({ code: 'invalid_request', errors: [{ pointer: '/title', code: 'too_short' }] })
    expect(first.problem).not.toHaveProperty('requestId')
    const dependent = (pointer: string) => ({ errors: [{ pointer, code: 'unresolved_reference' }] })
    expect(second.problem).toMatchObject(dependent('/modifiers/0'))
    expect(third.problem).toMatchObject(dependent('/sections/0/items/0'))
    expect(stale.problem.code).toBe('precondition_failed')
    expect((await venue.get('/customers')).body.map((each: { firstName: string }) => each.firstName)).toEqual([
      'Good',
      'Kept',
    ])
    expect((await venue.get('/products')).body).toEqual([])
  })
})

describe('unique values', () => {
  const coupon = (code: string) => ({ title: code, code, type: 'FIXED', value: 1 })

  test('can be swapped and taken over', async () => {
    const venue = await createVenue()
    const [a, b, c] = await Promise.all(
      ['A', 'B', 'C'].map(async (code) => (await venue.post('/coupons', coupon(code))).body.id),
    )
    const response = await run(venue, [
      { op: 'update', resource: 'coupons', id: a, body: { code: 'b' } },
      { op: 'update', resource: 'coupons', id: b, body: { code: 'a' } },
      { op: 'delete', resource: 'coupons', id: c },
      { op: 'create', resource: 'coupons', body: coupon('C') },
    ])
    expect(statuses(response)).toEqual([200, 200, 200, 201])
    expect((await venue.get('/coupons?code=A')).body[0].id).toBe(b)
  })

  test('stay taken if the operation that would release them fails', async () => {
    const venue = await createVenue()
    const { body: a } = await venue.post('/coupons', coupon('A'))
    const release = { op: 'update', resource: 'coupons', id: a.id, body: { code: 'B', value: -1 } }
    const operations = [release, { op: 'create', resource: 'coupons', body: coupon('a') }]
    const independent = await run(venue, operations, { mode: 'independent' })
    expect(statuses(independent)).toEqual([422, 409])
    const twice = [coupon('X'), coupon('x')].map((body) => ({ op: 'create', resource: 'coupons', body }))
    expect(toIssues(await run(venue, twice))).toEqual(['/operations/1/body/code duplicate'])
    expect(toIssues(await run(venue, [create('A', { externalId: 'E' })]))).toEqual(['200 undefined'])
    expect(toIssues(await run(venue, [create('B', { externalId: 'E' })]))).toEqual([
      '/operations/0/externalId duplicate',
    ])
  })
})

describe('a dry run', () => {
  test('returns what the batch would return, and changes nothing', async () => {
    const venue = await createVenue()
    const { body: kept } = await venue.post('/customers', customer('Kept'))
    const { body: entries } = await venue.get('/audit')
    const operations = [
      create('New'),
      { op: 'update', resource: 'customers', id: kept.id, body: { firstName: 'Changed' } },
    ]
    const response = await run(venue, operations, {}, '?dryRun=true')
    expect(response.body).toEqual({
      mode: 'atomic',
      dryRun: true,
      results: [
        { index: 0, status: 201 },
        { index: 1, status: 200, id: kept.id, etag: expect.stringMatching(/^"2-/) },
      ],
    })
    expect((await venue.get('/customers')).body).toEqual([kept])
    expect((await venue.get('/events')).body).toHaveLength(1)
    expect((await venue.get('/audit')).body).toEqual(entries)
    expect(toIssues(await run(venue, [...operations, create('')], {}, '?dryRun=1'))).toEqual([
      '/operations/2/body/firstName too_short',
    ])
  })

  test('ignores an Idempotency-Key', async () => {
    const venue = await createVenue()
    const body = { operations: [create('New')] }
    const key = { 'idempotency-key': 'dry' }
    await venue.post('/batch?dryRun=true', body, key)
    const made = await venue.post('/batch', body, key)
    expect([made.status, made.body.results[0].id]).toEqual([200, expect.any(String)])
    const again = await venue.post('/batch', body, key)
    expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', made.body])
    expect((await venue.get('/customers')).body).toHaveLength(1)
  })
})

describe('objects in results', () => {
  test('are those of the single operations', async () => {
    const venue = await createVenue()
    const hook = { title: 'Till', url: 'https://hooks.example.com/a' }
    const { body: old } = await venue.post('/customers', customer('Old'))
    const response = await run(
      venue,
      [
        { op: 'create', resource: 'webhooks', body: hook },
        { op: 'create', resource: 'tags', body: {} },
        { op: 'delete', resource: 'customers', id: old.id },
      ],
      {},
      '?return=objects',
    )
    const [webhook, tag, deleted] = response.body.results.map(({ object }: { object: object }) => object)
    expect(webhook).toMatchObject({ ...hook, secret: expect.any(String), bearerToken: expect.any(String) })
    expect(tag).toEqual((await venue.get(`/tags/${tag.id}`)).body)
    expect(deleted).toEqual(old)
  })
})

describe('batches at the same time', () => {
  test('on one object all take effect, beside single updates', async () => {
    const venue = await createVenue()
    const { body } = await venue.post('/products', product())
    const fields = ['title', 'description', 'sku', 'upc']
    const update = (n: number) => ({ [fields[n % 4] ?? '']: `v${n}` })
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        n % 2 === 0
          ? run(venue, [{ op: 'update', resource: 'products', id: body.id, body: update(n) }])
          : venue.post(`/products/${body.id}`, update(n)),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const { headers } = await venue.get(`/products/${body.id}`)
    expect(headers.get('etag')).toMatch(/^"9-/)
    expect((await venue.get('/events')).body).toHaveLength(9)
  })

  test('that upsert one external id create one object', async () => {
    const venue = await createVenue()
    const upsert = { op: 'upsert', resource: 'customers', externalId: 'one', body: customer('One') }
    const responses = await Promise.all(Array.from({ length: 8 }, () => run(venue, [upsert])))
    expect(responses.flatMap(statuses).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201])
    expect((await venue.get('/customers')).body).toHaveLength(1)
  })
})
