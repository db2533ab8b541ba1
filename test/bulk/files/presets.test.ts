import { describe, expect, test } from 'vitest'
import { createVenue, type Venue } from '../../support/api.ts'
import { upload } from '../../support/imports.ts'
import { listSections, loadExport } from './load-export.ts'

const text = { 'content-type': 'text/plain' }

/** Imports a file, and returns its preset and products with their sizes. */
async function load(venue: Venue, lines: readonly string[]) {
  const { notices: _, ...loaded } = await loadExport(venue, lines)
  return loaded
}

describe('an export of', () => {
  test('SumUp has the variations of an item below it, without its name', async () => {
    const venue = await createVenue()
    const lines = [
      'Item name,Variations,Option set 1,Option 1,Is variation visible? (Yes/No),Price,Tax rate (%),Takeaway price,Track inventory? (Yes/No),Quantity,SKU,Barcode,Category,Image 1,Item id (Do not change),Variant id (Do not change)',
      'Cappuccino,,,,,3.20,19.00,3.20,No,,SU-1,,Kaffee,,1001,2001',
      'Latte,,,,,,19.00,,No,,,,Kaffee,,1002,',
      ',Klein,,,Yes,3.50,,,,,SU-2,,,,,2002',
      ',Groß,,,Yes,4.50,,,,,SU-3,,,,,2003',
      'Limo,,,,,2.90,19.00,,Yes,12,SU-4,4006381333931,Kalt,,1003,2004',
    ]
    expect(await load(venue, lines)).toEqual({
      preset: 'sumup',
      questions: [],
      issues: [],
      found: [
        ['Cappuccino', 3.2, 'SU-1', true],
        ['Latte', [3.5, 4.5], undefined, true],
        ['Limo', 2.9, 'SU-4', true],
      ],
    })
    expect(await listSections(venue)).toEqual([
      ['Kaffee', 2],
      ['Kalt', 1],
    ])
    // The next export of the same system finds the same objects.
    expect((await load(venue, lines)).found).toHaveLength(3)
    expect((await venue.get('/modifiers')).body).toHaveLength(1)
  })

  test('Clover has variants with the name of their item, and hidden items', async () => {
    const venue = await createVenue()
    const milk = (await venue.post('/modifiers', { title: 'Milk', instructions: '' })).body.id
    const lines = [
      'Clover ID,Name,Alternate Name,Description,Price,Price Type,Price Unit,Cost,Product Code,SKU,Quantity,Hidden?,Modifier Groups,Categories,Variant Attribute,Variant Option',
      'C1,Drip,,,2.50,Fixed,,,,D-1,,No,"Milk, Sugar","Coffee, Hot",,',
      'C2,Tee,,,10.00,Fixed,,,,T-S,,No,,Shirts,Size,S',
      'C3,Tee,,,12.00,Fixed,,,,T-L,,No,,Shirts,Size,L',
      'C4,Old,,,1.00,Fixed,,,,,,Yes,,Hot,,',
    ]
    expect(await load(venue, lines)).toEqual({
      preset: 'clover',
      questions: [],
      issues: [],
      found: [
        ['Drip', 2.5, 'D-1', true],
        ['Tee', [10, 12], undefined, true],
        ['Old', 1, undefined, false],
      ],
    })
    expect((await venue.get('/products?order=asc')).body[0].modifiers).toEqual([milk])
    expect(await listSections(venue)).toEqual([
      ['Coffee', 1],
      ['Hot', 2],
      ['Shirts', 1],
    ])
  })

  test('Lightspeed has variants by handle, and stock of an outlet', async () => {
    const venue = await createVenue()
    const lines = [
      'id,handle,sku,name,description,product_category,variant_option_one_name,variant_option_one_value,supply_price,retail_price,active,track_inventory,inventory_Main_Outlet,reorder_point_Main_Outlet',
      'a1,brew,BR-S,Brew,Cold,Drinks,Size,Small,1.00,3.50,1,0,,',
      'a2,brew,BR-L,Brew,Cold,Drinks,Size,Large,1.20,4.50,1,0,,',
      'a3,bean,BN,Beans,,Shelf,,,5.00,9.90,0,1,7,2',
    ]
    const loaded = await load(venue, lines)
    expect(loaded).toEqual({
      preset: 'lightspeed',
      questions: [],
      issues: [],
      found: [
        ['Brew', [3.5, 4.5], undefined, true],
        ['Beans', 9.9, 'BN', false],
      ],
    })
    expect((await venue.get('/products?order=asc')).body[1]).toMatchObject({ manageStock: true, stockQuantity: 7 })
  })

  test('Odoo has paths of categories', async () => {
    const venue = await createVenue()
    const lines = [
      'External ID,Name,Internal Reference,Barcode,Sales Price,Cost,Product Category,Can be Sold',
      '__export__.product_1,Espresso,ESP,4006381333931,2.20,0.40,All / Saleable / Drinks,True',
      '__export__.product_2,Bag,BAG,,0.30,0.10,All / Other,False',
    ]
    expect(await load(venue, lines)).toEqual({
      preset: 'odoo',
      questions: [],
      issues: [],
      found: [
        ['Espresso', 2.2, 'ESP', true],
        ['Bag', 0.3, 'BAG', false],
      ],
    })
    expect(await listSections(venue)).toEqual([
      ['Drinks', 1],
      ['Other', 1],
    ])
  })
})

