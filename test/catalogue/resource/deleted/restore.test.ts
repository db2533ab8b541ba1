import { describe, expect, test } from 'vitest'
import { resourceList } from '../../../../src/catalogue/resources/registry.ts'
import { call, createVenue, type Venue } from '../../../support/api.ts'
import { queryHome } from '../../../support/home.ts'
import { moveTo } from '../../../support/moves.ts'
import { samples } from '../../../support/samples.ts'

const homes = [{ home: 'd1' }, { home: 'object' }] as const
const create = async (venue: Venue, path: string, body: object) => {
  const response = await venue.post(path, body)
  expect([path, response.status, response.body]).toEqual([path, 201, response.body])
  return response.body
}
const restore = (venue: Venue, path: string) => venue.post(`${path}/restore`, {})
const remove = (venue: Venue, path: string) => venue.request('DELETE', path)
const listDeleted = async (venue: Venue, resource: string, query = '') =>
  (await venue.get(`/${resource}?deleted=true${query}`)).body

/** Everything that responses show of an object. */
async function show(venue: Venue, resource: string, id: string) {
  const parts = ['', '?include=externalId', '/details', '/limits', '/availability']
  const read = await Promise.all(parts.map((part) => venue.get(`/${resource}/${id}${part}`)))
  return read.map(({ status, body: { updatedAt: _, ...body } }) => (status === 200 ? body : status))
}

