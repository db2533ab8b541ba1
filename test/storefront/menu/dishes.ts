import { expect } from 'vitest'
import { createVenue, send } from '../../support/api.ts'
import { load } from '../../support/catalogue.ts'

/** A latte whose milk must be chosen, a set menu, a drink in sizes, and a cake whose sauce is optional. */
export async function createDishes() {
  const venue = await createVenue({ name: 'Café', language: 'en', currency: 'EUR' })
  const required = { type: 'RADIO', rules: { required: true } }
  const ids = await load(venue.post, {
    modifiers: [
      {
        title: 'Milk',
        ...required,
        options: [
          { id: 'whole', label: 'Whole', preSelected: true },
          { id: 'oat', label: 'Oat' },
        ],
      },
      {
        title: 'Size',
        ...required,
        options: [
          { id: 's', label: 'S' },
          { id: 'l', label: 'L' },
        ],
      },
      {
        title: 'Sauce',
        options: [
          { id: 'cream', label: 'Cream' },
          { id: 'none', label: 'None' },
        ],
      },
      { title: 'Topping', options: [{ id: 'nuts', label: 'Nuts' }] },
    ],
    products: [
      { title: 'Latte', price: 3, modifiers: [0] },
      { title: 'Juice', price: 2, modifiers: [1] },
      { title: 'Cake', price: 4, modifiers: [2] },
      { title: 'Set', price: 6 },
      { title: 'Soup', price: 5, visible: false },
    ],
    menus: [{ title: 'All', sections: [{ title: 'Food', items: [0, 1, 2, 3] }] }],
  })
  const { body: modifiers } = await venue.get('/modifiers?limit=100')
  const idOf = (title: string): string => modifiers.find((each: { title: string }) => each.title === title).id
  const details = async (path: string, body: object) => {
    const response = await venue.post(`${path}/details`, body)
    expect([path, response.status, response.body.errors]).toEqual([path, 200, undefined])
  }
  const contains = (...codes: string[]) => codes.map((code) => ({ code, level: 'contains' }))
  const [latte, juice, cake, set, soup] = ids.map((id) => `/products/${id}`)
  await details(`${latte}`, { allergens: [], diets: ['vegetarian'] })
  await details(`${juice}`, {
    allergens: [],
    sizes: { modifier: idOf('Size'), prices: { s: { price: 3 }, l: { price: 3.5 } }, sameContents: true },
  })
  await details(`${cake}`, { allergens: contains('eggs') })
  await details(`${soup}`, { allergens: contains('celery') })
  await details(`/modifiers/${idOf('Milk')}`, {
    options: { whole: { allergens: contains('milk') }, oat: { allergens: [] } },
  })
  await details(`/modifiers/${idOf('Sauce')}`, {
    options: { cream: { allergens: contains('milk'), modifiers: [idOf('Topping')] } },
  })
  await details(`${set}`, {
    bundle: {
      groups: [
        { title: 'Drink', min: 1, max: 1, items: [{ product: ids[0] }, { product: ids[1] }] },
        { title: 'Food', min: 1, max: 1, items: [{ product: ids[4] }] },
      ],
    },
  })
  const data = async (query = '') => (await send(`/m/${venue.id}.json${query}`)).body
  const titles = async (query: string): Promise<string[]> =>
    (await data(query)).menus.flatMap((menu: Menu) =>
      menu.sections.flatMap(({ products }) => products.map(({ title }) => title)),
    )
  return { ...venue, ids, idOf, details, contains, data, titles }
}
interface Menu {
  sections: { products: { title: string }[] }[]
}
