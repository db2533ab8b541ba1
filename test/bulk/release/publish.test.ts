import { describe, expect, test } from 'vitest'
import { createKey } from '../../support/api.ts'
import { createFilled } from './filled-release.ts'

describe.each(['d1', 'object'] as const)('a release of a merchant at home in %s', (home) => {
  const create = () => createFilled(home)

  test('is published whole, with its events in order', async () => {
    const { venue, soup, milk, menu, coupon } = await create()
    const release = await venue.post('/releases', {
      title: 'Autumn',
      operations: [
        {
          op: 'create',
          resource: 'products',
          ref: '#pie',
          externalId: 'PIE',
          body: { title: 'Pie', price: 7 },
          details: { allergens: [{ code: 'milk', level: 'contains' }] },
          availability: { soldOut: true },
        },
        {
          op: 'update',
          resource: 'products',
          id: soup,
          body: { price: 6 },
          details: { translations: { de: { title: 'Suppe' } } },
        },
        { op: 'update', resource: 'menus', id: menu, body: { sections: [{ title: 'Autumn', items: ['#pie', soup] }] } },
        {
          op: 'update',
          resource: 'modifiers',
          id: milk,
          availability: { options: { oat: { soldOut: true, until: 'tomorrow' } } },
        },
        {
          op: 'update',
          resource: 'coupons',
          id: coupon,
          limits: { maxRedemptions: 5, days: ['mon'], automatic: true },
        },
      ],
    })
    const { id, operations } = release.body
    const pie = operations[0].id
    const checked = await venue.post(`/releases/${id}/check`, {})
    expect(checked.body).toMatchObject({ ok: true, errors: [], conflicts: [] })
    expect(checked.body.changes.find((change: { id: string }) => change.id === soup)).toEqual({
      resource: 'products',
      id: soup,
      op: 'update',
      title: 'Soup',
      before: { '/body/price': 5, '/details/translations': null },
      after: { '/body/price': 6, '/details/translations': { de: { title: 'Suppe' } } },
    })
    expect((await venue.get(`/products/${soup}`)).body.price).toBe(5)
    const published = await venue.post(`/releases/${id}/publish`, {})
    expect(published.body).toMatchObject({
      id,
      state: 'published',
      version: 2,
      publishedAt: expect.any(Number),
      publishedBy: venue.keyId,
    })
    expect((await venue.get(`/products/${pie}?include=details`)).body).toMatchObject({
      title: 'Pie',
      details: { allergens: [{ code: 'milk', level: 'contains' }] },
    })
    expect((await venue.get('/products/external/PIE')).body.id).toBe(pie)
    expect((await venue.get(`/products/${pie}/availability`)).body).toMatchObject({ soldOut: true })
    expect((await venue.get(`/modifiers/${milk}/availability`)).body.options.oat.soldOut).toBe(true)
    expect((await venue.get(`/coupons/${coupon}/limits`)).body).toEqual({
      maxRedemptions: 5,
      days: ['mon'],
      automatic: true,
    })
    expect((await venue.get(`/menus/${menu}`)).body.sections).toMatchObject([{ title: 'Autumn', items: [pie, soup] }])
    const types = (await venue.get('/events?limit=100')).body.map(({ type }: { type: string }) => type)
    expect(types.slice(-8)).toEqual([
      'product.created',
      'product.updated',
      'menu.updated',
      'product.details_updated',
      'product.details_updated',
      'product.sold_out',
      'option.sold_out',
      'release.published',
    ])
    const [event] = (await venue.get('/events?types=release.published')).body
    expect(event.data).toEqual({
      id,
      title: 'Autumn',
      changes: 5,
      created: 1,
      updated: 4,
      deleted: 0,
      publishedBy: venue.keyId,
    })
    // Publishing again, and a repeated request, change nothing.
    expect((await venue.post(`/releases/${id}/publish`, {})).body).toEqual(published.body)
    expect((await venue.get('/events?types=release.published')).body).toHaveLength(1)
    expect((await venue.get(`/products/${soup}?include=version`)).body.version).toBe(3)
  })

  test('with a field that somebody else changed is a conflict, of that field only', async () => {
    const { venue, soup, coupon } = await create()
    const { id } = (
      await venue.post('/releases', {
        title: 'R',
        operations: [
          {
            op: 'update',
            resource: 'products',
            id: soup,
            body: { price: 6, title: 'Pumpkin soup' },
            details: { translations: { de: { title: 'S' } } },
          },
          { op: 'update', resource: 'coupons', id: coupon, limits: { maxRedemptions: 5 } },
        ],
      })
    ).body
    // Other fields, and the same value, are no conflict.
    await venue.post(`/products/${soup}`, { description: 'Hot', title: 'Pumpkin soup' })
    await venue.post(`/products/${soup}/details`, { translations: { fr: { title: 'F' } } })
    expect((await venue.post(`/releases/${id}/check`, {})).body.ok).toBe(true)
    await venue.post(`/products/${soup}`, { price: 8 })
    await venue.post(`/products/${soup}/details`, { translations: { de: { title: 'T' } } })
    await venue.post(`/coupons/${coupon}/limits`, { maxRedemptions: 7 })
    const { body } = await venue.post(`/releases/${id}/check`, {})
    expect([body.ok, body.conflicts]).toEqual([
      false,
      [
        { resource: 'coupons', id: coupon, field: '/limits/maxRedemptions', yours: 5, current: 7 },
        { resource: 'products', id: soup, field: '/body/price', base: 5, yours: 6, current: 8 },
        { resource: 'products', id: soup, field: '/details/translations/de/title', yours: 'S', current: 'T' },
      ],
    ])
    const rejected = await venue.post(`/releases/${id}/publish`, {})
    expect([
      rejected.status,
      rejected.body.code,
      rejected.body.errors.map(({ pointer }: { pointer: string }) => pointer),
    ]).toEqual([
      409,
      'release_conflict',
      [`/${coupon}/limits/maxRedemptions`, `/${soup}/body/price`, `/${soup}/details/translations/de/title`],
    ])
    expect((await venue.get(`/releases/${id}`)).body).toMatchObject({ state: 'draft', version: 1 })
    expect((await venue.get(`/products/${soup}`)).body).toMatchObject({ price: 8 })
    expect((await venue.post(`/releases/${id}/publish`, { overwrite: true })).body.state).toBe('published')
    expect((await venue.get(`/products/${soup}?include=details`)).body).toMatchObject({
      price: 6,
      description: 'Hot',
      details: { translations: { de: { title: 'S' }, fr: { title: 'F' } } },
    })
    expect((await venue.get(`/coupons/${coupon}/limits`)).body.maxRedemptions).toBe(5)
  })

  test('with an error changes nothing', async () => {
    const { venue, soup, milk, coupon } = await create()
    const { body } = await venue.post('/releases', {
      title: 'R',
      operations: [
        { op: 'create', resource: 'coupons', body: { title: 'Other', code: 'TEN', type: 'FIXED', value: 1 } },
        { op: 'update', resource: 'products', id: soup, body: { price: 6, modifiers: [milk] } },
        { op: 'update', resource: 'coupons', id: coupon, limits: { begin: '1000' } },
        { op: 'update', resource: 'modifiers', id: milk, availability: { options: { soy: { soldOut: true } } } },
      ],
    })
    await venue.remove(`/modifiers/${milk}`)
    const { errors } = (await venue.post(`/releases/${body.id}/check`, {})).body
    expect(
      errors.map(({ id, pointer, code }: Record<string, string>) => `${id?.slice(0, 4)} ${pointer} ${code}`).toSorted(),
    ).toEqual([
      'coup /body/code duplicate',
      'coup /limits/end required',
      'mod_ undefined not_found',
      'prod /body/modifiers/0 not_found',
    ])
    const rejected = await venue.post(`/releases/${body.id}/publish`, { overwrite: true })
    expect([rejected.status, rejected.body.code]).toEqual([422, 'batch_failed'])
    // The problem names the same errors as the check.
    expect(rejected.body.errors).toEqual(
      errors.map(({ id, pointer = '', code, message }: Record<string, string>) => ({
        pointer: `/${id}${pointer}`,
        code,
        message,
      })),
    )
    expect((await venue.get(`/products/${soup}`)).body.price).toBe(5)
    expect((await venue.get('/coupons')).body).toHaveLength(1)
  })

  test('deletes objects, also those that are gone', async () => {
    const { venue, soup, menu, coupon } = await create()
    const { id } = (
      await venue.post('/releases', {
        title: 'R',
        operations: [
          { op: 'delete', resource: 'products', id: soup },
          { op: 'delete', resource: 'coupons', id: coupon },
        ],
      })
    ).body
    await venue.remove(`/coupons/${coupon}`)
    expect((await venue.post(`/releases/${id}/publish`, {})).body.state).toBe('published')
    expect((await venue.get(`/products/${soup}`)).status).toBe(404)
    expect((await venue.get(`/menus/${menu}`)).body.sections[0].items).toEqual([])
  })

  test('needs the right to publish, and to write what it changes', async () => {
    const { venue, soup } = await create()
    const operations = [{ op: 'update', resource: 'products', id: soup, body: { price: 9 } }]
    const { id } = (await venue.post('/releases', { title: 'R', operations })).body
    const keyWith = (...scopes: string[]) => createKey(venue.id, { mode: 'live', scopes })
    expect((await (await keyWith('releases:write', 'products:write')).post(`/releases/${id}/publish`, {})).status).toBe(
      403,
    )
    expect(
      (await (await keyWith('releases:publish', 'products:read')).post(`/releases/${id}/publish`, {})).status,
    ).toBe(403)
    expect((await (await keyWith('releases:read')).post(`/releases/${id}/check`, {})).status).toBe(403)
    expect((await (await keyWith('releases:read', 'products:read')).post(`/releases/${id}/check`, {})).body.ok).toBe(
      true,
    )
    expect(
      (await (await keyWith('releases:publish', 'products:write')).post(`/releases/${id}/publish`, {})).body.state,
    ).toBe('published')
  })
})

test('two publications at once publish once', async () => {
  const { venue, soup } = await createFilled('d1')
  const { id } = (
    await venue.post('/releases', {
      title: 'R',
      operations: [{ op: 'update', resource: 'products', id: soup, body: { price: 9 } }],
    })
  ).body
  const both = await Promise.all([1, 2].map(() => venue.post(`/releases/${id}/publish`, {})))
  expect(both.map(({ body }) => body.state)).toEqual(['published', 'published'])
  expect((await venue.get('/events?types=release.published')).body).toHaveLength(1)
})