describe.each(homes)('in the home $home', ({ home }) => {
  test.each(resourceList.filter(({ isRestorable }) => isRestorable).map(({ path }) => ({ path })))(
    'an object of $path is listed, restored once, and listed again when it is deleted again',
    async ({ path }) => {
      const venue = await createVenue({ home })
      const sample = samples.find(({ collection }) => collection === path)
      const { body } = await venue.request('PUT', `/${path}/external/EXT-1`, sample?.body('gone'))
      const { id } = body
      const before = await show(venue, path, id)
      expect((await remove(venue, `/${path}/${id}`)).status).toBe(200)
      const [listed, ...others] = await listDeleted(venue, path)
      expect(others).toEqual([])
      expect(listed).toMatchObject({ id, by: venue.keyId, object: { id } })
      expect(Object.keys(listed).toSorted()).toEqual(['by', 'deletedAt', 'id', 'object', 'title'])
      expect(await listDeleted(venue, path, '&q=zzz')).toEqual([])
      const restored = await restore(venue, `/${path}/${id}`)
      expect([restored.status, restored.body]).toEqual([200, restored.body])
      expect(restored.body).toMatchObject({ id, restored: { omitted: [], placed: [] } })
      expect(restored.headers.get('external-id')).toBe('EXT-1')
      expect(await show(venue, path, id)).toEqual(before)
      expect(await listDeleted(venue, path)).toEqual([])
      const count = async () => (await venue.get('/events')).body.length
      const events = await count()
      expect((await restore(venue, `/${path}/${id}`)).status).toBe(200)
      expect(await count()).toBe(events)
      const raised = (await venue.get('/events?order=desc&limit=1')).body[0]
      expect(raised).toMatchObject({ restored: true, version: 3, data: { id } })
      await remove(venue, `/${path}/${id}`)
      expect((await listDeleted(venue, path)).map((each: { id: string }) => each.id)).toEqual([id])
      expect((await restore(venue, `/${path}/nothing`)).status).toBe(404)
    },
  )

  test('details, marks, limits, translations and places return', async () => {
    const venue = await createVenue({ home })
    const milk = await create(venue, '/modifiers', { title: 'Milk', instructions: '', options: [{ label: 'Oat' }] })
    const [tea, cake, tart] = [
      await create(venue, '/products', { title: 'Tea', price: 3, modifiers: [milk.id] }),
      await create(venue, '/products', { title: 'Cake', price: 4 }),
      await create(venue, '/products', { title: 'Tart', price: 5 }),
    ]
    const menu = await create(venue, '/menus', {
      title: 'Lunch',
      sections: [
        { title: 'All', items: [cake.id, tea.id, tart.id] },
        { title: 'More', items: [tea.id] },
      ],
    })
    const coupon = await create(venue, '/coupons', {
      ...{ title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 },
      products: [tart.id, tea.id],
    })
    await venue.post(`/products/${tea.id}/details`, { ageLimit: 18, translations: { fr: { title: 'Thé' } } })
    await venue.post(`/products/${tea.id}/availability`, { soldOut: true, until: 4_000_000_000 })
    const oat = milk.options[0].id
    await venue.post(`/modifiers/${milk.id}/availability`, { options: { [oat]: { soldOut: true } } })
    await venue.post(`/modifiers/${milk.id}/details`, { translations: { fr: { title: 'Lait' } } })
    await venue.post(`/coupons/${coupon.id}/limits`, { maxRedemptions: 5, automatic: true, orderTypes: ['pickup'] })
    const objects: [string, string][] = [
      ['products', tea.id],
      ['modifiers', milk.id],
      ['coupons', coupon.id],
      ['menus', menu.id],
    ]
    for (const [path, id] of objects) {
      const all = () => Promise.all(objects.map(([resource, each]) => show(venue, resource, each)))
      const before = await all()
      expect((await remove(venue, `/${path}/${id}`)).status).toBe(200)
      expect(await all()).not.toEqual(before)
      const { status, body } = await restore(venue, `/${path}/${id}`)
      expect([path, status]).toEqual([path, 200])
      expect([path, body.restored.omitted]).toEqual([path, []])
      expect([path, await all()]).toEqual([path, before])
      const { body: events } = await venue.get('/events?order=desc&limit=10')
      const ofObject = events.filter(({ data }: { data: { id: string } }) => data.id === id)
      const [last, previous] = ofObject
      const { status: found, body: details } = await venue.get(`/${path}/${id}/details`)
      if (found === 200 && Object.keys(details).length > 0) {
        const type = `${path.slice(0, -1)}.details_updated`
        expect(last).toMatchObject({ type, version: 2, data: { id, details } })
        expect(last.data.details).toEqual(details)
        expect(previous.restored).toBe(true)
      } else expect(last.restored).toBe(true)
      const [version] = (await venue.get(`/${path}/${id}/versions?limit=1`)).body
      expect(version).toMatchObject({ change: 'restored', changed: {} })
    }
    const links = await queryHome(venue.id, 'select count(*) as n from menu_products')
    expect(Number(links[0]?.['n'])).toBeGreaterThan(2)
  })

  test('a product whose neighbours and places changed returns as far as these exist', async () => {
    const venue = await createVenue({ home })
    const products: string[] = []
    for (const title of ['A', 'B', 'C', 'D']) products.push((await create(venue, '/products', { title, price: 1 })).id)
    const [a, b, c, d] = products
    const sections = [
      { title: 'One', items: [a, b, c, d] },
      { title: 'Two', items: [c] },
    ]
    const menu = await create(venue, '/menus', { title: 'Lunch', sections })
    const gone = await create(venue, '/menus', { title: 'Gone', sections: [{ title: 'One', items: [c] }] })
    await remove(venue, `/products/${c}`)
    await remove(venue, `/products/${b}`)
    await remove(venue, `/menus/${gone.id}`)
    const [first] = (await venue.get(`/menus/${menu.id}`)).body.sections
    await venue.post(`/menus/${menu.id}`, { sections: [{ ...first, items: [d, a] }] })
    const { body } = await restore(venue, `/products/${c}`)
    expect(body.restored.placed).toEqual([{ resource: 'menus', id: menu.id }])
    expect((await venue.get(`/menus/${menu.id}`)).body.sections.map(({ items }: { items: string[] }) => items)).toEqual(
      [[d, a, c]],
    )
    const back = await restore(venue, `/menus/${gone.id}`)
    expect(back.body.sections[0].items).toEqual([])
    expect((await restore(venue, `/products/${b}`)).body.restored.placed).toEqual([{ resource: 'menus', id: menu.id }])
    expect((await venue.get(`/menus/${menu.id}`)).body.sections[0].items).toEqual([d, a, b, c])
  })

  test('what others have taken, and what is gone, is left out or refused', async () => {
    const venue = await createVenue({ home })
    const milk = await create(venue, '/modifiers', { title: 'Milk', instructions: '' })
    const tea = (await venue.request('PUT', '/products/external/TEA', { title: 'Tea', price: 3, modifiers: [milk.id] }))
      .body
    const fields = { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 }
    const coupon = await create(venue, '/coupons', fields)
    const customer = await create(venue, '/customers', { firstName: 'Zoë', lastName: 'Núñez' })
    await venue.post('/redemptions', { code: 'TEN', order: 'o-1' })
    for (const path of [
      `/products/${tea.id}`,
      `/modifiers/${milk.id}`,
      `/coupons/${coupon.id}`,
      `/customers/${customer.id}`,
    ])
      expect((await remove(venue, path)).status).toBe(200)
    await venue.request('PUT', '/products/external/TEA', { title: 'Other', price: 1 })
    const other = await create(venue, '/coupons', fields)
    const { status, body, headers } = await restore(venue, `/products/${tea.id}`)
    expect([status, body.restored.omitted, headers.get('external-id')]).toEqual([
      200,
      [
        { field: 'modifiers', id: milk.id },
        { field: 'externalId', id: 'TEA' },
      ],
      null,
    ])
    expect((await restore(venue, `/coupons/${coupon.id}`)).status).toBe(409)
    await remove(venue, `/coupons/${other.id}`)
    expect((await restore(venue, `/coupons/${coupon.id}`)).body.timesRedeemed).toBe(1)
    await restore(venue, `/customers/${customer.id}`)
    await venue.post(`/customers/${customer.id}/erase`, {})
    expect(await listDeleted(venue, 'customers')).toEqual([])
    expect((await restore(venue, `/customers/${customer.id}`)).status).toBe(404)
    await queryHome(venue.id, `update events set kept = null where object = ?`, other.id)
    expect((await restore(venue, `/coupons/${other.id}`)).status).toBe(410)
    // Once the audit log does not name the deletion any more.
    await queryHome(venue.id, 'delete from audit where object = ?', other.id)
    expect((await restore(venue, `/coupons/${other.id}`)).status).toBe(404)
    expect((await venue.get('/products?deleted=true&order=asc')).status).toBe(422)
    expect((await venue.get('/products?deleted=false')).status).toBe(422)
  })
})

