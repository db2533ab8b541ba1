import { describe, expect, test } from 'vitest'
import { createVenue, type Venue } from '../../support/api.ts'
import { check, importFile, listIssues, settle, toCounts, upload } from '../../support/imports.ts'

const text = { 'content-type': 'text/plain' }
const auto = 'mapping=auto'

const run = (venue: Venue, content: string, query = auto) => importFile(venue, query, content, text)

interface Product {
  id: string
  title: string
  price: number
}
const listProducts = async (venue: Venue) => (await venue.get('/products?order=asc')).body
const pick =
  (...fields: string[]) =>
  (object: Record<string, unknown>) =>
    fields.map((field) => object[field])

/** The menus of a venue with the titles of their products by section. */
async function readMenus(venue: Venue) {
  const products: Product[] = await listProducts(venue)
  const titles = new Map(products.map(({ id, title }) => [id, title]))
  const { body } = await venue.get('/menus')
  return body.map(({ title, sections }: { title: string; sections: { title: string; items: string[] }[] }) => [
    title,
    ...sections.map((section) => [section.title, ...section.items.map((id) => titles.get(id))]),
  ])
}

/** The sizes of a product with their prices. */
async function readSizes(venue: Venue, id: string) {
  const { body } = await venue.get(`/products/${id}/details`)
  if (!body.sizes) return undefined
  const modifier = (await venue.get(`/modifiers/${body.sizes.modifier}`)).body
  return modifier.options.map((option: { id: string; label: string }) => [
    option.label,
    body.sizes.prices[option.id].price,
  ])
}

const loyverse = `Handle,REF,Nombre,Categoria,Descripción,Vendido por peso,Opción 1 nombre,Opción 1 valor,Coste,Codigo de barras,Seguir el Inventario,Disponibles para la venta [Local],Precio [Local],En inventario [Local],"impuesto - ""IVA 10%"" (10%)"
tarta,10260,Tarta,Postres,,N,,,0.00,,N,Y,3.50,,Y
agua,10013,Agua,Bebida,,N,,,0.00,,N,Y,1.50,,Y
otros,10015,Otros,Postres,,N,,,0.00,,N,Y,variable,,N
`

describe('files of other systems', () => {
  test('Loyverse: sections, an issue for a price that is no number, and columns without a place said once', async () => {
    const venue = await createVenue()
    const done = await run(venue, loyverse)
    expect(await listIssues(venue, done.id)).toEqual(['4 Precio [Local] invalid_type'])
    expect((await listProducts(venue)).map(pick('title', 'price', 'sku', 'visible'))).toEqual([
      ['Tarta', 3.5, '10260', true],
      ['Agua', 1.5, '10013', true],
    ])
    expect(await readMenus(venue)).toEqual([['Menu', ['Postres', 'Tarta'], ['Bebida', 'Agua']]])
    expect(done.reading).toMatchObject({ kind: 'csv', preset: 'loyverse', questions: [] })
    expect(done.reading.notices.map(pick('code', 'column', 'count'))).toContainEqual(['column_left_out', 'Coste', 1])
  })

  test('Shopify: variants become sizes, once, also when the file comes again', async () => {
    const venue = await createVenue()
    const file = [
      'Handle,Title,Body (HTML),Type,Published,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty,Variant Price,Image Src,Status',
      'brew,Brew,"<p>Steeped.</p>\n<p><b>Strong</b></p>",Drinks,true,Size,Small,B-S,50,3.50,https://cdn.example/b.png,active',
      'brew,,,,,,Large,B-L,20,4.50,,',
      'soda,Soda,,Drinks,true,Title,Default Title,,100,2.80,https://cdn.example/s.png,active',
      '',
    ].join('\n')
    const first = await run(venue, file)
    expect(await listIssues(venue, first.id)).toEqual([])
    const products = await listProducts(venue)
    expect(products.map(pick('title', 'price', 'description', 'images'))).toEqual([
      ['Brew', 3.5, 'Steeped.\nStrong', [{ url: 'https://cdn.example/b.png' }]],
      ['Soda', 2.8, undefined, [{ url: 'https://cdn.example/s.png' }]],
    ])
    expect(await readSizes(venue, products[0].id)).toEqual([
      ['Small', 3.5],
      ['Large', 4.5],
    ])
    expect(await readSizes(venue, products[1].id)).toBeUndefined()
    const again = await run(venue, file)
    expect(toCounts(again)).toMatchObject({ rows: 2, unchanged: 3 })
    expect((await venue.get('/modifiers')).body).toHaveLength(1)
    expect(await listProducts(venue)).toHaveLength(2)
  })
})

