import { expect, test } from 'vitest'
import { createDishVenue } from './dishes.ts'

const { quote, codes, createModifier, createDish, setDetails, create } = await createDishVenue()

/** Names that every object inherits, and those that functions and lists have. A client may choose them as ids, except `__proto__`. */
const inherited = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__')
const names = [...inherited, 'name', 'length', 'prototype', 'caller', 'at']

test.each(names)('an option can have the id %s, with and without details', async (id) => {
  const rules = { enableOptionQuantity: true }
  const fields = { type: 'CHECKBOX', rules }
  const plain = await createModifier([[id, 0.5], 'other'], fields)
  const detailed = await createModifier([[id, 0.5], 'other'], fields, {
    options: { other: { max: 3 } },
    sizedCosts: { other: { s: 1 } },
  })
  const size = await createModifier([id, 's'], { type: 'RADIO' })
  for (const extra of [plain, detailed]) {
    const product = await createDish({ price: 2, modifiers: [extra] })
    const order = { items: [{ product, quantity: 1, options: [{ modifier: extra, option: id, quantity: 2 }] }] }
    expect(await quote(order)).toMatchObject({ orderable: true, total: 3, issues: [] })
  }
  const prices = { [id]: { price: 4 }, s: { price: 1 } }
  const product = await createDish({ price: 9, modifiers: [size, detailed] }, { sizes: { modifier: size, prices } })
  const options = [
    { modifier: size, option: id },
    { modifier: detailed, option: 'other' },
  ]
  expect(await quote({ items: [{ product, quantity: 1, options }] })).toMatchObject({ orderable: true, total: 4 })
  const menu = await create('/menus', { title: 'Noon' })
  await setDetails(`/menus/${menu}`, { prices: [{ product, sizes: { s: 0.75 } }] })
  expect(await quote({ menu, items: [{ product, quantity: 1, options }] })).toMatchObject({ total: 4 })
  await setDetails(`/modifiers/${detailed}`, { options: { [id]: { max: 1 } }, sizedCosts: { [id]: { [id]: 0.25 } } })
  const chosen = (quantity: number) => ({
    items: [{ product, quantity: 1, options: [options[0], { modifier: detailed, option: id, quantity }] }],
  })
  expect(await quote(chosen(1))).toMatchObject({ orderable: true, total: 4.25 })
  expect(await codes(chosen(2))).toEqual(['/items/0/options/1/quantity too_many_options'])
})