test.each([{ to: 'object' }, { to: 'd1' }] as const)(
  'a tag is restored after a move to $to, and its code works',
  async ({ to }) => {
    const venue = await createVenue({
      orderingUrl: 'https://order.example.com/',
      ...(to === 'd1' && { home: 'object' }),
    })
    const tag = await create(venue, '/tags', { metadata: [{ key: 'table', value: '4' }] })
    const scan = async () => {
      const { status, headers } = await call('GET', `/t/${tag.alias[0]}`, undefined)
      return [status, headers.get('location')]
    }
    const before = await scan()
    expect(before[0]).toBe(302)
    await remove(venue, `/tags/${tag.id}`)
    expect(await scan()).not.toEqual(before)
    expect((await moveTo(venue.id, to)).state).toBe('done')
    const restored = await restore(venue, `/tags/${tag.id}`)
    expect([restored.status, restored.body.alias]).toEqual([200, tag.alias])
    expect((await venue.get(`/tags/${tag.id}`)).body.alias).toEqual(tag.alias)
    expect(await scan()).toEqual(before)
  },
)

test('the deleted are listed page by page, and searched', async () => {
  const venue = await createVenue()
  const ids: string[] = []
  for (const title of ['Tea one', 'Cake', 'Tea two', 'Tea three', 'Tart']) {
    const { id } = await create(venue, '/products', { title, price: 1 })
    await remove(venue, `/products/${id}`)
    ids.unshift(id)
  }
  const readAll = async (query: string) => {
    const seen: string[] = []
    for (let path: string | undefined = `/products?deleted=true${query}`; path; ) {
      const { body, headers } = await venue.get(path)
      seen.push(...body.map(({ id }: { id: string }) => id))
      path = /<[^>]*(\/products\?[^>]*)>/.exec(headers.get('link') ?? '')?.[1]
    }
    return seen
  }
  for (const limit of [1, 2, 5]) expect(await readAll(`&limit=${limit}`)).toEqual(ids)
  for (const limit of [1, 2, 5]) expect(await readAll(`&limit=${limit}&q=tea`)).toEqual([ids[1], ids[2], ids[4]])
})
