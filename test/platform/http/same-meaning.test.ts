import { describe, expect, test } from 'vitest'
import { importLimits } from '../../../src/bulk/import/import-limits.ts'
import { createKey, createVenue } from '../../support/api.ts'
import { jsonl } from '../../support/imports.ts'
import { samples } from '../../support/samples.ts'
import {
  createWebhook,
  made,
  newKey,
  nextNumber,
  post,
  postToVenue,
  repeat,
  useVenue,
  venue,
} from './idempotent-requests.ts'

useVenue()

describe('a repeated request that means the same', () => {
  test.each(samples)('creates one $name', async ({ collection, body }) => {
    const first = body('a')
    const [optional = ''] = Object.keys(
      samples.find((each) => each.collection === collection)?.full({ product: '', modifier: '' }) ?? {},
    ).filter((field) => !(field in first))
    const reversed = Object.fromEntries(Object.entries(first).toReversed())
    expect(await repeat(`/${collection}`, [first, reversed, { ...first, [optional]: null }])).toEqual(made(2))
  })

  test('writes numbers and booleans in another form', async () => {
    const bodies = [
      { title: 'Tea', price: 1.5, visible: true },
      { price: '1.50', visible: 1, title: ' Tea ' },
    ]
    expect(await repeat('/products', bodies)).toEqual(made(1))
  })

  test('is an order with its sets in another order, another spelling of codes, and null for absent', async () => {
    const products: string[] = []
    for (const title of ['Tea', 'Cake']) {
      const fields = { title, price: 1, manageStock: true, stockQuantity: 100 }
      products.push((await postToVenue('/products', fields)).body.id)
    }
    for (const code of ['TEN', 'SIX']) {
      await postToVenue('/coupons', { title: code, code, type: 'PERCENTAGE', value: 10 })
    }
    const order = `A-${nextNumber()}`
    const [tea, cake] = products.map((product) => ({ product, delta: -1 }))
    const [ten, six] = ['TEN', 'SIX'].map((code) => ({ code, order }))
    const first = {
      type: 'order.created',
      data: { order, table: 4, lines: [1, 2] },
      effects: { stock: { reference: order, reason: 'sale', changes: [tea, cake] }, redemptions: [ten, six] },
    }
    const same = {
      effects: {
        redemptions: [
          { ...six, customer: null, amount: null },
          { ...ten, code: 'Ten' },
        ],
        stock: { changes: [cake, tea], reference: order, oversell: null },
      },
      data: { lines: [1, 2], table: 4, order },
      type: 'order.created',
    }
    expect(await repeat('/events', [first, same])).toEqual(made(1))
    const again = await postToVenue('/events', same)
    const known = await postToVenue('/events', first)
    expect([again.status, again.body.id, known.body.id]).toEqual([202, known.body.id, known.body.id])
    const stock = (await venue.get(`/products?ids=${products}`)).body
    expect(stock.map(({ stockQuantity }: { stockQuantity: number }) => stockQuantity)).toEqual([99, 99])

    const others = [
      { ...first, data: { ...first.data, lines: [2, 1] } },
      { ...first, data: { ...first.data, table: null } },
      { ...first, effects: { ...first.effects, redemptions: [ten] } },
    ]
    const key = newKey()
    await post(venue.path('/events'), first, key)
    for (const other of others) {
      expect((await post(venue.path('/events'), other, key)).body.code).toBe('idempotency_key_reused')
    }
  })

  test('adjusts stock once, whatever the order of its changes', async () => {
    const products: string[] = []
    for (const title of ['Tea', 'Cake']) {
      products.push((await postToVenue('/products', { title, price: 1, manageStock: true, stockQuantity: 9 })).body.id)
    }
    const changes = products.map((product) => ({ product, delta: -1 }))
    const body = { reference: `S-${nextNumber()}`, reason: 'sale', changes }
    const turned = { ...body, oversell: null, changes: changes.toReversed() }
    expect(await repeat('/stock', [body, turned])).toEqual(made(1))
    expect((await postToVenue('/stock', turned)).body).toEqual((await postToVenue('/stock', body)).body)
    expect((await venue.get(`/products/${products[0]}`)).body.stockQuantity).toBe(8)
  })

  test('redeems once, whatever the spelling of the code', async () => {
    await postToVenue('/coupons', { title: 'Two', code: 'TWO', type: 'PERCENTAGE', value: 10 })
    const order = `R-${nextNumber()}`
    const bodies = [
      { code: 'TWO', order },
      { order, code: 'Two', customer: null, hold: null },
    ]
    expect(await repeat('/redemptions', bodies)).toEqual(made(1))
  })
})

