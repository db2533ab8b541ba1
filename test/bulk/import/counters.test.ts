import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { resourceList, type resources } from '../../../src/catalogue/resources/registry.ts'
import { createKey, createVenue, type Venue } from '../../support/api.ts'
import { check, csv, importFile, jsonl, settle, toCounts, toJsonLines, upload } from '../../support/imports.ts'

type Fields = Record<string, unknown>

/** Objects with active counters, by resource: the body, the counter's change in between, and another field of the file. */
const counting = {
  products: {
    body: { title: 'Tea', price: 1, sku: 'TEA', manageStock: true, stockQuantity: 10 },
    counted: { stockQuantity: 2 },
    edited: { price: 1.5 },
    async count(venue: Venue, id: string) {
      await venue.post('/stock', { reference: id, reason: 'sale', changes: [{ product: id, delta: -8 }] })
    },
  },
  coupons: {
    body: { title: 'Ten', code: 'TEN', type: 'PERCENTAGE', value: 10 },
    counted: { timesRedeemed: 1 },
    edited: { value: 12 },
    async count(venue: Venue, id: string) {
      await venue.post('/redemptions', { code: 'TEN', order: id })
    },
  },
}
type Counting = keyof typeof counting
const cases = (['products', 'coupons'] as const).flatMap((resource) =>
  (['csv', 'jsonl', 'export'] as const).map((format) => ({ resource, format })),
)

/** A file with one object, whose counters are those of the time when it was exported. */
function toFile(resource: Counting, format: 'csv' | 'jsonl' | 'export', object: Fields, edited: Fields) {
  const { id, createdAt: _created, updatedAt: _updated, testMode: _mode, ...rest } = object
  const fields: Fields = { id, ...rest, ...edited }
  if (format === 'export') return toJsonLines([{ resource, object: { ...object, ...edited } }])
  if (format === 'jsonl') return toJsonLines([{ ...fields }])
  const columns = Object.keys(fields).filter((key) => typeof fields[key] !== 'object')
  return `${columns.join()}\n${columns.map((key) => fields[key]).join()}\n`
}

/** The fields of the numbers of a resource that clients write. */
const listNumbers = ({ item, create }: (typeof resources)[keyof typeof resources]) =>
  Object.entries(item.shape).flatMap(([field, schema]: [string, unknown]) => {
    const inner = schema instanceof z.ZodMiniOptional ? schema.def.innerType : schema
    return inner instanceof z.ZodMiniNumber && !create.readOnly.has(field) ? [field] : []
  })

test('each number of a resource is either counted by the service or set by clients alone', () => {
  // A new number belongs into `counters` of its resource if any operation but a write of the resource changes it.
  const ofClients = [
    'coupons.minimumOrderAmount',
    'coupons.value',
    'products.calories',
    'products.price',
    'products.taxRate',
  ]
  const counters = resourceList.flatMap((resource) =>
    Object.keys(resource.counters).map((field) => `${resource.path}.${field}`),
  )
  const numbers = resourceList.flatMap((resource) => listNumbers(resource).map((field) => `${resource.path}.${field}`))
  expect(counters.toSorted()).toEqual(
    Object.entries(counting)
      .flatMap(([path, { counted }]) => Object.keys(counted).map((field) => `${path}.${field}`))
      .toSorted(),
  )
  expect([...counters, ...ofClients].toSorted()).toEqual(numbers.toSorted())
})

describe('a file with a number that the service has counted since', () => {
  test.each(cases)('leaves it as it is: $resource as $format', async ({ resource, format }) => {
    const venue = await createVenue()
    const { body, counted, edited, count } = counting[resource]
    const created = (await venue.post(`/${resource}`, body)).body
    await count(venue, created.id)
    const file = toFile(resource, format, created, edited)
    const query = `resource=${resource}&match=id`
    const headers = format === 'csv' ? csv : jsonl

    const checked = await check(venue, query, file, headers)
    const [field] = Object.keys(counted)
    expect(checked.notices).toEqual([
      { code: 'counter_kept', resource, field, count: 1, message: expect.stringContaining('stays') },
    ])
    await venue.post(`/imports/${checked.id}/apply`, undefined)
    expect(toCounts(await settle(venue, checked.id))).toMatchObject({ updated: 1 })
    expect((await venue.get(`/${resource}/${created.id}`)).body).toMatchObject({ ...counted, ...edited })

    const again = await importFile(venue, query, file, headers)
    expect(toCounts(again)).toMatchObject({ unchanged: 1 })
  })

  test('leaves it as it is, whatever selects the object', async () => {
    for (const match of ['externalId', 'id', 'sku']) {
      const venue = await createVenue()
      const { body, count } = counting.products
      const { id } = (await venue.request('PUT', '/products/external/A', body)).body
      await count(venue, id)
      const keys = match === 'id' ? `id\n${id}` : match === 'sku' ? 'sku\nTEA' : 'externalId\nA'
      const [name, key] = keys.split('\n')
      await importFile(venue, `resource=products&match=${match}`, `${name},stockQuantity,price\n${key},10,2\n`)
      expect((await venue.get(`/products/${id}`)).body).toMatchObject({ stockQuantity: 2, price: 2 })
    }
  })

  test('does not clear it', async () => {
    const venue = await createVenue()
    const { id } = (await venue.post('/products', counting.products.body)).body
    await importFile(venue, 'resource=products', toJsonLines([{ id, stockQuantity: null, price: 3 }]), jsonl)
    expect((await venue.get(`/products/${id}`)).body).toMatchObject({ stockQuantity: 10, price: 3 })
  })

  test('has issues all the same if it is not valid', async () => {
    const venue = await createVenue()
    const { id } = (await venue.post('/products', counting.products.body)).body
    const checked = await check(venue, 'resource=products', `id,stockQuantity\n${id},many\n`)
    expect([checked.state, checked.failed, checked.notices]).toEqual(['failed', 1, []])
  })

  test('sets it where nothing was counted: new objects, unmanaged stock, stock without a quantity', async () => {
    const venue = await createVenue()
    const unmanaged = (await venue.post('/products', { title: 'A', price: 1, stockQuantity: 5 })).body.id
    const empty = (await venue.post('/products', { title: 'B', price: 1, manageStock: true })).body.id
    const file = `id,title,price,manageStock,stockQuantity\n${unmanaged},A,1,true,7\n${empty},B,1,true,8\n,C,1,true,9\n`
    const done = await importFile(venue, 'resource=products', file)
    expect(done.notices).toEqual([])
    const products = (await venue.get('/products?order=asc')).body
    expect(products.map(({ stockQuantity }: Fields) => stockQuantity)).toEqual([7, 8, 9])
  })
})

