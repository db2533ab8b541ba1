import { describe, expect, test } from 'vitest'
import { createKey, createVenue, toIssues } from '../../support/api.ts'
import { createIsolate } from '../../support/isolate.ts'
import { samples } from '../../support/samples.ts'

const venue = await createVenue()
const isolates = await Promise.all(Array.from({ length: 4 }, () => createIsolate()))
const put = (path: string, body: unknown, headers?: Record<string, string>) => venue.request('PUT', path, body, headers)
const countOf = async (collection: string) => (await venue.get(`/${collection}?limit=100`)).body.length
const statusesOf = (responses: readonly { status: number }[]) => responses.map(({ status }) => status).sort()

describe.each(samples)('the first upserts of a $name', ({ collection, body }) => {
  test('create one object, however many come at once', async () => {
    const before = await countOf(collection)
    const path = `/${collection}/external/at-once`
    const responses = await Promise.all(Array.from({ length: 20 }, () => put(path, body('same'))))
    expect(statusesOf(responses)).toEqual([...Array.from({ length: 19 }, () => 200), 201])
    expect(new Set(responses.map((response) => response.body.id)).size).toBe(1)
    expect(await countOf(collection)).toBe(before + 1)
  })

  test('create one object, in isolates of their own', async () => {
    const before = await countOf(collection)
    const path = venue.path(`/${collection}/external/isolates`)
    // A unique value, such as the code of a coupon, is the same in all of them.
    const same = body('same isolates')
    const responses = await Promise.all(isolates.map((request) => request('PUT', path, venue.key, same)))
    expect(statusesOf(responses)).toEqual([200, 200, 200, 201])
    expect(await countOf(collection)).toBe(before + 1)
  })
})

describe('the conditions of an upsert', () => {
  const body = { title: 'Tea', price: 1 }

  test('If-None-Match: * only creates', async () => {
    expect((await put('/products/external/c1', body, { 'if-none-match': '*' })).status).toBe(201)
    expect((await put('/products/external/c1', body, { 'if-none-match': '*' })).status).toBe(412)
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => put('/products/external/c2', body, { 'if-none-match': '*' })),
    )
    expect(statusesOf(responses)).toEqual([201, 412, 412, 412, 412])
  })

  test('If-Match only updates', async () => {
    const before = await countOf('products')
    for (const tag of ['*', '"1-AAAA"']) {
      const response = await put('/products/external/c3', { price: 2 }, { 'if-match': tag })
      expect([response.status, response.body.code]).toEqual([412, 'precondition_failed'])
    }
    expect(await countOf('products')).toBe(before)
    const { headers } = await put('/products/external/c3', body)
    const etag = headers.get('etag') ?? ''
    expect((await put('/products/external/c3', { price: 2 }, { 'if-match': etag })).status).toBe(200)
    expect((await put('/products/external/c3', { price: 3 }, { 'if-match': etag })).status).toBe(412)
    expect((await put('/products/external/c3', { price: 3 }, { 'if-match': '*' })).status).toBe(200)
    expect((await venue.remove('/products/external/c3', { 'if-match': etag })).status).toBe(412)
    expect((await venue.remove('/products/external/c3', { 'if-match': '*' })).status).toBe(200)
  })

  test('issues of the body precede a failed condition', async () => {
    const response = await put('/products/external/c4', { price: -1, colour: 'red' }, { 'if-match': '*' })
    expect(toIssues(response)).toEqual(['/colour unknown_field', '/price too_small'])
  })
})

describe('the body of an upsert', () => {
  test('is that of a create where the external id is unknown, and is merged where it is known', async () => {
    expect(toIssues(await put('/products/external/b1', { price: 1 }))).toEqual(['/title required'])
    const { body: created } = await put('/products/external/b1', { title: 'Tea', price: 1, sku: 'S', image: true })
    const { body: updated } = await put('/products/external/b1', { price: 2, sku: null, image: false })
    const { sku: _sku, ...rest } = created
    expect(updated).toEqual({ ...rest, price: 2, updatedAt: updated.updatedAt })
    expect(toIssues(await put('/products/external/b1', { title: null, modifiers: ['nobody'] }))).toEqual([
      '/modifiers/0 not_found',
      '/title required',
    ])
    expect(toIssues(await put('/products/external/b2', { title: 'Tea', price: 1, modifiers: ['nobody'] }))).toEqual([
      '/modifiers/0 not_found',
    ])
    expect((await venue.raw('/products/external/b1', '{}')).status).toBe(405)
  })

  test('of a test key cannot make a live tag', async () => {
    const key = await createKey(venue.id, { mode: 'test' })
    expect((await key.request('PUT', '/tags/external/b3', { testMode: false })).status).toBe(403)
  })

  test('that conflicts with another object is a conflict', async () => {
    const coupon = { title: 'Ten', code: 'CLASH', type: 'FIXED', value: 1 }
    await put('/coupons/external/b4', coupon)
    expect((await put('/coupons/external/b5', coupon)).status).toBe(409)
    await put('/coupons/external/b5', { ...coupon, code: 'OTHER' })
    expect((await put('/coupons/external/b5', { code: 'clash' })).status).toBe(409)
  })

  test('without ids of options keeps those of options with the same label', async () => {
    const options = [{ label: 'Oat' }, { label: 'Soy' }, { label: 'Oat' }, {}]
    const { body: first } = await put('/modifiers/external/m', { title: 'Milk', instructions: '', options })
    const [oat, soy, secondOat, none] = first.options.map(({ id }: { id: string }) => id)
    const next = [{ label: 'Soy', additionalCost: 1 }, { label: 'Oat' }, { label: 'Rice' }, {}, { label: 'Oat' }]
    const { body: second } = await put('/modifiers/external/m', { options: next })
    const ids = second.options.map(({ id }: { id: string }) => id)
    expect(ids).toEqual([soy, oat, ids[2], none, secondOat])
    expect([oat, soy, secondOat, none]).not.toContain(ids[2])
    // An id that the body gives is not given to another option.
    const { body: third } = await put('/modifiers/external/m', {
      options: [{ label: 'Oat' }, { id: oat, label: 'New' }],
    })
    expect(third.options.map(({ id }: { id: string }) => id)).toEqual([secondOat, oat])
    // An update by id generates new ids.
    const { body: fourth } = await venue.post(`/modifiers/${first.id}`, { options: [{ label: 'Oat' }] })
    expect([oat, soy, secondOat, none]).not.toContain(fourth.options[0].id)
  })

  test('without ids of sections keeps those of sections with the same title', async () => {
    const { body: first } = await put('/menus/external/m', { title: 'All', sections: [{ title: 'A' }, { title: 'B' }] })
    const [a, b] = first.sections.map(({ id }: { id: string }) => id)
    const { body: second } = await put('/menus/external/m', {
      sections: [{ title: 'B' }, { title: 'C' }, { title: 'A' }],
    })
    expect(second.sections.map(({ id }: { id: string }) => id)).toEqual([b, second.sections[1].id, a])
    const same = await put('/menus/external/m', { sections: [{ title: 'B' }, { title: 'C' }, { title: 'A' }] })
    expect(same.body).toEqual(second)
  })
})