describe('a request that means something else', () => {
  test('clears a field with null, which absent does not', async () => {
    const { id } = (await postToVenue('/products', { title: 'Tea', price: 1, description: 'x' })).body
    expect(await repeat(`/products/${id}`, [{ price: 2 }, { price: 2, description: null }])).toEqual([
      'made',
      'idempotency_key_reused',
    ])
  })

  test('has numbers that differ beyond the precision of a double', async () => {
    const send = (number: string, key: string) =>
      venue.raw('/events', `{"type": "order.created", "data": {"n": ${number}}}`, {
        'content-type': 'application/json',
        'idempotency-key': key,
      })
    const key = newKey()
    expect((await send('9007199254740993', key)).status).toBe(202)
    expect((await send('9007199254740992', key)).body.code).toBe('idempotency_key_reused')
  })

  test('has another query: it is not answered from the first', async () => {
    const upload = (query: string, key: string) =>
      venue.raw(`/imports?${query}`, 'externalId,title,price\nA,Tea,1\n', {
        'content-type': 'text/csv',
        'idempotency-key': key,
      })
    const key = newKey()
    expect((await upload('resource=products', key)).status).toBe(202)
    for (const more of ['apply=true', 'delete=missing', 'match=id', 'counters=set']) {
      expect([more, (await upload(`resource=products&${more}`, key)).body.code]).toEqual([
        more,
        'idempotency_key_reused',
      ])
    }
    expect((await upload('resource=products', key)).headers.get('idempotent-replayed')).toBe('true')
    const other = newKey()
    expect((await upload('resource=products&apply=true', other)).status).toBe(202)
    expect((await upload('apply=1&resource=products', other)).headers.get('idempotent-replayed')).toBe('true')
    expect((await upload('resource=products', other)).body.code).toBe('idempotency_key_reused')

    const operations = [{ op: 'create', resource: 'products', body: { title: 'Tea', price: 1 } }]
    expect(await repeat('/batch', [{ operations }], ['', '?return=objects', ''])).toEqual([
      'made',
      'idempotency_key_reused',
      'replayed',
    ])
  })
})

test('a key without the scope gets no stored response, of any operation', async () => {
  const without = await createKey(venue.id, { mode: 'live', scopes: ['audit:read', 'events:write'] })
  const { id: product } = (await postToVenue('/products', { title: 'Tea', price: 1, manageStock: true })).body
  const { id: webhook } = await createWebhook()
  await postToVenue('/coupons', { title: 'All', code: 'ALL', type: 'PERCENTAGE', value: 10 })
  const change = { product, set: 4 }
  const requests: [string, unknown][] = [
    ...samples.map(({ collection, body }): [string, unknown] => [`/${collection}`, body('s')]),
    [`/products/${product}`, { price: 3 }],
    [`/products/${product}/details`, { allergens: [] }],
    [`/products/${product}/availability`, { soldOut: true }],
    [`/webhooks/${webhook}/secret/rotate`, undefined],
    [`/webhooks/${webhook}/token/rotate`, undefined],
    ['/redemptions', { code: 'ALL', order: 'S-1' }],
    ['/stock', { reference: 'S-1', reason: 'count', changes: [change] }],
    ['/batch', { operations: [{ op: 'update', resource: 'products', id: product, body: { price: 4 } }] }],
    ['/events', { type: 'order.created', data: {}, effects: { stock: { reference: 'S-2', changes: [change] } } }],
  ]
  const unprotected: unknown[] = []
  for (const [path, json] of requests) {
    const key = newKey()
    const first = await post(venue.path(path), json, key)
    expect([path, first.status < 300]).toEqual([path, true])
    const again = await post(venue.path(path), json, key, without.key)
    if (again.status !== 403 || again.isReplayed) unprotected.push([path, again.status])
  }
  const file = JSON.stringify({ resource: 'products', title: 'Tea', price: 1 })
  for (const query of ['', '?resource=products']) {
    const headers = { 'content-type': 'application/jsonl', 'idempotency-key': newKey() }
    expect((await venue.raw(`/imports${query}`, file, headers)).status).toBe(202)
    const again = await without.raw(`/imports${query}`, file, headers)
    if (again.status !== 403) unprotected.push([`/imports${query}`, again.status])
  }
  expect(unprotected).toEqual([])
})

test('a key without the scope gets no stored import where the merchant can have no more', async () => {
  const owner = await createVenue()
  const without = await createKey(owner.id, { mode: 'live', scopes: ['audit:read', 'events:write'] })
  const file = JSON.stringify({ resource: 'products', title: 'Tea', price: 1 })
  const headers = { 'content-type': 'application/jsonl', 'idempotency-key': newKey() }
  const first = await owner.raw('/imports', file, headers)
  for (let n = 1; n < importLimits.openImports; n++) {
    expect((await owner.raw('/imports', file, jsonl)).status).toBe(202)
  }
  expect((await owner.raw('/imports', file, jsonl)).body.code).toBe('too_many')
  const again = await owner.raw('/imports', file, headers)
  expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([202, first.body, 'true'])
  for (const more of [headers, jsonl]) {
    const refused = await without.raw('/imports', file, more)
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
  }
  expect((await owner.get('/imports?limit=100')).body).toHaveLength(importLimits.openImports)
})
