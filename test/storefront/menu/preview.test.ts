import { afterEach, describe, expect, test, vi } from 'vitest'
import { previewSeconds } from '../../../src/storefront/menu/preview/preview-link.ts'
import { createKey, createVenue, send } from '../../support/api.ts'

afterEach(() => vi.useRealTimers())

const preview = async (
  venue: { post: (path: string, json: unknown) => Promise<{ body: { url: string } }> },
  body = {},
) => {
  const { url } = (await venue.post('/preview', body)).body
  return new URL(url)
}
const readData = async (url: URL) => send(`${url.pathname}.json${url.search}`)
const titlesOf = async (url: URL) =>
  (await readData(url)).body.menus.flatMap(({ sections }: { sections: { products: { title: string }[] }[] }) =>
    sections.flatMap(({ products }) => products.map(({ title }) => title)),
  )

describe('POST …/preview', () => {
  test('shows what is stored at once, while guests get the cached menu', async () => {
    const venue = await createVenue({ timezone: 'Europe/Berlin' })
    const { id } = (await venue.post('/products', { title: 'Soup', price: 5 })).body
    await venue.post('/menus', { title: 'Lunch', sections: [{ title: 'Mains', items: [id] }] })
    const guests = `/m/${venue.id}.json`
    await send(guests)
    await venue.post(`/products/${id}`, { title: 'Stew' })
    const url = await preview(venue)
    expect(await titlesOf(url)).toEqual(['Stew'])
    const page = await send(`${url.pathname}${url.search}`)
    expect([page.status, page.headers.get('cache-control'), page.headers.get('x-robots-tag')]).toEqual([
      200,
      'no-store',
      'noindex',
    ])
    expect(page.body).toContain('Stew')
  })

  test('shows the menus of a time, or one menu, in the mode of the key', async () => {
    const venue = await createVenue({ timezone: 'Europe/Berlin' })
    const items = [(await venue.post('/products', { title: 'Soup', price: 5 })).body.id]
    const sections = [{ title: 'Mains', items }]
    const breakfast = (await venue.post('/menus', { title: 'Breakfast', begin: '0700', end: '1100', sections })).body
    await venue.post('/menus', { title: 'All day', sections })
    const [morning, evening] = ['2026-11-23T08:00:00+01:00', '2026-11-23T22:00:00+01:00'].map(
      (time) => Date.parse(time) / 1000,
    )
    const menusAt = async (body: object) =>
      (await readData(await preview(venue, body))).body.menus.map(({ title }: { title: string }) => title)
    expect(await menusAt({ at: morning })).toEqual(['All day', 'Breakfast'])
    expect(await menusAt({ at: evening })).toEqual(['All day'])
    expect(await menusAt({ at: morning, menu: breakfast.id })).toEqual(['Breakfast'])
    const testKey = await createKey(venue.id, { mode: 'test' })
    expect((await readData(await preview(testKey))).body).toMatchObject({ testMode: true, menus: [] })
  })

  test('is accepted as signed only, for its venue, for ten minutes', async () => {
    const [venue, other] = [await createVenue(), await createVenue()]
    await venue.post('/menus', { title: 'Lunch' })
    const url = await preview(venue, { at: 1_800_000_000 })
    expect((await readData(url)).status).toBe(200)
    const value = url.searchParams.get('preview') ?? ''
    for (const changed of [value.replace('live', 'test'), value.replace('1800000000', '1800000001'), 'live....', '']) {
      expect((await send(`/m/${venue.id}.json?preview=${changed}`)).status).toBe(422)
      expect((await send(`/m/${venue.id}?preview=${changed}`)).status).toBe(422)
    }
    expect((await send(`/m/${other.id}.json?preview=${value}`)).status).toBe(422)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + previewSeconds * 1000 })
    expect((await readData(url)).status).toBe(422)
  })

  test.each(['d1', 'object'] as const)('shows a release, and what is typed after it, at home in %s', async (home) => {
    const venue = await createVenue({ home })
    const [soup, pie] = [
      (await venue.post('/products', { title: 'Soup', price: 5 })).body.id,
      (await venue.post('/products', { title: 'Pie', price: 7 })).body.id,
    ]
    const items = [soup, pie]
    const menu = (await venue.post('/menus', { title: 'Lunch', sections: [{ title: 'Mains', items }] })).body.id
    const created = await venue.post('/releases', {
      title: 'Autumn',
      operations: [
        { op: 'create', resource: 'products', ref: '#cake', externalId: 'cake', body: { title: 'Cake', price: 4 } },
        { op: 'update', resource: 'products', id: soup, body: { title: 'Stew' } },
        { op: 'update', resource: 'menus', id: menu, body: { sections: [{ items: ['#cake', soup, pie] }] } },
      ],
    })
    const release = created.body.id
    expect(await titlesOf(await preview(venue, { release, menu }))).toEqual(['Cake', 'Stew', 'Pie'])
    const operations = [
      { op: 'update', resource: 'menus', id: menu, body: { title: 'Dinner' } },
      { op: 'update', resource: 'products', externalId: 'cake', body: { title: 'Tart' } },
      { op: 'delete', resource: 'products', id: pie },
    ]
    const url = await preview(venue, { release, menu, operations })
    expect(await titlesOf(url)).toEqual(['Tart', 'Stew'])
    expect((await readData(url)).body.menus).toMatchObject([{ title: 'Dinner' }])
    expect((await venue.get(`/releases/${release}`)).body).toMatchObject({ changes: 3, version: 1 })
    const scopes = ['menus:read', 'products:read']
    const [listing, part] = [
      await createKey(venue.id, { mode: 'live', scopes }),
      await createKey(venue.id, { mode: 'live', scopes: ['menus:read', 'releases:read'] }),
    ]
    for (const key of [listing, part]) expect((await key.post('/preview', { release })).status).toBe(403)
    const other = await createVenue({ home })
    expect((await other.post('/preview', { release })).status).toBe(404)
    await venue.post(`/releases/${release}/cancel`, {})
    expect((await venue.post('/preview', { release })).status).toBe(409)
  })

  test.each(['d1', 'object'] as const)('shows changes that are not stored, at home in %s', async (home) => {
    const venue = await createVenue({ home })
    const { id } = (await venue.post('/products', { title: 'Soup', price: 5 })).body
    const menu = (await venue.post('/menus', { title: 'Lunch', sections: [{ title: 'Mains', items: [id] }] })).body.id
    const operations = [
      { op: 'update', resource: 'products', id, body: { title: 'Stew' } },
      { op: 'create', resource: 'products', ref: '#pie', body: { title: 'Pie', price: 7 } },
      { op: 'update', resource: 'menus', id: menu, body: { sections: [{ title: 'Mains', items: ['#pie', id] }] } },
    ]
    const url = await preview(venue, { operations })
    expect(await titlesOf(url)).toEqual(['Pie', 'Stew'])
    expect((await send(`${url.pathname}${url.search}`)).body).toContain('<aside class="test">Preview</aside>')
    expect(await titlesOf(await preview(venue))).toEqual(['Soup'])
    expect((await venue.get('/products')).body).toHaveLength(1)
    const twice = [...operations, operations[0]]
    const many = Array.from({ length: 21 }, () => operations[1])
    const bodies = [
      { operations: twice },
      { operations: many },
      { operations: [{ op: 'update', resource: 'tags', id }] },
    ]
    for (const body of bodies) expect((await venue.post('/preview', body)).status).toBe(422)
    const large = { ...operations[1], body: { title: 'Pie', price: 7, description: 'x'.repeat(66_000) } }
    expect((await venue.post('/preview', { operations: [large] })).status).toBe(413)
    const reading = await createKey(venue.id, { mode: 'live', scopes: ['menus:read'] })
    expect((await reading.post('/preview', { operations })).status).toBe(403)
    const value = url.searchParams.get('preview') ?? ''
    const other = await createVenue({ home })
    expect((await send(`/m/${other.id}?preview=${value}`)).status).toBe(422)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + previewSeconds * 1000 })
    expect((await readData(url)).status).toBe(422)
  })

  test('requires the scope to read menus, and a valid body', async () => {
    const venue = await createVenue()
    const key = await createKey(venue.id, { mode: 'live', scopes: ['products:read'] })
    expect((await key.post('/preview', {})).status).toBe(403)
    expect((await venue.post('/preview', { at: 'noon' })).status).toBe(422)
    expect((await venue.post('/preview', { operation: [] })).status).toBe(422)
  })
})
