import { expect, test } from 'vitest'
import { type createVenue, toIssues } from '../../support/api.ts'
import { createFilled } from './filled-release.ts'

const listOperations = async (venue: Awaited<ReturnType<typeof createVenue>>, id: string) =>
  (await venue.get(`/releases/${id}/operations?limit=100`)).body.toSorted((a: { id: string }, b: { id: string }) =>
    a.id < b.id ? -1 : 1,
  )

test('a draft gives new objects their ids, and replaces names by ids', async () => {
  const { venue, soup, menu } = await createFilled()
  const created = await venue.post('/releases', {
    title: 'Autumn',
    note: 'For October',
    operations: [
      { op: 'create', resource: 'products', ref: '#pie', externalId: 'PIE', body: { title: 'Pie', price: '7.50' } },
      {
        op: 'update',
        resource: 'menus',
        id: menu,
        body: { sections: [{ title: 'Autumn', items: ['#pie', { externalId: 'SOUP' }] }] },
      },
      { op: 'upsert', resource: 'products', externalId: 'SOUP', body: { title: 'Pumpkin soup', price: 6 } },
    ],
  })
  expect([created.status, created.body]).toEqual([
    201,
    {
      id: expect.stringMatching(/^rel_/),
      title: 'Autumn',
      note: 'For October',
      state: 'draft',
      version: 1,
      changes: 3,
      author: expect.stringMatching(/^key_/),
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
      operations: [
        { index: 0, resource: 'products', id: expect.stringMatching(/^prod_/) },
        { index: 1, resource: 'menus', id: menu },
        { index: 2, resource: 'products', id: soup },
      ],
    },
  ])
  const pie = created.body.operations[0].id
  const listed = await listOperations(venue, created.body.id)
  expect(listed.find(({ id }: { id: string }) => id === pie)).toEqual({
    resource: 'products',
    id: pie,
    op: 'create',
    externalId: 'PIE',
    title: 'Pie',
    body: { title: 'Pie', price: 7.5 },
    base: {},
  })
  expect(listed.find(({ id }: { id: string }) => id === soup)).toEqual({
    resource: 'products',
    id: soup,
    op: 'update',
    title: 'Soup',
    body: { title: 'Pumpkin soup', price: 6 },
    base: { '/body/title': 'Soup', '/body/price': 5 },
  })
  expect(listed.find(({ id }: { id: string }) => id === menu).body).toEqual({
    sections: [{ title: 'Autumn', type: 'LIST', items: [pie, soup] }],
  })
  // Nothing else sees a draft.
  expect((await venue.get(`/products/${pie}`)).status).toBe(404)
  expect((await venue.get(`/products/${soup}`)).body).toMatchObject({ title: 'Soup', price: 5 })
  expect((await venue.get('/releases')).body).toMatchObject([{ id: created.body.id, changes: 3 }])
})

test('later operations on an object merge into the earlier one', async () => {
  const { venue, soup, milk, coupon } = await createFilled()
  const { id } = (await venue.post('/releases', { title: 'R' })).body
  const add = (...operations: object[]) => venue.post(`/releases/${id}/operations`, { operations })
  const update = { op: 'update', resource: 'products', id: soup }
  expect(
    (
      await add({
        ...update,
        body: { price: 6 },
        details: {
          allergens: [{ code: 'milk', level: 'contains' }],
          translations: { de: { title: 'Suppe' }, fr: { title: 'Soupe' } },
        },
      })
    ).body.version,
  ).toBe(2)
  await venue.post(`/products/${soup}`, { price: 8 })
  await add({
    ...update,
    body: { price: 7 },
    details: { translations: { de: { title: 'Kürbissuppe' }, fr: null } },
    availability: { soldOut: true, until: 'tomorrow' },
  })
  await add({ ...update, availability: { soldOut: false } })
  await add({ op: 'update', resource: 'modifiers', id: milk, availability: { options: { oat: { soldOut: true } } } })
  await add({ op: 'update', resource: 'coupons', id: coupon, limits: { maxRedemptions: 5 } })
  const { body: cake } = await add({
    op: 'create',
    resource: 'products',
    body: { title: 'Cake', price: 1, sku: 'C-1' },
  })
  const cakeId = cake.operations[0].id
  const { body } = await add({
    op: 'update',
    resource: 'products',
    id: cakeId,
    body: { title: 'Tart', sku: null },
  })
  expect(body).toMatchObject({ version: 8, changes: 4 })
  const byId = new Map((await listOperations(venue, id)).map((each: { id: string }) => [each.id, each]))
  expect(byId.get(soup)).toMatchObject({
    body: { price: 7 },
    details: {
      allergens: [{ code: 'milk', level: 'contains' }],
      translations: { de: { title: 'Kürbissuppe' }, fr: null },
    },
    availability: { soldOut: false },
    // Each value is that of the time when its field was put into the release.
    base: {
      '/body/price': 5,
      '/details/allergens': null,
      '/details/translations/de/title': null,
      '/details/translations/fr': null,
      '/availability': { soldOut: false },
    },
  })
  expect(byId.get(milk)).toMatchObject({
    availability: { options: { oat: { soldOut: true } } },
    base: { '/availability/options/oat': { soldOut: false } },
  })
  expect(byId.get(coupon)).toMatchObject({
    limits: { maxRedemptions: 5 },
    base: { '/limits/maxRedemptions': null },
    title: 'Ten',
  })
  expect(byId.get(cakeId)).toMatchObject({
    op: 'create',
    title: 'Tart',
    body: { title: 'Tart', price: 1 },
  })
  expect((await add({ op: 'delete', resource: 'products', id: cakeId })).body.changes).toBe(3)
  expect((await add({ op: 'delete', resource: 'products', id: soup })).body.changes).toBe(3)
  expect(toIssues(await add({ ...update, body: { price: 1 } }))).toEqual(['/operations/0/id conflict'])
  expect((await venue.request('DELETE', `/releases/${id}/operations/${soup}`)).body.changes).toBe(2)
  expect((await add({ ...update, body: { price: 1 } })).body.changes).toBe(3)
})

