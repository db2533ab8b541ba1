import { describe, expect, test } from 'vitest'
import { findField } from '../../../src/bulk/files/table/headings.ts'
import { createVenue } from '../../support/api.ts'
import { check, importFile, listIssues, upload } from '../../support/imports.ts'

const text = { 'content-type': 'text/plain' }
const auto = 'mapping=auto'

describe('a column', () => {
  test.each([
    ['Preis inkl. MwSt.', 'price'],
    ['Preis (inkl. MwSt.)', 'price'],
    ['税込価格', 'price'],
    ['product_sku', 'sku'],
    ['Item price', 'price'],
    ['Interne Referenz', 'sku'],
    ['product_compare_to_price', undefined],
    ['products', undefined],
  ])('%s is %s', (heading, field) => {
    expect(findField(heading, new Set(['price', 'sku', 'category']))).toBe(field)
  })

  test('of price levels is asked about, although the table has keys', async () => {
    const venue = await createVenue()
    const file = 'PLU;Bezeichnung;Preisebene 1;Preisebene 2\n1;Espresso;2,40;2,20\n'
    const { body } = await upload(venue, auto, file, text)
    expect(body.reading.questions).toEqual([
      { code: 'column', column: 'price', samples: [], choices: ['Preisebene 1', 'Preisebene 2'] },
    ])
  })

  test('of taxes with amounts, as reports about sales have it, is no tax rate', async () => {
    const venue = await createVenue()
    const done = await importFile(venue, auto, 'Menu Item,Price,Tax\nBurger,12.50,140.00\nCola,3.00,21.60\n', text)
    expect(done.reading.notices).toMatchObject([{ code: 'column_left_out', column: 'Tax' }])
    expect((await venue.get('/products')).body.some((product: object) => 'taxRate' in product)).toBe(false)
    await importFile(venue, auto, 'Menu Item,Price,Tax\nSoup,12.50,27\n', text)
    expect((await venue.get('/products')).body[0]).toMatchObject({ title: 'Soup', taxRate: 27 })
  })

  test('of names of pictures leaves out the names, and no product', async () => {
    const venue = await createVenue()
    const file = 'Artikel;Preis;Bild\nTee;3,10;tee.jpg\nKuchen;4,00;https://x.example/k.jpg\n'
    const done = await importFile(venue, auto, file, text)
    expect([await listIssues(venue, done.id), done.reading.notices]).toMatchObject([
      [],
      [{ code: 'part_left_out', message: 'names of pictures without an address' }],
    ])
    expect((await venue.get('/products?order=asc')).body.map(({ images = [] }) => images.length)).toEqual([0, 1])
  })
})

test('titles that end with the size of their row lose it', async () => {
  const venue = await createVenue()
  const lines = [
    'handle,sku,name,variant_option_one_name,variant_option_one_value,retail_price,active',
    'latte,1,Latte / Small,Size,Small,3.5,1',
    'latte,2,Latte / Large,Size,Large,4.5,1',
    'tea,3,Tea / Mint,,,2.5,1',
  ]
  await importFile(venue, auto, lines.join('\n'), text)
  expect((await venue.get('/products?order=asc')).body.map(({ title }: { title: string }) => title)).toEqual([
    'Latte',
    'Tea / Mint',
  ])
})

test('a menu for Uber Eats may allow more choices than a group has options', async () => {
  const venue = await createVenue()
  const title = (en: string) => ({ translations: { en } })
  const document = {
    menus: [{ id: 'm', title: title('Day') }],
    categories: [{ id: 'c', title: title('Bowls'), entities: [{ id: 'i' }] }],
    items: [
      {
        ...{ id: 'i', title: title('Tofu bowl'), price_info: { price: 1190 }, modifier_group_ids: { ids: ['g'] } },
        dish_info: { classifications: { allergens: ['PEANUTS'] } },
      },
      { id: 'o', title: title('Cashews'), price_info: { price: 150 } },
    ],
    modifier_groups: [
      {
        ...{ id: 'g', title: title('Extra'), modifier_options: [{ id: 'o' }] },
        quantity_info: { quantity: { max_permitted: 3 } },
      },
    ],
  }
  const done = await importFile(venue, auto, JSON.stringify(document), text)
  expect([done.failed, done.reading.notices]).toMatchObject([
    0,
    [{ code: 'part_left_out', message: expect.stringContaining('allergens') }],
  ])
  const [product] = (await venue.get('/products')).body
  expect((await venue.get(`/modifiers/${product.modifiers[0]}`)).body.options).toHaveLength(1)
  expect((await venue.get(`/products/${product.id}/details`)).body).toEqual({})
})

test.each([
  ['Magento', 'sku,product_type,name,price,configurable_variations', 'T,simple,Tea,3,', 'configurable_variations'],
  ['Ecwid', 'type,product_name,product_price,product_option_name', 'product,Tea,3,', 'product_option_name'],
  ['SumUp in German', 'Artikelname,Varianten,Preis', 'Tee,,3', 'Varianten'],
])('variants of %s that are left out say how sizes are written', async (_, header, row, column) => {
  const venue = await createVenue()
  const ready = await check(venue, 'mapping=auto', `${header}\n${row}\n`, text)
  expect(ready.reading.notices).toContainEqual({
    ...{ code: 'column_left_out', column, count: 1 },
    message: 'is not read: sizes need a column Size, and a row each',
  })
})
