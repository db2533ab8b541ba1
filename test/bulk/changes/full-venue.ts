import { expect, vi } from 'vitest'
import { createVenue, type Venue } from '../../support/api.ts'

export const undo = ({ post }: Pick<Venue, 'post'>, id: string, query = '') =>
  post(`/changes/${id}/undo${query}`, undefined)
export const create = async (venue: Venue, path: string, body: object) => {
  const response = await venue.post(path, body)
  expect([path, response.status]).toEqual([path, 201])
  return response.body
}
export const batch = async (venue: Venue, ...operations: object[]) => {
  const { status, body } = await venue.post('/batch', { operations })
  expect([status, body.failed]).toEqual([200, body.failed])
  return body.changeSet as string
}
export const remove = (resource: string, id: string) => ({ op: 'delete', resource, id })

/** Everything that responses show of an object, but the time of its last change. */
export async function show(venue: Venue, resource: string, id: string) {
  const parts = ['', '?include=externalId', '/details', '/limits', '/availability']
  const read = await Promise.all(parts.map((part) => venue.get(`/${resource}/${id}${part}`)))
  return read.map(({ status, body: { updatedAt: _, ...body } }) => (status === 200 ? body : status))
}

export const showAll = (venue: Venue, objects: readonly (readonly [string, string])[]) =>
  Promise.all(objects.map(([resource, id]) => show(venue, resource, id)))

/** Waits until an undo in steps has ended. */
export async function settle({ get }: Pick<Venue, 'get'>, id: string) {
  return vi.waitUntil(
    async () => {
      const { body } = await get(`/changes/${id}`)
      return body.state === 'undoing' ? undefined : body
    },
    { timeout: 60_000, interval: 100 },
  )
}

/** A venue with objects that name each other, and with details, marks and limits. */
export async function createFull(home: 'd1' | 'object') {
  const venue = await createVenue({ home })
  const milk = await create(venue, '/modifiers', { title: 'Milk', instructions: '', options: [{ label: 'Oat' }] })
  const ids: string[] = []
  for (const title of ['Cake', 'Tea', 'Tart', 'Pie'])
    ids.push((await create(venue, '/products', { title, price: 3, modifiers: [milk.id] })).id)
  const [cake = '', tea = '', tart = '', pie = ''] = ids
  const menu = await create(venue, '/menus', {
    title: 'Lunch',
    sections: [
      { title: 'All', items: [cake, tea, tart, pie] },
      { title: 'More', items: [tea] },
    ],
  })
  const fields = { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 }
  const coupon = await create(venue, '/coupons', { ...fields, products: [tart, tea] })
  const tag = await create(venue, '/tags', { metadata: [{ key: 'table', value: '4' }] })
  await venue.post(`/products/${tea}/details`, { ageLimit: 18, translations: { fr: { title: 'Thé' } } })
  await venue.post(`/products/${tea}/availability`, { soldOut: true, until: 4_000_000_000 })
  await venue.post(`/modifiers/${milk.id}/availability`, { options: { [milk.options[0].id]: { soldOut: true } } })
  await venue.post(`/coupons/${coupon.id}/limits`, { maxRedemptions: 5, automatic: true, orderTypes: ['pickup'] })
  const objects = [
    ...ids.map((id) => ['products', id] as const),
    ['modifiers', milk.id] as const,
    ['menus', menu.id] as const,
    ['coupons', coupon.id] as const,
    ['tags', tag.id] as const,
  ]
  return { venue, objects, cake, tea, tart, pie, menu: menu.id, milk: milk.id, coupon: coupon.id, tag }
}
