import { expect, test } from 'vitest'
import { observe, rowsRead } from '../../../support/d1.ts'
import { createDishVenue } from './dishes.ts'

const { venue, createModifier, createDish, createSized } = await createDishVenue()
const cost = async (items: object[], more: object = {}) => {
  const { status, trips } = await observe('POST', venue.path('/quotes'), { key: venue.key, json: { items, ...more } })
  expect([status, trips.reduce((written, trip) => written + trip.rowsWritten, 0)]).toEqual([200, 0])
  return { trips: trips.length, rows: rowsRead(trips) }
}

test('200 lines with sizes, nested options and bundles cost one round trip, and rows for each product once', async () => {
  await venue.get('/products')
  const sauce = await createModifier(['hot'], {}, { pricing: 'highest' })
  const dip = await createModifier(['dips'], {}, { options: { dips: { modifiers: [sauce] } } })
  const { product: sized, size } = await createSized([dip])
  const bundle = await createDish(
    {},
    { bundle: { groups: [{ id: 'g', title: 'G', min: 1, max: 2, items: [{ product: sized }] }] } },
  )
  const ham = await createDish({}, { soldBy: { unit: 'kg' } })
  const options = [
    { modifier: size, option: 's' },
    { modifier: dip, option: 'dips', options: [{ modifier: sauce, option: 'hot' }] },
  ]
  const basket = [
    { product: sized, quantity: 1, options },
    { product: bundle, quantity: 1, choices: [{ group: 'g', product: sized, options }] },
    { product: ham, quantity: 0.5 },
  ]
  const few = await cost(basket)
  const lines = Array.from({ length: 200 }, (_, n) => basket[n % 3] ?? {})
  const many = await cost(lines)
  expect([few.trips, many]).toEqual([1, few])

  // The prices of a menu, a coupon and a customer are read with them.
  const { body: menu } = await venue.post('/menus', { title: 'All', sections: [{ title: 'All', items: [sized] }] })
  await venue.post(`/menus/${menu.id}/details`, { prices: [{ product: sized, sizes: { s: 2 } }] })
  await venue.post('/coupons', { title: 'Ten', code: 'TEN', type: 'PERCENTAGE', value: 10 })
  const { body: customer } = await venue.post('/customers', { firstName: 'Ada', lastName: 'King' })
  const more = { menu: menu.id, coupons: ['TEN'], customer: customer.id }
  const [fewMore, manyMore] = [await cost(basket, more), await cost(lines, more)]
  expect([fewMore.trips, manyMore]).toEqual([1, fewMore])
})
