import { describe, expect, test } from 'vitest'
import { createVenue, type Venue } from '../../../support/api.ts'
import { listSections, loadExport } from '../load-export.ts'

/** Imports a file, and returns its products with their sizes, its issues and its menu. */
async function load(venue: Venue, lines: readonly string[]) {
  const { notices, ...loaded } = await loadExport(venue, lines, ({ price, sku }) => [price, sku])
  const modifiers: { title: string; options: { label: string }[] }[] = (await venue.get('/modifiers')).body
  return {
    ...loaded,
    left: notices.flatMap(({ code, message }: Record<string, string>) => (code === 'part_left_out' ? [message] : [])),
    modifiers: modifiers.map(({ title, options }) => [title, ...options.map(({ label }) => label)]),
  }
}

const magento =
  'sku,store_view_code,attribute_set_code,product_type,categories,name,description,product_online,visibility,price,qty,manage_stock,base_image,configurable_variations,configurable_variation_labels'
const ecwid =
  'type,product_internal_id,product_sku,product_name,product_price,product_category_1,product_is_available,product_quantity,product_option_name,product_option_type,product_option_value,product_option_markup,product_variation_option_Size,product_variation_option_Crust,product_variation_sku'

describe('an export of Magento', () => {
  test('joins the variants, which are not visible individually, to their product', async () => {
    const venue = await createVenue()
    const lines = [
      magento,
      'C-S,,Default,simple,Default Category/Drinks,Cola-Small,,1,Not Visible Individually,3.0000,5,1,/c/o/cola.jpg,,',
      'C-L,,Default,simple,Default Category/Drinks,Cola-Large,,1,Not Visible Individually,4.5000,5,1,,,',
      'C,,Default,configurable,"Default Category/Drinks,Default Category",Cola,<p>Cold</p>,1,"Catalog, Search",,0,,,"sku=C-S,size=Small,ice=with|sku=C-L,size=Large,ice=without,price=9","size=Size,ice=Ice"',
    ]
    expect(await load(venue, lines)).toEqual({
      preset: 'magento',
      questions: [],
      left: ['names of pictures without an address'],
      issues: [],
      found: [
        [
          'Cola',
          [
            [3, 'C-S'],
            [4.5, 'C-L'],
          ],
          undefined,
          true,
        ],
      ],
      modifiers: [['Size / Ice', 'Small / with', 'Large / without']],
    })
    expect(await listSections(venue)).toEqual([['Drinks', 1]])
    // The next export finds the same product, whatever its title is.
    const next = lines.map((line) => line.replace(',Cola,', ',Cola Cola,'))
    expect((await load(venue, next)).found.map(([title]) => title)).toEqual(['Cola Cola'])
  })

  test('hides what is offline or no part of a product, and leaves out the texts of other stores', async () => {
    const venue = await createVenue()
    const lines = [
      magento,
      'W,,Default,simple,Default Category/Drinks,Water,,1,"Catalog, Search",2.0000,9,1,,,',
      'W,de,Default,simple,,Wasser,,,,7.0000,,,,,',
      'O,,Default,simple,Default Category/Drinks,Old,,2,"Catalog, Search",2.0000,,,,,',
      'P,,Default,simple,Default Category,Part,,1,Not Visible Individually,1.0000,,,,,',
      'G,de,Default,simple,Default Category/Drinks,Gin,,1,Search,8.0000,,,,,',
    ]
    expect(await load(venue, lines)).toMatchObject({
      left: ['rows with the texts of another store view'],
      issues: [],
      found: [
        ['Water', 2, 'W', true],
        ['Old', 2, 'O', false],
        ['Part', 1, 'P', false],
        ['Gin', 8, 'G', true],
      ],
    })
  })

  test('that lacks a variant has an issue: the others would be all that guests can order', async () => {
    const venue = await createVenue()
    const lines = [
      magento,
      'T-S,,Default,simple,,Tea S,,1,Not Visible Individually,3.0000,,,,,',
      'T,,Default,configurable,,Tea,,1,Catalog,,,,,"sku=T-S,size=S|sku=T-L,size=L",size=Size',
      'W,,Default,simple,,Water,,1,Catalog,2.0000,,,,,',
    ]
    const { issues, found } = await load(venue, lines)
    expect(issues).toEqual(['2 configurable_variations not_found'])
    expect(found).toEqual([['Water', 2, 'W', true]])
  })
})

