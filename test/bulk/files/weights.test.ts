import { describe, expect, test } from 'vitest'
import { readWeightUnit } from '../../../src/bulk/files/table/price-kind.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { importFile, listIssues, settle, upload } from '../../support/imports.ts'

const any = { 'content-type': 'text/plain' }
const auto = 'mapping=auto'

/** Titles of products with their prices, units and sizes. */
async function listProducts(venue: Venue) {
  const { body } = await venue.get('/products?order=asc')
  return Promise.all(
    body.map(async ({ id, title, price }: { id: string; title: string; price: number }) => {
      const details = (await venue.get(`/products/${id}/details`)).body
      return [title, price, details.soldBy?.unit, details.sizes && 'sizes']
    }),
  )
}

const loyverse =
  'Handle,SKU,Name,Sold by weight,Option 1 name,Option 1 value,Price [Shop],In stock [Shop]\nham,1,Ham,Y,,,24.50,3.250\ntea,2,Tea,N,,,2.50,\n'

describe('an export of Loyverse', () => {
  test.each([
    ['kg', 'kg'],
    ['100g', '100g'],
    ['piece', undefined],
  ])('asks what the price of products by weight is for: %s', async (soldBy, unit) => {
    const venue = await createVenue()
    const { body: asked } = await upload(venue, auto, loyverse, any)
    expect([asked.state, asked.reading.questions]).toEqual([
      'asking',
      [{ code: 'sold_by', column: 'Sold by weight', samples: ['Ham'], choices: ['kg', '100g', 'l', 'piece'] }],
    ])
    expect((await venue.post(`/imports/${asked.id}/apply`, undefined)).body.code).toBe('questions_open')
    const { body: mapped } = await venue.post(`/imports/${asked.id}/mapping`, { soldBy })
    expect(mapped.reading.questions).toEqual([])
    await settle(venue, asked.id)
    await venue.post(`/imports/${asked.id}/apply`, undefined)
    expect(await settle(venue, asked.id)).toMatchObject({ state: 'done', failed: 0 })
    expect(await listProducts(venue)).toEqual([
      ['Ham', 24.5, unit, undefined],
      ['Tea', 2.5, undefined, undefined],
    ])
    // The next export is read by the same answer.
    expect((await importFile(venue, auto, loyverse, any)).reading).toMatchObject({ remembered: true, questions: [] })
  })

  test('without products by weight asks nothing', async () => {
    const venue = await createVenue()
    const done = await importFile(venue, auto, loyverse.replace('Ham,Y', 'Ham,N'), any)
    expect(done.reading.questions).toEqual([])
  })

  test('cannot have sizes of a product by weight', async () => {
    const venue = await createVenue()
    const sized = loyverse
      .replace('ham,1,Ham,Y,,,', 'ham,1,Ham,Y,Kind,Smoked,')
      .replace('tea,2,Tea,N,,,', 'ham,2,,Y,,Raw,')
    const { body: asked } = await upload(venue, auto, sized, any)
    await venue.post(`/imports/${asked.id}/mapping`, { soldBy: 'kg' })
    await settle(venue, asked.id)
    expect(await listIssues(venue, asked.id)).toEqual(['2 Sold by weight conflict'])
  })
})

test('Clover says the unit, and has prices that are entered with each sale', async () => {
  const venue = await createVenue()
  const file = [
    'Clover ID,Name,Price,Price Type,Price Unit',
    'C1,Ham,24.50,Per Unit,kg',
    'C2,Gift card,0.00,Variable,',
    'C3,Coffee,2.50,Fixed,',
  ].join('\n')
  const done = await importFile(venue, auto, file, any)
  expect(await listIssues(venue, done.id)).toEqual(['3 Price Type conflict'])
  expect(await listProducts(venue)).toEqual([
    ['Ham', 24.5, 'kg', undefined],
    ['Coffee', 2.5, undefined, undefined],
  ])
})

test('a column of units makes products by weight, and one of amounts is left out', async () => {
  const venue = await createVenue()
  await importFile(venue, auto, 'Artikel;Einheit;Preis\nKäse;kg;19,80\nBrot;Stk;4,20\n', any)
  expect(await listProducts(venue)).toEqual([
    ['Käse', 19.8, 'kg', undefined],
    ['Brot', 4.2, undefined, undefined],
  ])
  const done = await importFile(venue, auto, 'Artikel;Einheit;Preis\nCola;0,3 l;3,20\nBier;l;4,20\n', any)
  expect(done.reading.notices).toMatchObject([{ code: 'column_left_out', column: 'Einheit' }])
})

test('products that cost 0 are counted', async () => {
  const venue = await createVenue()
  const done = await importFile(venue, auto, 'Artikel;Preis\nDiverses;0,00\nBrot;4,20\n', any)
  expect(done.reading.notices).toMatchObject([{ code: 'zero_price', count: 1 }])
})

test.each([
  ['kg', 'kg'],
  ['Kilo', 'kg'],
  ['pro kg', 'kg'],
  ['/kg', 'kg'],
  ['1 kg', 'kg'],
  ['100 g', '100g'],
  ['per 100g', '100g'],
  ['l', undefined],
  ['0,3 l', undefined],
  ['10 kg', undefined],
  ['Stk.', undefined],
  ['pro', undefined],
  ['', undefined],
] as const)('the unit %s is %s', (text, unit) => expect(readWeightUnit(text)).toBe(unit))
