import { exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createVenue, origin, send } from '../../support/api.ts'
import { load } from '../../support/catalogue.ts'
import { readPdf, spell } from '../../support/pdf.ts'

const contains = [{ code: 'nuts', level: 'contains' }]
const option = (id: string, label: string, fields: object = {}) => ({ id, label, ...fields })
const required = { type: 'RADIO', rules: { required: true } }

/** Dishes that contain nuts, may contain them, are free from them, or state nothing, and choices of each kind. */
async function createVenueWithNuts() {
  const venue = await createVenue({ name: 'Café', language: 'en', currency: 'EUR' })
  // Options of several modifiers have the same ids.
  const modifiers = [
    { title: 'Size', ...required, options: [option('1', 'Small'), option('2', 'Large')] },
    { title: 'Sauce', options: [option('1', 'Pesto'), option('2', 'Oil')] },
    { title: 'Milk', ...required, options: [option('1', 'Almond'), option('2', 'Oat')] },
    { title: 'Topping', options: [option('1', 'Crumble', { preSelected: true }), option('2', 'Sugar')] },
    { title: 'Cup', ...required, options: [option('1', 'Tall'), option('2', 'Short')] },
  ]
  const products = [
    { title: 'Brownie' },
    { title: 'Cookie' },
    { title: 'Soup' },
    { title: 'Salad', modifiers: [1] },
    { title: 'Juice', modifiers: [0] },
    { title: 'Latte', modifiers: [2] },
    { title: 'Set' },
    { title: 'Platter' },
    { title: 'Tea', modifiers: [4] },
    { title: 'Mocha', modifiers: [4] },
  ].map((product) => ({ ...product, price: 5 }))
  const items = products.map((_, index) => index)
  const menus = [{ title: 'All', sections: [{ title: 'Food', items }] }]
  const ids = await load(venue.post, { modifiers, products, menus })
  const { body } = await venue.get('/modifiers?limit=100')
  const idOf = (title: string): string => body.find((each: { title: string }) => each.title === title).id
  const details = async (path: string, fields: object) => {
    const response = await venue.post(`${path}/details`, fields)
    expect([path, response.status, response.body.errors]).toEqual([path, 200, undefined])
  }
  const of = (title: string) => `/products/${ids[products.findIndex((each) => each.title === title)]}`
  await details(of('Brownie'), { allergens: contains })
  await details(of('Cookie'), { allergens: [{ code: 'nuts', level: 'may_contain', names: ['hazelnuts'] }] })
  await details(of('Soup'), { allergens: [] })
  const prices = { '1': { price: 3 }, '2': { price: 4 } }
  await details(of('Juice'), { allergens: [], sizes: { modifier: idOf('Size'), prices, sameContents: true } })
  await details(of('Latte'), { allergens: [] })
  await details(of('Tea'), { allergens: [], sizes: { modifier: idOf('Cup'), prices, sameContents: true } })
  await details(of('Mocha'), { allergens: [] })
  await details(`/modifiers/${idOf('Milk')}`, {
    options: { '1': { allergens: contains }, '2': { allergens: [], modifiers: [idOf('Topping')] } },
  })
  await details(`/modifiers/${idOf('Topping')}`, { options: { '1': { allergens: contains }, '2': { allergens: [] } } })
  const group = (min: number, ...titles: string[]) => ({
    title: 'Part',
    ...{ min, max: 1 },
    items: titles.map((title) => ({ product: of(title).split('/').at(-1) })),
  })
  await details(of('Set'), { bundle: { groups: [group(1, 'Latte', 'Juice')] } })
  await details(of('Platter'), { bundle: { groups: [group(0, 'Soup')] } })
  const page = async (query = ''): Promise<string> => (await send(`/m/${venue.id}?lang=en${query}`)).body
  return { ...venue, of, idOf, details, page }
}
const venue = await createVenueWithNuts()
const strip = (text: string) => text.replaceAll(/<[^>]*>/g, '').trim()
const dishesOf = (body: string) =>
  Object.fromEntries(
    Array.from(body.matchAll(/<li class="dish"><div><b>(.*?)<\/b>(.*?)<\/li>/g), ([, title = '', rest = '']) => [
      strip(title),
      Array.from(rest.matchAll(/<p class="food[^"]*">(.*?)<\/p>/g), ([, text = '']) => strip(text)),
    ]),
  )
const choicesMay = 'Choices may add allergens'

test('the menu says nowhere that a dish has no nuts if nobody has stated it', async () => {
  expect(dishesOf(await venue.page())).toEqual({
    Brownie: ['Contains: tree nuts'],
    Cookie: ['May contain: tree nuts (hazelnuts)'],
    Soup: ['No allergens'],
    Salad: ['Allergens not stated'],
    Juice: ['No allergens'],
    Latte: [choicesMay],
    Set: [choicesMay],
    // Nothing of it must be chosen, so its parts do not state what it contains.
    Platter: ['Allergens not stated'],
    Tea: ['No allergens'],
    Mocha: [choicesMay],
  })
})

test('a guest who filters reads how to order each dish, with the parts of a set menu', async () => {
  expect(dishesOf(await venue.page('&without=nuts'))).toEqual({
    Soup: ['No allergens'],
    Juice: ['No allergens'],
    Latte: [choicesMay, 'Order it with: Oat · Order it without: Crumble'],
    Set: [choicesMay, 'Order it with: Latte (Oat) / Juice · Order it without: Crumble'],
    Tea: ['No allergens'],
  })
})

test('the sheet and its PDF print what nobody has stated, also for options with the ids of sizes', async () => {
  const body = String((await send(`/m/${venue.id}/allergens?lang=en`)).body)
  const rows = Array.from(body.matchAll(/<tr><th scope="row">(.*?)<\/th>(.*?)<\/tr>/g), ([, name = '', cells = '']) => [
    strip(name.replace(/<small>.*/, '')),
    strip(cells),
  ])
  const not = 'Allergens not stated'
  const expected = [
    ['Brownie', '●'],
    ['Cookie', '○'],
    ['Soup', ''],
    ['Salad', not],
    ['Juice', ''],
    ['Latte *', ''],
    ['Set', not],
    ['Platter', not],
    ['Tea', ''],
    ['Mocha *', ''],
    ['Sauce: Pesto', not],
    ['Sauce: Oil', not],
    ['Size: Small', ''],
    ['Size: Large', ''],
    ['Milk: Almond', '●'],
    ['Milk: Oat', ''],
    // Sizes of the tea, and choices of the mocha, which says nothing about them.
    ['Cup: Tall', not],
    ['Cup: Short', not],
    ['Topping: Crumble', '●'],
    ['Topping: Sugar', ''],
  ]
  expect(rows).toEqual(expected)
  const response = await exports.default.fetch(new URL(`/m/${venue.id}/allergens.pdf?lang=en`, origin))
  const texts = (await readPdf(new Uint8Array(await response.arrayBuffer()))).texts.map(spell)
  expect(texts.filter((text) => text === not)).toHaveLength(7)
})

test('the data, structured data, a quote, an export and the feed state no more than the venue', async () => {
  const { menus, modifiers } = (await send(`/m/${venue.id}.json`)).body
  const products: { title: string; allergens?: { code: string }[] }[] = menus[0].sections[0].products
  const stated = products.map(({ title, allergens }) => [title, allergens?.map(({ code }) => code)])
  expect(stated).toEqual([
    ['Brownie', ['nuts']],
    ['Cookie', ['nuts']],
    ['Soup', []],
    ['Salad', undefined],
    ['Juice', []],
    ['Latte', []],
    ['Set', undefined],
    ['Platter', undefined],
    ['Tea', []],
    ['Mocha', []],
  ])
  const sauce = modifiers.find(({ title }: { title: string }) => title === 'Sauce')
  expect(sauce.options.map(({ allergens }: { allergens?: object[] }) => allergens)).toEqual([undefined, undefined])
  const salad = venue.of('Salad').split('/').at(-1)
  const quote = (await venue.post('/quotes', { items: [{ product: salad, quantity: 1 }] })).body
  const line = (await venue.get('/export?resources=products')).body
    .split('\n')
    .find((text: string) => text.includes('"Salad"'))
  const events = (await venue.get('/events?types=product.details_updated&limit=100')).body
  const ofSalad = events.filter(({ data }: { data: { id: string } }) => data.id === salad)
  const [, jsonLd = ''] = /ld\+json">(.*?)<\/script>/s.exec(await venue.page()) ?? []
  expect([quote.code, ofSalad]).toEqual([undefined, []])
  expect(`${JSON.stringify(quote)}${line}${jsonLd}`).not.toMatch(/allerg|suitableForDiet|free/i)
})
