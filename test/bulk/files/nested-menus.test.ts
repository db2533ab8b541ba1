import { describe, expect, test } from 'vitest'
import { createVenue } from '../../support/api.ts'
import { importFile, upload } from '../../support/imports.ts'

const any = { 'content-type': 'application/json' }

const pizza = {
  id: 10,
  name: 'Margherita',
  description: 'Tomato',
  price: 8,
  sizes: [
    { name: '26 cm', price: 0 },
    { name: '32 cm', price: 3 },
  ],
  groups: [{ name: 'Toppings', options: [{ name: 'Olives', price: 1 }] }],
}

describe('a JSON document with sections and items', () => {
  test.each([
    ['categories', { id: 1, currency: 'EUR', categories: [{ id: 1, name: 'Pizza', active: true, items: [pizza] }] }],
    [
      'sections with capital letters',
      {
        Name: 'Main',
        MenuSections: [
          {
            Name: 'Pizza',
            MenuItems: [{ Name: 'Margherita', Price: 8, Description: 'Tomato', Options: [{ Name: 'L', Price: 3 }] }],
          },
        ],
      },
    ],
    ['menus with sections', { menus: [{ menu: { sections: [{ title: 'Pizza', dishes: [pizza] }] } }] }],
    ['a list of sections', [{ name: 'Pizza', items: [{ ...pizza, price: '8.00' }] }]],
  ])('is a menu: %s', async (_, document) => {
    const venue = await createVenue()
    const done = await importFile(venue, 'mapping=auto', JSON.stringify(document), any)
    expect(done.reading.kind).toBe('nested_menu')
    const products = (await venue.get('/products')).body
    expect(products).toMatchObject([{ title: 'Margherita', price: 8, description: 'Tomato' }])
    expect((await venue.get('/menus')).body[0].sections).toMatchObject([{ title: 'Pizza', items: [products[0].id] }])
    expect(done.reading.notices.map(({ code }: { code: string }) => code)).toContain('part_left_out')
  })

  test.each([
    [
      'products by id',
      { categories: [{ name: 'Pizza', products: ['p1'] }], products: { p1: { name: 'Margherita', price: 850 } } },
      'unknown kind',
    ],
  ])('is rejected with %s', async (_, document, detail) => {
    const venue = await createVenue()
    const { status, body } = await upload(venue, 'mapping=auto', JSON.stringify(document), any)
    expect([status, body.code, body.detail]).toEqual([422, 'unsupported_file', expect.stringContaining(detail)])
    expect((await venue.get('/products')).body).toEqual([])
  })

  test('has prices without decimals in a currency without them', async () => {
    const venue = await createVenue({ currency: 'JPY' })
    const document = { categories: [{ name: 'Pizza', items: [{ name: 'Margherita', price: 850 }] }] }
    await importFile(venue, 'mapping=auto', JSON.stringify(document), any)
    expect((await venue.get('/products')).body).toMatchObject([{ price: 850 }])
  })

  test('whose products have variants is no menu of sections', async () => {
    const venue = await createVenue()
    const document = { products: [{ title: 'Cake', variants: [{ title: 'Small', price: '4.50' }] }] }
    const { body } = await upload(venue, 'mapping=auto', JSON.stringify(document), any)
    expect(body.reading.kind).toBe('json')
  })
})
