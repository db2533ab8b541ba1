import { createVenue } from '../../support/api.ts'

/** A venue with a product, a modifier, a menu and a coupon. */
export async function createFilled(home: 'd1' | 'object' = 'd1') {
  const venue = await createVenue({ home })
  const soup = (await venue.post('/products', { title: 'Soup', price: 5 })).body.id
  await venue.post(`/products/${soup}/external-id`, { externalId: 'SOUP' })
  const milk = (
    await venue.post('/modifiers', { title: 'Milk', instructions: '', options: [{ id: 'oat', label: 'Oat' }] })
  ).body.id
  const menu = (await venue.post('/menus', { title: 'Day', sections: [{ title: 'All', items: [soup] }] })).body.id
  const coupon = (await venue.post('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 })).body.id
  return { venue, soup, milk, menu, coupon }
}
