import { describe, expect, test } from 'vitest'
import { createVenue, type Venue } from '../../support/api.ts'
import { check, importFile, listIssues, settle, upload } from '../../support/imports.ts'

const text = { 'content-type': 'text/plain' }
const auto = 'mapping=auto'

const listProducts = async (venue: Venue) =>
  (await venue.get('/products?order=asc')).body.map(({ title, price }: { title: string; price: number }) => [
    title,
    price,
  ])

/** The sections of the only menu, with the titles of their products. */
async function listSections(venue: Venue) {
  const products = (await venue.get('/products')).body
  const titles = new Map(products.map(({ id, title }: { id: string; title: string }) => [id, title]))
  const [menu] = (await venue.get('/menus')).body
  return menu?.sections.map(({ title, items }: { title: string; items: string[] }) => [
    title,
    ...items.map((id) => titles.get(id)),
  ])
}
const codes = ({ reading }: { reading: { notices: { code: string }[] } }) => reading.notices.map(({ code }) => code)

describe('a price list', () => {
  test('has a title, an address and empty rows above its headings', async () => {
    const venue = await createVenue()
    const list = 'Café Linde;;\nPreise ab 1.3.2026;;\n;;\nArtikel;Größe;Preis\nEspresso;;2,40\n;;\nTee;;3,10\n'
    const done = await importFile(venue, auto, list, text)
    expect(await listIssues(venue, done.id)).toEqual([])
    expect(await listProducts(venue)).toEqual([
      ['Espresso', 2.4],
      ['Tee', 3.1],
    ])
    expect(codes(done)).toEqual(['rows_above', 'rows_above'])
    expect(done.rows).toBe(2)
  })

  test.each([
    ['a telephone number', '0761 123456;;\n'],
    ['a name and a telephone number', 'Telefon;0761 / 12 34 56;\n'],
    ['the name of the owner', 'Name;Café Linde;\nE-Mail;info@linde.example;\n'],
    ['a date', 'Stand;01.03.2026;\nInhaber;Max Linde;\n'],
    ['a word that heads columns elsewhere', 'Preisliste;;\nSpeise;;\n'],
  ])('begins with %s', async (_, above) => {
    const venue = await createVenue()
    const list = `${above}Artikel;Preis;Beschreibung\nEspresso;2,40;kurz\nTee;3,10;lang\n`
    const done = await importFile(venue, auto, list, text)
    expect(await listProducts(venue)).toEqual([
      ['Espresso', 2.4],
      ['Tee', 3.1],
    ])
    expect(new Set(codes(done))).toEqual(new Set(['rows_above']))
  })

  test('has a title above headings that nobody knows: it is asked which is which', async () => {
    const venue = await createVenue()
    const list = 'Café Linde;;\nTel. 0761 123456;;\nWas;Wie;Wieviel\nEspresso;kurz;2,40\nTee;lang;3,10\n'
    const { body: asked } = await upload(venue, auto, list, text)
    expect([asked.rows, asked.reading.questions]).toMatchObject([
      2,
      [
        { code: 'column', column: 'title', choices: ['Was', 'Wie'] },
        { code: 'column', column: 'price', choices: ['Wieviel'] },
      ],
    ])
  })

  test('has a title and no headings: the title is left out, and that of a section stays', async () => {
    const venue = await createVenue()
    const list = 'Café Linde;\n0761 123456;\n;\nHeiß;\nEspresso;2,40\nKalt;\nCola;3,10\n'
    const { body: asked } = await upload(venue, auto, list, text)
    expect([codes(asked), asked.reading.questions]).toMatchObject([
      ['rows_above', 'rows_above', 'no_headings'],
      [{ code: 'title_rows', samples: ['Heiß', 'Kalt'] }],
    ])
  })

  test('has no headings: no row is lost', async () => {
    const venue = await createVenue()
    const done = await importFile(venue, auto, 'Espresso;2,40\nTee;3,10\n', text)
    expect(await listProducts(venue)).toEqual([
      ['Espresso', 2.4],
      ['Tee', 3.1],
    ])
    expect(codes(done)).toEqual(['no_headings'])
  })

  test('with a heading and one column keeps its titles whole', async () => {
    const venue = await createVenue()
    const { body } = await upload(venue, `${auto}&resource=products`, 'Artikel\nCola 0,50\nWasser 0,75\n', text)
    const shown = (await venue.get(`/imports/${body.id}/preview`)).body
    expect(shown.map(({ object }: { object: object }) => object)).toEqual([
      { title: 'Cola 0,50' },
      { title: 'Wasser 0,75' },
    ])
  })

  test('is a text with a price at the end of each line', async () => {
    const venue = await createVenue()
    const lines =
      'Café Linde\n0761 123456\n\nHeiß\nEspresso 2,40\nTee ....... 3,10 €\nKalt\nCola 0,5 l 3,10\nWasser €2.00\n'
    const { body: asked } = await upload(venue, auto, lines, text)
    expect(asked.reading.questions).toMatchObject([{ code: 'title_rows', samples: ['Heiß', 'Kalt'] }])
    await venue.post(`/imports/${asked.id}/mapping`, { titleRows: 'sections' })
    await settle(venue, asked.id)
    await venue.post(`/imports/${asked.id}/apply`, undefined)
    await settle(venue, asked.id)
    expect(await listProducts(venue)).toEqual([
      ['Espresso', 2.4],
      ['Tee', 3.1],
      ['Cola 0,5 l', 3.1],
      ['Wasser', 2],
    ])
    expect(await listSections(venue)).toEqual([
      ['Heiß', 'Espresso', 'Tee'],
      ['Kalt', 'Cola 0,5 l', 'Wasser'],
    ])
  })

  test('has no headings and several columns: it is asked, with the letters of a spreadsheet', async () => {
    const venue = await createVenue()
    const { body: asked } = await upload(venue, auto, '1;Espresso;Arabica;2,40\n2;Tee;Assam;3,10\n', text)
    expect([asked.state, asked.reading.questions]).toMatchObject([
      'asking',
      [
        { code: 'column', column: 'title', choices: ['B', 'C'] },
        { code: 'column', column: 'price', choices: ['A', 'D'] },
      ],
    ])
    const columns = { B: 'title', C: 'description', D: 'price' }
    const mapped = await venue.post(`/imports/${asked.id}/mapping`, { columns })
    expect([mapped.status, codes(mapped.body)]).toEqual([200, ['no_headings', 'column_left_out']])
    expect((await settle(venue, asked.id)).state).toBe('ready')
    await venue.post(`/imports/${asked.id}/apply`, undefined)
    await settle(venue, asked.id)
    expect(await listProducts(venue)).toEqual([
      ['Espresso', 2.4],
      ['Tee', 3.1],
    ])
  })

  const printed = 'Artikel;Preis\nHeiße Getränke;\nEspresso;2,40\nTee;3,10\nKuchen;\nApfelkuchen;3,50\n'

  test('has titles of sections between its products: it is asked, once for the file', async () => {
    const venue = await createVenue()
    const { body: asked } = await upload(venue, auto, printed, text)
    expect([asked.state, asked.reading.questions]).toEqual([
      'asking',
      [{ code: 'title_rows', samples: ['Heiße Getränke', 'Kuchen'], choices: ['sections', 'products'] }],
    ])
    await venue.post(`/imports/${asked.id}/mapping`, { titleRows: 'sections' })
    expect(await settle(venue, asked.id)).toMatchObject({ state: 'ready', failed: 0 })
    await venue.post(`/imports/${asked.id}/apply`, undefined)
    await settle(venue, asked.id)
    expect(await listSections(venue)).toEqual([
      ['Heiße Getränke', 'Espresso', 'Tee'],
      ['Kuchen', 'Apfelkuchen'],
    ])
  })

  test('has titles of sections, and products whose sizes are below them', async () => {
    const venue = await createVenue()
    const list = 'Artikel;Größe;Preis\nKaffee;;\nEspresso;;2,40\nLatte;;\n;S;3,20\n;L;4,20\nKuchen;;\nTorte;;4,50\n'
    const { body: asked } = await upload(venue, auto, list, text)
    expect(asked.reading.questions).toMatchObject([{ code: 'title_rows', samples: ['Kaffee', 'Kuchen'] }])
    await venue.post(`/imports/${asked.id}/mapping`, { titleRows: 'sections' })
    await settle(venue, asked.id)
    await venue.post(`/imports/${asked.id}/apply`, undefined)
    await settle(venue, asked.id)
    expect(await listSections(venue)).toEqual([
      ['Kaffee', 'Espresso', 'Latte'],
      ['Kuchen', 'Torte'],
    ])
  })

  test('has rows without a price that are products: they are issues', async () => {
    const venue = await createVenue()
    const { body: asked } = await upload(venue, auto, printed, text)
    await venue.post(`/imports/${asked.id}/mapping`, { titleRows: 'products' })
    const ready = await settle(venue, asked.id)
    expect([ready.state, await listIssues(venue, ready.id)]).toEqual([
      'ready',
      ['2 Preis required', '5 Preis required'],
    ])
  })

  test('with products that only lack a price asks nothing', async () => {
    const venue = await createVenue()
    const ready = await check(venue, auto, 'Artikel;Preis\nTee;3,10\nSuppe;\nEintopf;\n', text)
    expect([ready.state, ready.reading.questions]).toEqual(['ready', []])
  })
})

