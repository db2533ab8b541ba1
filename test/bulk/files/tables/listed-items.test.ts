import { describe, expect, test } from 'vitest'
import { createVenue } from '../../../support/api.ts'
import { check, importFile, listIssues, upload } from '../../../support/imports.ts'

const any = { 'content-type': 'application/json' }
const auto = 'mapping=auto'

describe('a JSON document with one list of items', () => {
  test.each([
    [
      'an id',
      {
        menu: { categories: [{ id: 'p', name: 'Pizza' }], items: [{ name: 'Margherita', price: 8, categoryId: 'p' }] },
      },
    ],
    [
      'a number',
      { groups: [{ id: 7, title: 'Pizza' }], dishes: [{ title: 'Margherita', price: '8,00 €', category: 7 }] },
    ],
  ])('puts them into the sections to which they refer by %s', async (_, document) => {
    const venue = await createVenue()
    const done = await importFile(venue, auto, JSON.stringify(document), any)
    expect([done.reading.kind, await listIssues(venue, done.id)]).toEqual(['json', []])
    const products = (await venue.get('/products')).body
    expect(products).toMatchObject([{ title: 'Margherita', price: 8 }])
    expect((await venue.get('/menus')).body[0].sections).toMatchObject([{ title: 'Pizza', items: [products[0].id] }])
  })

  test('is rejected with several lists of items: they may be products and their additions', async () => {
    const venue = await createVenue()
    const item = { name: 'Margherita', price: 8 }
    const { status } = await upload(venue, auto, JSON.stringify({ items: [item], extras: [item] }), any)
    expect(status).toBe(422)
  })
})

describe('a JSON document with sections', () => {
  const menuOf = (...items: object[]) => JSON.stringify({ categories: [{ name: 'Curry', items }] })

  test('has prices with the sign of the currency of the venue, and names what it leaves out', async () => {
    const venue = await createVenue()
    const dish = {
      id: 1,
      name: 'Korma',
      price: '12,90 €',
      image: 'img/korma.jpg',
      allergens: ['A', 'G'],
      vegan: false,
      spicy: 2,
    }
    const done = await importFile(venue, auto, menuOf(dish), any)
    expect((await venue.get('/products')).body).toMatchObject([{ title: 'Korma', price: 12.9, images: [] }])
    expect(done.reading.notices.map(({ message }: { message: string }) => message)).toEqual([
      '"allergens" of dishes',
      '"spicy" of dishes',
      'names of pictures without an address',
    ])
  })

  test('has an issue for the price in another currency', async () => {
    const venue = await createVenue()
    const ready = await check(venue, auto, menuOf({ name: 'Korma', price: '£12.90' }, { name: 'Dal', price: 9 }), any)
    expect(await listIssues(venue, ready.id)).toEqual(['1 /price other_currency'])
  })

  test('may have whole prices in a currency in which these are usual', async () => {
    const dishes = [
      { name: 'Korma', price: 260 },
      { name: 'Dal', price: 180 },
    ]
    for (const [currency, state] of [
      ['INR', 'checking'],
      ['DKK', 'checking'],
      ['HUF', 'checking'],
      ['EUR', 'asking'],
      ['GBP', 'asking'],
    ] as const) {
      const venue = await createVenue({ currency })
      expect([currency, (await upload(venue, auto, menuOf(...dishes), any)).body.state]).toEqual([currency, state])
    }
  })
})
