import { describe, expect, test } from 'vitest'
import { createVenue, type Venue } from '../../../support/api.ts'
import { importFile, listIssues, settle, upload } from '../../../support/imports.ts'

const text = { 'content-type': 'text/plain' }
const auto = 'mapping=auto'

/** The products of a venue: their titles, with their price or the labels and prices of their sizes. */
async function listProducts(venue: Venue) {
  const products: { id: string; title: string; price: number; modifiers: string[] }[] = (
    await venue.get('/products?order=asc')
  ).body
  const modifiers: { id: string; options: { id: string; label: string }[] }[] = (await venue.get('/modifiers')).body
  return Promise.all(
    products.map(async ({ id, title, price }) => {
      const { sizes } = (await venue.get(`/products/${id}/details`)).body
      if (!sizes) return [title, price]
      const modifier = modifiers.find(({ id: each }) => each === sizes.modifier)
      const labels = new Map(modifier?.options.map((option) => [option.id, option.label]))
      const prices = Object.entries<{ price: number }>(sizes.prices)
      return [title, ...prices.map(([option, size]) => [labels.get(option), size.price])]
    }),
  )
}

async function load(...lines: string[]) {
  const venue = await createVenue({ currency: 'EUR' })
  const done = await importFile(venue, auto, `${lines.join('\n')}\n`, text)
  return { venue, done, issues: await listIssues(venue, done.id), products: await listProducts(venue) }
}

describe('columns with the prices of sizes', () => {
  test.each([
    ['Dish;Price small;Price large', 'Price small', 'Price large'],
    ['Gericht;klein;groß', 'klein', 'groß'],
    ['Getränk;0,2 l;0.4l', '0,2 l', '0.4l'],
    ['Pizza;Preis (26 cm);Preis (32 cm)', 'Preis (26 cm)', 'Preis (32 cm)'],
    ['Vin;prix_verre;prix_bouteille', 'prix_verre', 'prix_bouteille'],
    ['Item;Half;Full', 'Half', 'Full'],
  ])('become sizes: %s', async (header, small, large) => {
    const { done, issues, products } = await load(header, 'Ale;2,50;4,20', 'Bun;;5,00', 'Cup;3,00;-')
    const label = (heading: string) => heading.replace(/^(?:price|preis|prix)[ _]\(?|\)$/gi, '')
    expect(done.reading.columns.map(({ to }: { to: string }) => to)).toEqual([
      'title',
      `sizes.${label(small)}`,
      `sizes.${label(large)}`,
    ])
    expect([issues, products]).toEqual([
      [],
      [
        ['Ale', [label(small), 2.5], [label(large), 4.2]],
        ['Bun', [label(large), 5]],
        ['Cup', ...(/\d/.test(small) ? [[label(small), 3]] : [3])],
      ],
    ])
  })

  test.each([
    ['a column has the price', 'Dish;Price;large', 'A;2,50;4,20', 2.5],
    ['they are no numbers', 'Dish;Price;S;M', 'A;2,50;x;', 2.5],
  ])('are left out if %s', async (_, header, row, price) => {
    const { products } = await load(header, row)
    expect(products).toEqual([['A', price]])
  })

  test('without words for sizes can be chosen', async () => {
    const venue = await createVenue({ currency: 'EUR' })
    const { body: asked } = await upload(venue, `${auto}&apply=true`, 'Dish;Price 1;Price 2\nA;2,50;4,20\n', text)
    expect(asked.reading.questions).toMatchObject([
      { code: 'column', column: 'price', choices: ['Price 1', 'Price 2'] },
    ])
    const columns = { 'Price 1': 'sizes.Glass', 'Price 2': 'sizes.Bottle' }
    expect((await venue.post(`/imports/${asked.id}/mapping`, { columns })).status).toBe(200)
    await settle(venue, asked.id)
    expect(await listProducts(venue)).toEqual([['A', ['Glass', 2.5], ['Bottle', 4.2]]])
    const wrong = await venue.post(`/imports/${asked.id}/mapping`, { columns: { 'Price 1': 'sizes.' } })
    expect(wrong.status).toBeGreaterThanOrEqual(400)
  })
})

describe('a cell with the prices of sizes', () => {
  test.each([
    [
      '$11.99 (Half) $18.99 (Full)',
      [
        ['Half', 11.99],
        ['Full', 18.99],
      ],
    ],
    [
      'Small 3.50 / Large 4.50',
      [
        ['Small', 3.5],
        ['Large', 4.5],
      ],
    ],
    [
      'S: 3,50, L: 4,50',
      [
        ['S', 3.5],
        ['L', 4.5],
      ],
    ],
    [
      '0,3 l 3,20 / 0,5 l 4,20 €',
      [
        ['0,3 l', 3.2],
        ['0,5 l', 4.2],
      ],
    ],
    [
      '7,50 € klein | 9,50 € groß',
      [
        ['klein', 7.5],
        ['groß', 9.5],
      ],
    ],
  ])('has a price for each size: %s', async (cell, sizes) => {
    const venue = await createVenue({ currency: cell.includes('$') ? 'USD' : 'EUR' })
    const done = await importFile(venue, auto, `Dish\tPrice\nWings\t${cell}\nTea\t2.00\n`, text)
    expect([await listIssues(venue, done.id), await listProducts(venue)]).toEqual([
      [],
      [
        ['Wings', ...sizes],
        ['Tea', 2],
      ],
    ])
  })

  test('in rows of their own belong to one product', async () => {
    const venue = await createVenue({ currency: 'USD' })
    const lines = ['Item,Price', 'Wings,$11.99 (Half)', 'Tea,2.00', 'Wings,$18.99 (Full)']
    await importFile(venue, auto, `${lines.join('\n')}\n`, text)
    expect(await listProducts(venue)).toEqual([
      ['Wings', ['Half', 11.99], ['Full', 18.99]],
      ['Tea', 2],
    ])
  })

  test.each(['7,50 / 9,50', '12,50 (inkl. MwSt)', 'ab 5,00 / Stück', '3,50 S / 4,50'])(
    'that leaves the sizes open is an issue: %s',
    async (cell) => {
      const { issues, products } = await load('Dish;Price', `A;${cell}`, 'B;2,00')
      expect([issues, products]).toEqual([['2 Price invalid_type'], [['B', 2]]])
    },
  )
})
