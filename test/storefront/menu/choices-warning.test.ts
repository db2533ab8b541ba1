import { exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { getFoodMessages } from '../../../src/storefront/pages/food/languages.ts'
import { pageLanguages } from '../../../src/storefront/pages/messages.ts'
import { createVenue, origin, send } from '../../support/api.ts'
import { load } from '../../support/catalogue.ts'
import { readPdf, spell } from '../../support/pdf.ts'

/** Dishes with and without options that state nothing, no allergens, an allergen, or only a diet. */
async function createCafe() {
  const venue = await createVenue({ name: 'Café', language: 'en' })
  const modifiers = [
    { title: 'Milk', options: [{ label: 'Whole', preSelected: true }, { label: 'Oat' }] },
    { title: 'Note' },
  ]
  const products = [
    { title: 'Latte', modifiers: [0] },
    { title: 'Espresso', modifiers: [1] },
    { title: 'Cake', modifiers: [0] },
    { title: 'Soup', modifiers: [0] },
    { title: 'Bowl', modifiers: [1, 0] },
    { title: 'Water' },
  ].map((product) => ({ ...product, price: 5 }))
  const items = products.map((_, index) => index)
  const ids = await load(venue.post, {
    modifiers,
    products,
    menus: [{ title: 'All', sections: [{ title: 'Food', items }] }],
  })
  const details = [
    { allergens: [] },
    { allergens: [] },
    { allergens: [{ code: 'eggs', level: 'contains' }] },
    {},
    { diets: ['vegan'] },
    { allergens: [] },
  ]
  for (const [index, body] of details.entries()) await venue.post(`/products/${ids[index]}/details`, body)
  return venue
}
const cafe = await createCafe()
const warning = 'Choices may add allergens'
const foodOf = (body: unknown) =>
  Array.from(
    String(body).matchAll(/<li class="dish"><div><b><bdi>(.*?)<\/bdi>.*?<p class="food">(.*?)<\/p>/g),
    ([, title, text]) => [title, text],
  )

test('"No allergens" stands only where no option can add one', async () => {
  expect(foodOf((await send(`/m/${cafe.id}?lang=en`)).body)).toEqual([
    ['Latte', warning],
    ['Espresso', 'No allergens'],
    ['Cake', `Contains: eggs · ${warning}`],
    ['Soup', 'Allergens not stated'],
    ['Bowl', `Allergens not stated · ${warning} · vegan`],
    ['Water', 'No allergens'],
  ])
})

test('a guest who filters for an allergen reads the warning too', async () => {
  expect(foodOf((await send(`/m/${cafe.id}?lang=en&without=milk`)).body)[0]).toEqual(['Latte', warning])
})

test('the data names the products whose options may add allergens', async () => {
  const { body } = await send(`/m/${cafe.id}.json`)
  const products: Record<string, unknown>[] = body.menus[0].sections[0].products
  expect(products.map(({ title, choicesMayAddAllergens }) => [title, choicesMayAddAllergens])).toEqual([
    ['Latte', true],
    ['Espresso', undefined],
    ['Cake', true],
    ['Soup', true],
    ['Bowl', true],
    ['Water', undefined],
  ])
})

test('the sheet and its PDF mark these products, and say what the mark means', async () => {
  const { body } = await send(`/m/${cafe.id}/allergens?lang=en`)
  const heads = Array.from(String(body).matchAll(/<th scope="row">(.*?)<\/th>/g), ([, name = '']) =>
    name.replace('<small>', ' | ').replace(/<[^>]*>/g, ''),
  )
  expect(heads).toEqual([
    'Latte * | Choices: Milk',
    'Espresso | Choices: Note',
    'Cake * | Choices: Milk',
    'Soup | Choices: Milk',
    'Bowl | Choices: Note, Milk',
    'Water',
    'Milk: Whole',
    'Milk: Oat',
  ])
  expect(body).toContain(`<p>* ${warning}</p>`)
  const response = await exports.default.fetch(new URL(`/m/${cafe.id}/allergens.pdf?lang=en`, origin))
  const texts = (await readPdf(new Uint8Array(await response.arrayBuffer()))).texts.map(spell)
  expect(texts).toContain(`* ${warning}`)
  expect(texts.filter((text) => text === '*')).toHaveLength(2)
  expect(texts[texts.indexOf('Latte') - 1]).toBe('*')
})

test('a venue without options has neither mark nor sentence', async () => {
  const venue = await createVenue({ name: 'Bar' })
  const menus = [{ title: 'All', sections: [{ title: 'Food', items: [0] }] }]
  const [id] = await load(venue.post, { modifiers: [], products: [{ title: 'Toast', price: 3 }], menus })
  await venue.post(`/products/${id}/details`, { allergens: [] })
  for (const path of ['', '/allergens']) {
    expect(String((await send(`/m/${venue.id}${path}?lang=en`)).body)).not.toContain(warning)
  }
})

test.each(pageLanguages)('the sentence is on the page in %s', async (language) => {
  const { choices } = getFoodMessages(language)
  expect(foodOf((await send(`/m/${cafe.id}?lang=${language}`)).body)[0]?.[1]).toContain(choices)
  expect(choices === warning).toBe(language === 'en')
})