describe('a table without a column for the price', () => {
  const rows = 'Category;Product;Original Price;Quantity\nHot;Espresso;2,40;30 ml\nHot;Latte;3,40;200 ml\n'

  test('asks which column it is, if some mention one', async () => {
    const venue = await createVenue()
    const { body } = await upload(venue, auto, rows, text)
    expect([body.state, body.reading.questions]).toEqual([
      'asking',
      [{ code: 'column', column: 'price', samples: [], choices: ['Original Price'] }],
    ])
    const mapped = await venue.post(`/imports/${body.id}/mapping`, { columns: { 'Original Price': 'price' } })
    expect(mapped.body.reading.questions).toEqual([])
    const ready = await settle(venue, body.id)
    expect([ready.state, await listIssues(venue, body.id)]).toEqual(['ready', []])
    // A text is no stock.
    expect(ready.reading.columns.at(-1)).toMatchObject({ name: 'Quantity', to: null, how: 'left_out' })
  })

  test('is answered by leaving the column out too, and asks nothing if none mentions a price', async () => {
    const venue = await createVenue()
    const { body } = await upload(venue, auto, rows, text)
    const left = await venue.post(`/imports/${body.id}/mapping`, { columns: { 'Original Price': null } })
    expect(left.body.reading.questions).toEqual([])
    const { body: plain } = await upload(venue, auto, 'SKU;Artikel\nA;Tee\n', text)
    expect(plain.reading.questions).toEqual([])
  })
})