test('an object that is cleared and then set again replaces the stored one', async () => {
  const { venue, soup } = await createFilled()
  const stored = { de: { title: 'Suppe', description: 'Heiß' }, fr: { title: 'Soupe' } }
  await venue.post(`/products/${soup}/details`, { translations: stored })
  const change = (translations: unknown) => ({
    operations: [{ op: 'update', resource: 'products', id: soup, details: { translations } }],
  })
  const read = async () => (await venue.get(`/products/${soup}/details`)).body.translations
  const drafts: string[] = []
  for (const cleared of [{ de: null }, null]) {
    const { id } = (await venue.post('/releases', { title: 'R', ...change(cleared) })).body
    drafts.push(id)
    await venue.post(`/releases/${id}/operations`, change({ de: { title: 'Kürbissuppe' } }))
    const base = { '/details/translations/de/title': 'Suppe', '/details/translations/de/description': 'Heiß' }
    expect(await listOperations(venue, id)).toMatchObject([
      { details: { translations: { de: { title: 'Kürbissuppe', description: null } } }, base },
    ])
  }
  const [one, all] = drafts
  const { body } = await venue.post(`/releases/${one}/publish`, {})
  expect(await read()).toEqual({ de: { title: 'Kürbissuppe' }, fr: { title: 'Soupe' } })
  await venue.post(`/changes/${body.changeSet}/undo`, undefined)
  expect(await read()).toEqual(stored)
  // Values before the release are those of the time when the object was cleared.
  await venue.post(`/products/${soup}/details`, { translations: { de: { description: 'Kalt' } } })
  await venue.post(`/releases/${all}/operations`, change({ de: { description: 'Warm' } }))
  const { conflicts } = (await venue.post(`/releases/${all}/check`, {})).body
  expect(conflicts).toMatchObject([{ field: '/details/translations/de/description', base: 'Heiß', current: 'Kalt' }])
  await venue.post(`/releases/${all}/publish`, { overwrite: true })
  expect(await read()).toEqual({ de: { title: 'Kürbissuppe', description: 'Warm' } })
})

test('faulty operations are rejected with pointers', async () => {
  const { venue, soup, milk } = await createFilled()
  const { id } = (await venue.post('/releases', { title: 'R' })).body
  const add = async (...operations: object[]) =>
    toIssues(await venue.post(`/releases/${id}/operations`, { operations }))
  expect(
    await add(
      { op: 'update', resource: 'products', id: soup, body: { price: -1, stockQuantity: 5, nothing: 1 } },
      { op: 'update', resource: 'products', id: 'prod_unknown', body: { price: 1 } },
      {
        op: 'create',
        resource: 'menus',
        body: { title: 'M', sections: [{ title: 'S', items: ['#no', { externalId: 'NO' }] }] },
      },
      { op: 'update', resource: 'modifiers', id: milk, limits: {} },
    ),
  ).toEqual(['/operations/3/limits unknown_field'])
  expect(
    await add(
      { op: 'update', resource: 'products', id: soup, body: { price: -1, stockQuantity: 5, nothing: 1 } },
      { op: 'update', resource: 'products', id: 'prod_unknown', body: { price: 1 } },
      {
        op: 'create',
        resource: 'menus',
        body: { title: 'M', sections: [{ title: 'S', items: ['#no', { externalId: 'NO' }] }] },
      },
    ),
  ).toEqual([
    '/operations/0/body/nothing unknown_field',
    '/operations/0/body/price too_small',
    '/operations/0/body/stockQuantity unknown_field',
    '/operations/1/id not_found',
    '/operations/2/body/sections/0/items/0 unresolved_reference',
    '/operations/2/body/sections/0/items/1 unresolved_reference',
  ])
  expect(await add({ op: 'update', resource: 'customers', id: 'cus_1', body: {} })).toEqual([
    '/operations/0/resource invalid_value',
  ])
  expect(
    await add(
      { op: 'update', resource: 'products', id: soup },
      { op: 'update', resource: 'products', externalId: 'SOUP', body: { price: 1 } },
    ),
  ).toEqual(['/operations/0/body required'])
  expect(
    await add(
      { op: 'update', resource: 'products', id: soup, body: {} },
      { op: 'update', resource: 'products', externalId: 'SOUP', body: { price: 1 } },
    ),
  ).toEqual(['/operations/1/externalId duplicate'])
  expect((await venue.get(`/releases/${id}`)).body).toMatchObject({ version: 1, changes: 0 })
})
