import { expect } from 'vitest'
import { createVenue } from './api.ts'

/** A venue with objects that name each other. */
export async function createShop(home: string) {
  const venue = await createVenue({ home })
  const create = async (resource: string, body: object, externalId: string): Promise<string> => {
    const response = await venue.request('PUT', `/${resource}/external/${externalId}`, body)
    expect(response).toMatchObject({ status: 201 })
    return response.body.id
  }
  const milk = await create('modifiers', { title: 'Milk', instructions: '', options: [{ label: 'Oat' }] }, 'MILK')
  const stocked = { price: 3, manageStock: true, modifiers: [milk] }
  const cake = await create('products', { title: 'Cake', stockQuantity: 5, ...stocked }, 'CAKE')
  const tart = await create('products', { title: 'Tart', stockQuantity: 0, ...stocked }, 'TART')
  const menu = await create('menus', { title: 'Sweets', sections: [{ title: 'All', items: [cake, tart] }] }, 'MENU')
  const type = { type: 'FIXED', value: 1, applyToAllProducts: false }
  const coupon = await create('coupons', { title: 'One', code: 'ONE', products: [cake, tart], ...type }, 'COUPON')
  await venue.post(`/coupons/${coupon}/limits`, { maxRedemptions: 1 })
  return { ...venue, milk, cake, tart, menu, coupon }
}
export type Shop = Awaited<ReturnType<typeof createShop>>
