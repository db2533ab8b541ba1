import { describe, expect, test } from 'vitest'
import { createVenue, toIssues } from '../../support/api.ts'

const modifier = { title: 'Milk', instructions: '' }

describe('an atomic batch', () => {
  test('creates, updates, upserts and deletes objects of several resources', async () => {
    const venue = await createVenue()
    const { body: menu } = await venue.post('/menus', { title: 'Old' })
    const { body: coupon } = await venue.post('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 10 })
    const { status, body } = await venue.post('/batch', {
      operations: [
        { op: 'update', resource: 'menus', id: menu.id, body: { sections: [{ title: 'Coffee', items: ['#latte'] }] } },
        {
          op: 'create',
          resource: 'products',
          ref: '#latte',
          body: { title: 'Latte', price: '3.50', modifiers: ['#milk'] },
        },
        { op: 'upsert', resource: 'modifiers', externalId: 'MILK', ref: '#milk', body: modifier },
        { op: 'delete', resource: 'coupons', id: coupon.id },
      ],
    })
    expect([status, body]).toEqual([200, body])
    expect(body.mode).toBe('atomic')
    const [updated, created, upserted, deleted] = body.results
    expect(updated).toEqual({ index: 0, status: 200, id: menu.id, etag: expect.any(String) })
    expect(created).toMatchObject({ index: 1, status: 201 })
    expect(upserted).toMatchObject({ index: 2, status: 201, externalId: 'MILK' })
    expect(deleted).toEqual({ index: 3, status: 200, id: coupon.id })
    const product = await venue.get(`/products/${created.id}`)
    expect(product.body).toMatchObject({ title: 'Latte', price: 3.5, modifiers: [upserted.id], visible: true })
    expect(product.headers.get('etag')).toBe(created.etag)
    const changed = await venue.get(`/menus/${menu.id}`)
    expect(changed.body.sections).toMatchObject([{ title: 'Coffee', items: [created.id] }])
    expect(changed.headers.get('etag')).toBe(updated.etag)
    expect((await venue.get(`/coupons/${coupon.id}`)).status).toBe(404)
    expect((await venue.get('/products?q=latte')).body).toHaveLength(1)
    const events = (await venue.get('/events')).body.map(({ type }: { type: string }) => type)
    expect(events.slice(-4)).toEqual(['coupon.deleted', 'modifier.created', 'product.created', 'menu.updated'])
  })

  test('changes nothing if one operation fails, and names every issue', async () => {
    const venue = await createVenue()
    const response = await venue.post('/batch', {
      operations: [
        { op: 'create', resource: 'products', ref: '#a', body: { title: 'A', price: 1 } },
        { op: 'create', resource: 'products', body: { title: '', price: -1 } },
        { op: 'update', resource: 'products', id: 'prod_none', body: { price: 1 } },
        { op: 'create', resource: 'menus', body: { title: 'M', sections: [{ items: ['#a', 'prod_none'] }] } },
      ],
    })
    expect(toIssues(response)).toEqual([
      '/operations/1/body/price too_small',
      '/operations/1/body/title too_short',
      '/operations/2 not_found',
      '/operations/3/body/sections/0/items/1 not_found',
    ])
    expect(response.body.code).toBe('batch_failed')
    expect((await venue.get('/products')).body).toEqual([])
  })

  test('tells an external id in a body from that of the operation', async () => {
    const venue = await createVenue()
    await venue.request('PUT', '/modifiers/external/MILK', modifier)
    const create = { op: 'create', resource: 'modifiers' }
    const operations = [
      { ...create, body: { ...modifier, externalId: 'NUTS' } },
      { ...create, externalId: 'MILK', body: modifier },
    ]
    expect(toIssues(await venue.post('/batch', { operations }))).toEqual([
      '/operations/0/body/externalId read_only_field',
      '/operations/1/externalId duplicate',
    ])
  })

  test('raises the events of deleted objects before those of objects that name them', async () => {
    const venue = await createVenue()
    const create = async (resource: string, body: object) => (await venue.post(`/${resource}`, body)).body.id
    const milk = await create('modifiers', modifier)
    const latte = await create('products', { title: 'Latte', price: 1, modifiers: [milk] })
    const menu = await create('menus', { title: 'Coffee', sections: [{ title: 'Hot', items: [latte] }] })
    const { status } = await venue.post('/batch', {
      operations: [
        { op: 'update', resource: 'menus', id: menu, body: { title: 'Tea' } },
        { op: 'delete', resource: 'products', id: latte },
        { op: 'delete', resource: 'modifiers', id: milk },
      ],
    })
    expect(status).toBe(200)
    expect((await venue.get('/events')).body.slice(3)).toMatchObject([
      { type: 'modifier.deleted', data: { id: milk } },
      { type: 'product.deleted', data: { id: latte, modifiers: [milk] } },
      { type: 'menu.updated', data: { id: menu, sections: [{ items: [] }] } },
    ])
  })

  test('prunes deleted objects from their owners, with one event for an owner that it updates too', async () => {
    const venue = await createVenue()
    const create = async (resource: string, body: object) => (await venue.post(`/${resource}`, body)).body.id
    const [milk, sugar] = [await create('modifiers', modifier), await create('modifiers', modifier)]
    const product = (title: string) => create('products', { title, price: 1, modifiers: [milk, sugar] })
    const [updated, other] = [await product('Updated'), await product('Other')]
    const { status } = await venue.post('/batch', {
      operations: [
        { op: 'update', resource: 'products', id: updated, body: { price: 2 } },
        { op: 'delete', resource: 'modifiers', id: milk },
      ],
    })
    expect(status).toBe(200)
    for (const id of [updated, other]) {
      const { body, headers } = await venue.get(`/products/${id}`)
      expect(body.modifiers).toEqual([sugar])
      expect(headers.get('etag')).toMatch(/^"2-/)
    }
    const events = (await venue.get('/events')).body
    const pruned = { modifiers: [milk, sugar] }
    expect(events.slice(-3)).toMatchObject([
      { type: 'modifier.deleted', data: { id: milk } },
      { type: 'product.updated', data: { id: other }, previous: pruned },
      { type: 'product.updated', data: { id: updated }, previous: { price: 1, ...pruned } },
    ])
    expect(events).toHaveLength(7)
  })
})