describe('answers', () => {
  const prices = 'title;price\nNasi;15.000\nTeh;5.000\n'

  test('are asked for numbers with two readings, once for the file; before, nothing can be applied', async () => {
    const venue = await createVenue()
    const asked = await upload(venue, auto, prices, text)
    expect([asked.body.state, asked.body.reading.questions]).toEqual([
      'asking',
      [{ code: 'number_format', column: 'price', samples: ['15.000', '5.000'], choices: ['point', 'comma'] }],
    ])
    const { id, revision } = asked.body
    const refused = await venue.post(`/imports/${id}/apply`, undefined)
    expect([refused.status, refused.body.code]).toEqual([409, 'questions_open'])
    const mapped = await venue.post(`/imports/${id}/mapping`, { numberFormat: 'comma', revision })
    expect([mapped.status, mapped.body.state, mapped.body.revision]).toEqual([200, 'checking', revision + 1])
    const stale = await venue.post(`/imports/${id}/mapping`, { numberFormat: 'point', revision })
    expect([stale.status, stale.body.code]).toEqual([409, 'mapping_changed'])
    const ready = await settle(venue, id)
    expect([ready.state, ready.check.creates]).toEqual(['ready', 2])
    expect((await venue.get(`/imports/${id}/preview`)).body.map(pick('row', 'object'))).toEqual([
      [2, { title: 'Nasi', price: 15000 }],
      [3, { title: 'Teh', price: 5000 }],
    ])
    await venue.post(`/imports/${id}/apply`, undefined)
    expect((await settle(venue, id)).state).toBe('done')
    expect((await listProducts(venue)).map(pick('price'))).toEqual([[15000], [5000]])
    expect((await venue.post(`/imports/${id}/mapping`, {})).body.code).toBe('conflict')
  })

  test('a mapping chooses columns, without another upload, and replaces the rows of the last one', async () => {
    const venue = await createVenue()
    const ready = await check(venue, auto, 'Gericht;Preis;Herkunft\nTee;2,50;Assam\n', text)
    expect(ready.reading.columns.map(pick('name', 'to', 'how', 'samples'))).toEqual([
      ['Gericht', 'title', 'synonym', ['Tee']],
      ['Preis', 'price', 'synonym', ['2,50']],
      ['Herkunft', null, 'left_out', ['Assam']],
    ])
    await venue.post(`/imports/${ready.id}/mapping`, { columns: { Herkunft: 'metadata.Origin' } })
    const again = await settle(venue, ready.id)
    expect([again.state, again.rows, again.checked]).toEqual(['ready', 1, 1])
    await venue.post(`/imports/${ready.id}/apply`, undefined)
    expect(toCounts(await settle(venue, ready.id))).toMatchObject({ created: 1, applied: 1 })
    expect((await listProducts(venue)).map(pick('title', 'price', 'metadata'))).toEqual([
      ['Tee', 2.5, [{ key: 'Origin', value: 'Assam' }]],
    ])
  })

  test('a file of another kind is named', async () => {
    const venue = await createVenue()
    const pdf = await upload(venue, auto, '%PDF-1.7 …', text)
    expect([pdf.status, pdf.body.code, pdf.body.detail]).toEqual([
      422,
      'unsupported_file',
      expect.stringContaining('is a PDF'),
    ])
    expect((await venue.get('/imports')).body).toEqual([])
  })
})

describe('match=auto', () => {
  const find = async (venue: Venue, content: string) => {
    const done = await run(venue, content)
    return [await listIssues(venue, done.id), (await listProducts(venue)).map(pick('title', 'price', 'sku'))]
  }

  test('a file that comes twice creates nothing the second time, by SKU or by title', async () => {
    const venue = await createVenue()
    await run(venue, 'title,price,sku\nEspresso,2.00,A-1\nLatte,3.50,\n')
    expect(await find(venue, 'title,price,sku\nEspresso doppio,2.50,A-1\nLatte,4.50,\n')).toEqual([
      [],
      [
        ['Espresso doppio', 2.5, 'A-1'],
        ['Latte', 4.5, undefined],
      ],
    ])
  })

  test('a key that finds several objects, or that several rows have, is ambiguous', async () => {
    const venue = await createVenue()
    await venue.post('/products', { title: 'Tea', price: 1, sku: 'T' })
    await venue.post('/products', { title: 'Tea', price: 2, sku: 'T' })
    await venue.post('/products', { title: 'Cake', price: 3, sku: 'C' })
    const ready = await check(venue, auto, 'title,price,sku\nBlack,1.20,T\nTea,1.20,\nCake,4,C-2\nX,1,C\nY,1,C\n', text)
    expect(await listIssues(venue, ready.id)).toEqual([
      '2 sku ambiguous',
      '3 title ambiguous',
      '4 title ambiguous',
      '5 sku ambiguous',
      '6 sku ambiguous',
    ])
    expect(ready.state).toBe('failed')
  })

  test('an old file with one new price leaves the stock alone, also if the venue trades', async () => {
    const venue = await createVenue()
    await venue.post('/products', { title: 'Tea', price: 1, sku: 'T', manageStock: true, stockQuantity: 3 })
    const done = await run(venue, 'title,price,sku,stock\nTea,1.50,T,10\n')
    expect([done.check.changes, done.notices.map(pick('code', 'field'))]).toEqual([
      { price: { up: 1, down: 0 } },
      [['counter_kept', 'stockQuantity']],
    ])
    expect((await listProducts(venue)).map(pick('price', 'stockQuantity'))).toEqual([[1.5, 3]])
  })

  test('a menu keeps where its products are, and a product its other modifiers', async () => {
    const venue = await createVenue()
    const milk = (await venue.post('/modifiers', { title: 'Milk', instructions: '' })).body.id
    const latte = (await venue.post('/products', { title: 'Latte', price: 3, modifiers: [milk] })).body.id
    await venue.post('/menus', { title: 'Day', sections: [{ title: 'Favourites', items: [latte] }] })
    await run(venue, 'title,price,category,size\nLatte,3,Hot,S\nLatte,4,Hot,L\nTea,2,Hot,\n', `${auto}&menu=Day`)
    expect(await readMenus(venue)).toEqual([['Day', ['Favourites', 'Latte'], ['Hot', 'Tea']]])
    expect((await venue.get(`/products/${latte}`)).body.modifiers).toEqual([milk, expect.any(String)])
  })
})