test('Wix has variants that add to the price of their product, and options without variants', async () => {
  const venue = await createVenue()
  const lines = [
    'handleId,fieldType,name,description,productImageUrl,collection,sku,ribbon,price,surcharge,visible,inventory,productOptionName1,productOptionType1,productOptionDescription1',
    'P1,Product,Cake,<p>Lemon</p>,https://x.example/a.jpg;https://x.example/b.jpg,Cakes;Sweet,CK,,20,,true,InStock,Size,DROP_DOWN,Small;Large',
    'P1,Variant,,,,,CK-S,,,0,true,4,,,Small',
    'P1,Variant,,,,,CK-L,,,8.10,true,2,,,Large',
    'P2,Product,Tea,,,Drinks,TE,,3,,true,InStock,Leaf,DROP_DOWN,Green;Black',
    'P3,Product,Bread,,,,BR,,5.5,,false,10,,,',
  ]
  const wanted = {
    preset: 'wix',
    questions: [],
    issues: [],
    found: [
      ['Cake', [20, 28.1], undefined, true],
      ['Tea', [3, 3], undefined, true],
      ['Bread', 5.5, 'BR', false],
    ],
  }
  expect(await load(venue, lines)).toEqual(wanted)
  expect((await venue.get('/products?order=asc')).body[0].images).toHaveLength(2)
  expect(await listSections(venue)).toEqual([
    ['Cakes', 1],
    ['Sweet', 1],
    ['Drinks', 1],
  ])
  expect(await load(venue, lines)).toEqual(wanted)
})

test('PrestaShop has a price without tax, about which is asked, and one of a unit, which is no price', async () => {
  const venue = await createVenue()
  const lines = (price: string) => [
    `Product ID;Active (0/1);Name *;Categories (x,y,z...);${price};Wholesale price;Reference #;EAN13;Quantity;Unit price;Description`,
    '7;1;Brioche;Home,Bakery;2.50;1.00;BR-1;;20;0;<p>Soft</p>',
  ]
  const { body: asked } = await upload(venue, 'mapping=auto', lines('Price tax excluded').join('\n'), text)
  expect(asked.reading.questions).toEqual([
    { code: 'column', column: 'price', samples: [], choices: ['Price tax excluded', 'Wholesale price', 'Unit price'] },
  ])
  expect(await load(venue, lines('Price tax included'))).toEqual({
    ...{ preset: 'prestashop', questions: [], issues: [], found: [['Brioche', 2.5, 'BR-1', true]] },
  })
  expect(await listSections(venue)).toEqual([
    ['Home', 1],
    ['Bakery', 1],
  ])
})

test('Odoo by the names of its fields', async () => {
  const venue = await createVenue()
  const lines = ['name,default_code,barcode,list_price,standard_price,sale_ok', 'Frame,F1,4006381333931,12.50,7,True']
  expect(await load(venue, lines)).toEqual({
    ...{ preset: 'odoo', questions: [], issues: [], found: [['Frame', 12.5, 'F1', true]] },
  })
})

test('a size without a title belongs to the product above, as merged cells have it', async () => {
  const venue = await createVenue()
  expect(await load(venue, ['Artikel;Größe;Preis', 'Latte;S;3,00', ';L;4,00', 'Tee;;2,50'])).toMatchObject({
    issues: [],
    found: [
      ['Latte', [3, 4], undefined, true],
      ['Tee', 2.5, undefined, true],
    ],
  })
})
