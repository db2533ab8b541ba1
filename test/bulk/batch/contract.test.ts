import { describe, expect, test } from 'vitest'
import { createKey, createVenue, toIssues } from '../../support/api.ts'
import { create, customer, product, run, statuses } from './requests.ts'

describe('the request of a batch', () => {
  test('has 1 to 500 operations', async () => {
    const venue = await createVenue()
    const many = (count: number) => Array.from({ length: count }, (_, n) => create(`C${n}`))
    expect(statuses(await run(venue, many(500)))).toHaveLength(500)
    expect(toIssues(await run(venue, many(501)))).toEqual(['/operations too_many'])
    expect(toIssues(await run(venue, []))).toEqual(['/operations too_short'])
    expect(toIssues(await run(venue, undefined))).toEqual(['/operations required'])
  })

  test('has at most 1 MiB, and each operation the size of a single body', async () => {
    const venue = await createVenue()
    const text = JSON.stringify({ operations: [create('A')] })
    const padded = (bytes: number) => text + ' '.repeat(bytes - text.length)
    expect((await venue.raw('/batch', padded(2 ** 20))).status).toBe(200)
    const tooLarge = await venue.raw('/batch', padded(2 ** 20 + 1))
    expect([tooLarge.status, tooLarge.body.code]).toEqual([413, 'body_too_large'])

    const metadata = Array.from({ length: 50 }, (_, n) => ({ key: `k${n}`, value: 'x'.repeat(5_000) }))
    const large = (length: number) => product({ metadata, description: 'x'.repeat(length) })
    const rest = 262_144 - JSON.stringify(large(0)).length
    const atLimit = { op: 'create', resource: 'products', body: large(rest) }
    const beyond = { op: 'create', resource: 'products', body: { ...large(rest - 13), sku: '12345' } }
    expect(JSON.stringify(atLimit.body).length).toBe(262_144)
    expect(JSON.stringify(beyond.body).length).toBe(262_145)
    const response = await run(venue, [atLimit, beyond], { mode: 'independent' })
    expect(response.body.results.map(({ problem }: { problem?: { code: string } }) => problem?.code)).toEqual([
      'invalid_request',
      'body_too_large',
    ])
    expect(toIssues(await run(venue, [beyond]))).toEqual(['/operations/0/body too_large'])
  })

  test('names every issue of its shape at once, in either mode', async () => {
    const venue = await createVenue()
    const operations = [
      { op: 'create', resource: 'products', id: 'prod_x', ifMatch: '"1-x"', body: product() },
      { op: 'update', resource: 'products', body: {} },
      { op: 'update', resource: 'products', id: 'a', externalId: 'b', ref: '#x', body: {} },
      { op: 'upsert', resource: 'products', externalId: ' x', ref: 'milk' },
      { op: 'delete', resource: 'orders', id: 'x' },
      { op: 'delete', resource: 'products', id: 'y', body: {} },
      { op: 'create', resource: 'menus', body: { title: 'M', sections: [{ items: ['#nobody'] }] } },
      'nothing',
    ]
    for (const mode of ['atomic', 'independent']) {
      expect(toIssues(await run(venue, operations, { mode }))).toEqual([
        '/operations/0/id unknown_field',
        '/operations/0/ifMatch unknown_field',
        '/operations/1/id required',
        '/operations/2/externalId conflict',
        '/operations/2/ref unknown_field',
        '/operations/3/body required',
        '/operations/3/externalId invalid_format',
        '/operations/3/ref invalid_format',
        '/operations/4/resource invalid_value',
        '/operations/5/body unknown_field',
        '/operations/6/body/sections/0/items/0 unresolved_reference',
        '/operations/7 invalid_type',
      ])
    }
    expect(toIssues(await run(venue, [create('A')], { mode: 'other', more: 1 }))).toEqual([
      '/mode invalid_value',
      '/more unknown_field',
    ])
    expect(toIssues(await run(venue, [create('A')], {}, '?dryRun=maybe&return=all'))).toEqual([
      'dryRun invalid_value',
      'return invalid_value',
    ])
  })

  test('names each object once', async () => {
    const venue = await createVenue()
    const made = await run(venue, [create('A', { externalId: 'A' })])
    const [{ id }] = made.body.results
    const remove = { op: 'delete', resource: 'customers' }
    const update = { op: 'update', resource: 'customers', body: {} }
    expect(
      toIssues(
        await run(venue, [
          { ...update, id },
          { ...remove, id },
        ]),
      ),
    ).toEqual(['/operations/1/id duplicate'])
    expect(
      toIssues(
        await run(venue, [
          { ...update, externalId: 'A' },
          { ...remove, id },
        ]),
      ),
    ).toEqual(['/operations/1/id duplicate'])
    const upsert = { op: 'upsert', resource: 'customers', externalId: 'A', body: customer('B') }
    expect(toIssues(await run(venue, [{ ...update, id }, upsert], { mode: 'independent' }))).toEqual([
      '/operations/1/externalId duplicate',
    ])
    expect(toIssues(await run(venue, [create('B', { ref: '#b' }), create('C', { ref: '#b' })]))).toEqual([
      '/operations/1/ref duplicate',
    ])
    // Another resource, and another object that takes over the external id of a deleted one.
    const replaced = await run(venue, [{ ...remove, externalId: 'A' }, create('C', { externalId: 'A' })])
    expect(statuses(replaced)).toEqual([200, 201])
    expect(statuses(await run(venue, [{ ...update, externalId: 'A' }]))).toEqual([200])
  })

  test('requires the scopes of all its resources, and names the missing ones before other issues', async () => {
    const venue = await createVenue()
    const key = await createKey(venue.id, { mode: 'live', scopes: ['customers:write', 'products:read'] })
    const operations = [
      create('A'),
      { op: 'create', resource: 'products' },
      { op: 'delete', resource: 'menus', id: 'x' },
    ]
    const { status, body } = await key.post('/batch', { operations })
    expect([status, body.detail]).toEqual([403, 'The key lacks the scopes products:write, menus:write.'])
    expect((await key.post('/batch', { operations: [create('A')] })).status).toBe(200)
    expect((await key.raw('/batch', '[')).status).toBe(400)
    expect((await key.raw('/batch', '{}', { 'content-type': 'text/plain' })).status).toBe(415)
  })
})