describe('with counters=set', () => {
  test('stock becomes that of the file by adjustments, once', async () => {
    const venue = await createVenue()
    const { body, count } = counting.products
    const ids: string[] = []
    for (const title of ['A', 'B', 'C']) ids.push((await venue.post('/products', { ...body, title })).body.id)
    const [sold = '', gone = '', same = ''] = ids
    await count(venue, sold)
    const after = (await venue.get('/events?after=latest')).headers.get('link') ?? ''
    const file = `id,price,stockQuantity\n${sold},1,10\n${gone},2,0\n${same},1,10\n`
    const checked = await check(venue, 'resource=products&counters=set', file)
    expect(checked).toMatchObject({ counters: 'set' })
    expect(checked.notices).toMatchObject([{ code: 'counter_set', field: 'stockQuantity', count: 2 }])
    await venue.post(`/imports/${checked.id}/apply`, undefined)
    const done = await settle(venue, checked.id)
    expect(toCounts(done)).toMatchObject({ applied: 3, updated: 2, unchanged: 1 })

    const products = (await venue.get(`/products?order=asc&ids=${ids}`)).body
    expect(products.map(({ stockQuantity }: Fields) => stockQuantity)).toEqual([10, 0, 10])
    const [next = ''] = /(?<=<)[^>]+/.exec(after) ?? []
    const events = (await venue.get(next.slice(next.indexOf('/events')))).body
    const changed = events.filter(({ type }: Fields) => type === 'stock.changed')
    expect(changed.map(({ data }: { data: Fields }) => data)).toMatchObject([
      { reference: `${done.id}:2`, reason: 'count', changes: [{ product: sold, stockQuantity: 10, soldOut: false }] },
      { reference: `${done.id}:3`, reason: 'count', changes: [{ product: gone, stockQuantity: 0, soldOut: true }] },
    ])
    expect(events.filter(({ type }: Fields) => type === 'product.sold_out')).toMatchObject([
      { data: { products: [gone], soldOut: [gone] } },
    ])
    const versions = new Map(
      (await venue.get(`/products?include=version&ids=${ids}`)).body.map(({ id, version }: Fields) => [id, version]),
    )
    for (const { data } of changed) {
      const [{ product, version }] = data.changes
      expect(versions.get(product)).toBe(version)
    }
  })

  test.each(['strict', 'auto'])('the check foresees what applying does: mapping=%s', async (mapping) => {
    const venue = await createVenue()
    const { body } = counting.products
    const skus = ['COUNTED', 'PRICED', 'SAME']
    for (const sku of skus) await venue.post('/products', { ...body, title: sku, sku })
    const file = 'sku,price,stockQuantity\nCOUNTED,1,4\nPRICED,2,10\nSAME,1,10\n'
    const checked = await check(venue, `resource=products&counters=set&match=sku&mapping=${mapping}`, file)
    expect(checked.check).toMatchObject({ creates: 0, updates: 2, unchanged: 1 })
    if (mapping === 'auto') {
      const shown = (await venue.get(`/imports/${checked.id}/preview`)).body
      expect(shown.map(({ outcome }: Fields) => outcome)).toEqual(['updated', 'updated', 'unchanged'])
    }
    await venue.post(`/imports/${checked.id}/apply`, undefined)
    expect(toCounts(await settle(venue, checked.id))).toMatchObject({ updated: 2, unchanged: 1 })
  })

  test('the number of redemptions becomes that of the file', async () => {
    const venue = await createVenue()
    const { id } = (await venue.post('/coupons', counting.coupons.body)).body
    await importFile(venue, 'resource=coupons&counters=set', `id,timesRedeemed\n${id},7\n`)
    expect((await venue.get(`/coupons/${id}`)).body.timesRedeemed).toBe(7)
  })

  test('a file of products requires the scope stock:write, to upload and to apply', async () => {
    const venue = await createVenue()
    const { id } = (await venue.post('/products', counting.products.body)).body
    const file = `id,stockQuantity\n${id},4\n`
    const without = await createKey(venue.id, { mode: 'live', scopes: ['products:write'] })
    const refused = await upload(without, 'resource=products&counters=set', file)
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('stock:write')])
    const lines = await upload(without, 'counters=set', toJsonLines([{ resource: 'products', id }]), jsonl)
    expect(lines.status).toBe(403)
    const checked = await check(venue, 'resource=products&counters=set', file)
    expect((await without.post(`/imports/${checked.id}/apply`, undefined)).status).toBe(403)
    expect((await upload(without, 'resource=products', file)).status).toBe(202)
  })
})