describe('an export of Ecwid', () => {
  test('has variations in rows below their product, and categories in rows of their own', async () => {
    const venue = await createVenue()
    const lines = [
      ecwid,
      'category,,,,,Pizza,,,,,,,,,',
      'product,11,P1,Margherita,9.50,Food / Pizza,true,,,,,,,,',
      'product_option,11,P1,,,,,,Size,SIZE,26 cm,0,,,',
      'product_variation,11,P1,,9.50,,,4,,,,,26 cm,Thin,P1-26',
      'product_variation,11,P1,,12.50,,,4,,,,,32 cm,Thick,P1-32',
      'product_variation,11,P1,,,,,,,,,,36 cm,Thick,',
    ]
    expect(await load(venue, lines)).toEqual({
      preset: 'ecwid',
      questions: [],
      left: ['rows of categories'],
      issues: [],
      found: [
        [
          'Margherita',
          [
            [9.5, 'P1-26'],
            [12.5, 'P1-32'],
            [9.5, undefined],
          ],
          undefined,
          true,
        ],
      ],
      modifiers: [['Size / Crust', '26 cm / Thin', '32 cm / Thick', '36 cm / Thick']],
    })
    expect(await listSections(venue)).toEqual([['Pizza', 1]])
    expect((await load(venue, lines)).found).toHaveLength(1)
  })

  test('has the values of an only option as sizes with surcharges, and names other options', async () => {
    const venue = await createVenue()
    const lines = [
      ecwid,
      'product,12,L1,Latte,3.80,Coffee,true,5,,,,,,,',
      'product_option,12,,,,,,,Milk,RADIO,Cow,0,,,',
      'product_option,,,,,,,,Milk,RADIO,Oat,0.50,,,',
      'product,13,S1,Salad,8,Salads,false,,,,,,,,',
      'product_option,13,S1,,,,,,Extras,CHECKBOX,Nuts,1,,,',
      'product_option,13,S1,,,,,,Extras,CHECKBOX,Egg,1.50,,,',
      'product,14,K1,Soup,5,Salads,true,,,,,,,,',
      'product_option,14,K1,,,,,,Bread,RADIO,White,0,,,',
      'product_option,14,K1,,,,,,Spoon,RADIO,Wood,0,,,',
    ]
    expect(await load(venue, lines)).toMatchObject({
      left: ['options of products without variants are not taken over'],
      issues: [],
      found: [
        [
          'Latte',
          [
            [3.8, undefined],
            [4.3, undefined],
          ],
          undefined,
          true,
        ],
        ['Salad', 8, 'S1', false],
        ['Soup', 5, 'K1', true],
      ],
      modifiers: [['Milk', 'Cow', 'Oat']],
    })
  })
})

describe('an export of WooCommerce in another language', () => {
  test.each([
    [
      'German',
      'ID;Typ;Artikelnummer;Name;Veröffentlicht;Kurzbeschreibung;Regulärer Preis;Angebotspreis;Kategorien;Übergeordnetes Produkt;Attribut 1 Name;Attribut 1 Wert(e)',
    ],
    [
      'French',
      "ID;Type;UGS;Nom;Publié;Description courte;Tarif régulier;Tarif promo;Catégories;Parent;Nom de l'attribut 1;Valeur(s) de l’attribut 1",
    ],
    [
      'Spanish',
      'ID;Tipo;SKU;Nombre;Publicado;Descripción corta;Precio normal;Precio rebajado;Categorías;Superior;Nombre del atributo 1;Valor(es) del atributo 1',
    ],
  ])('joins variations to their product: %s', async (_, header) => {
    const venue = await createVenue()
    const lines = [
      header,
      '1;variable;LAT;Latte;1;Warm;;;Getränke > Kaffee;;Größe;"Klein, Groß"',
      '2;variation;LAT-S;Latte - Klein;1;;3,50;1,00;;LAT;Größe;Klein',
      '3;variation;LAT-L;Latte - Groß;1;;4,50;;;id:1;Größe;Groß',
      '4;simple;TEE;Tee;-1;;2,80;;Getränke;;;',
    ]
    expect(await load(venue, lines)).toEqual({
      preset: 'woocommerce',
      questions: [],
      left: [],
      issues: [],
      found: [
        [
          'Latte',
          [
            [3.5, 'LAT-S'],
            [4.5, 'LAT-L'],
          ],
          undefined,
          true,
        ],
        ['Tee', 2.8, 'TEE', false],
      ],
      modifiers: [['Größe', 'Klein', 'Groß']],
    })
  })
})

test('an export of SumUp names the unit of a price by weight', async () => {
  const venue = await createVenue()
  const lines = [
    'Item name,Variations,Is variation visible? (Yes/No),Price,Unit,SKU',
    'Ham,,,19.90,kg,H',
    'Roll,,,0.60,pcs,R',
    'Oil,,,4.00,500 ml,O',
  ]
  const { left, found } = await load(venue, lines)
  expect(found).toEqual([
    ['Ham', 19.9, 'H', true],
    ['Roll', 0.6, 'R', true],
    ['Oil', 4, 'O', true],
  ])
  expect(left).toEqual(['units of prices other than kilograms and 100 g'])
  const [{ id }] = (await venue.get('/products?order=asc')).body
  expect((await venue.get(`/products/${id}/details`)).body.soldBy).toEqual({ unit: 'kg' })
})