describe('references in a batch', () => {
  test('are refs and external ids, before or after what they name', async () => {
    const venue = await createVenue()
    await run(venue, [
      { op: 'create', resource: 'modifiers', externalId: 'OLD', body: { title: 'O', instructions: '' } },
    ])
    const modifiers = ['#new', { id: '#upserted' }, { externalId: 'OLD' }]
    const response = await run(venue, [
      { op: 'create', resource: 'products', ref: '#p', body: product({ modifiers }) },
      { op: 'create', resource: 'modifiers', ref: '#new', externalId: 'NEW', body: { title: 'N', instructions: '' } },
      {
        op: 'upsert',
        resource: 'modifiers',
        ref: '#upserted',
        externalId: 'U',
        body: { title: 'U', instructions: '' },
      },
      { op: 'create', resource: 'products', body: product({ modifiers: [{ externalId: 'NEW' }] }) },
      { op: 'create', resource: 'coupons', body: { title: 'T', code: 'T', type: 'FIXED', value: 1, products: ['#p'] } },
    ])
    expect(statuses(response)).toEqual([201, 201, 201, 201, 201])
    const [p, n, u, q, c] = response.body.results.map(({ id }: { id: string }) => id)
    const old = (await venue.get('/modifiers?q=O')).body[0].id
    expect((await venue.get(`/products/${p}`)).body.modifiers).toEqual([n, u, old])
    expect((await venue.get(`/products/${q}`)).body.modifiers).toEqual([n])
    expect((await venue.get(`/coupons/${c}`)).body.products).toEqual([p])
  })

  test('must name an object of the right resource that the batch does not delete', async () => {
    const venue = await createVenue()
    const { body: modifier } = await venue.post('/modifiers', { title: 'Milk', instructions: '' })
    const response = await run(venue, [
      {
        op: 'create',
        resource: 'products',
        ref: '#self',
        body: product({ modifiers: ['#self', { externalId: 'none' }] }),
      },
      { op: 'create', resource: 'products', body: product({ modifiers: [modifier.id] }) },
      { op: 'delete', resource: 'modifiers', id: modifier.id },
    ])
    expect(toIssues(response)).toEqual([
      '/operations/0/body/modifiers/0 not_found',
      '/operations/0/body/modifiers/1 not_found',
      '/operations/1/body/modifiers/0 not_found',
    ])
  })
})

describe('options and sections without an id', () => {
  test('keep the id of the part with the same label or title', async () => {
    const venue = await createVenue()
    const milk = (options: object[]) => ({ title: 'Milk', instructions: '', options })
    const { body: modifier } = await venue.post('/modifiers', milk([{ label: 'Oat' }, { label: 'Soy' }]))
    const { body: menu } = await venue.post('/menus', { title: 'Day', sections: [{ title: 'Hot' }] })
    const response = await run(venue, [
      { op: 'update', resource: 'modifiers', id: modifier.id, body: { options: [{ label: 'Soy' }, { label: 'Oat' }] } },
      { op: 'update', resource: 'menus', id: menu.id, body: { sections: [{ title: 'Hot' }] } },
    ])
    expect(statuses(response)).toEqual([200, 200])
    const [oat, soy] = modifier.options
    expect((await venue.get(`/modifiers/${modifier.id}`)).body.options).toEqual([soy, oat])
    expect((await venue.get(`/menus/${menu.id}`)).body).toEqual(menu)
  })
})
