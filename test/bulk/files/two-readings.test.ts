import { describe, expect, test } from 'vitest'
import { createVenue, type Venue } from '../../support/api.ts'
import { check, importFile, listIssues, settle, upload } from '../../support/imports.ts'

const text = { 'content-type': 'text/plain' }
const auto = 'mapping=auto'

/** Uploads lines, and returns the import when it is checked or asks. */
async function read(venue: Venue, ...lines: string[]) {
  const { status, body } = await upload(venue, auto, `${lines.join('\n')}\n`, text)
  expect(status).toBe(202)
  return body.state === 'checking' ? settle(venue, body.id) : body
}
const listObjects = async (venue: Venue, id: string) =>
  (await venue.get(`/imports/${id}/preview`)).body.map(({ object }: { object: Record<string, unknown> }) => object)

describe('tax rates', () => {
  const lines = [
    'Plu;Artikel;Preis;MwSt',
    '1;Pils 0,5;4,20;0,19',
    '2;Brot;1,50;0,07',
    '3;Spende;1,00;0',
    '4;Sekt;5,00;19',
  ]
  const question = { code: 'tax_rate', column: 'MwSt', samples: ['0,19', '0,07'], choices: ['percent', 'fraction'] }

  test.each([
    ['fraction', [19, 7, 0, 19]],
    ['percent', [0.19, 0.07, 0, 19]],
  ])('below 1 may be fractions: asked, and %s is used for the next file too', async (taxRates, rates) => {
    const venue = await createVenue({ currency: 'EUR' })
    const asked = await read(venue, ...lines)
    expect([asked.state, asked.reading.questions]).toEqual(['asking', [question]])
    await venue.post(`/imports/${asked.id}/mapping`, { taxRates })
    const found = await settle(venue, asked.id)
    expect([
      found.state,
      (await listObjects(venue, asked.id)).map(({ taxRate }: { taxRate: number }) => taxRate),
    ]).toEqual(['ready', rates])
    const next = await read(venue, lines[0] ?? '', '4;Helles;4,00;0,19')
    expect([next.state, next.reading.remembered]).toEqual(['ready', true])
    expect(await listObjects(venue, next.id)).toMatchObject([{ title: 'Helles', taxRate: rates[0] }])
  })

  test.each([
    ['they are 1 or more', ['1', '7']],
    ['they have a percent sign', ['0,5 %', '0,19%']],
    ['all are 0', ['0', '0,0']],
  ])('are percentages if %s', async (_, [first = '', second = '']) => {
    const venue = await createVenue({ currency: 'EUR' })
    const found = await read(venue, 'Artikel;Preis;MwSt', `A;1,50;${first}`, `B;2,50;${second}`)
    expect([found.state, found.reading.questions]).toEqual(['ready', []])
    const [{ taxRate }] = await listObjects(venue, found.id)
    expect(taxRate).toBe(Number.parseFloat(first.replace(',', '.')))
  })
})

describe('several prices', () => {
  test('at the end of a line are those of sizes: the line is left out, and its title keeps no price', async () => {
    const venue = await createVenue({ currency: 'EUR' })
    const found = await read(
      venue,
      ...['Tomatensuppe ....... 4,50 €', 'Rumpfsteak 200g / 300g    19,90 / 26,90 €', 'Cola 0,3 l 3,20 0,5 l 4,20'],
      ...['Riesling 0,75 l 24,50 €', 'Bier 4,8 % 3,90'],
    )
    expect(
      (await listObjects(venue, found.id)).map(({ title, price }: Record<string, unknown>) => [title, price]),
    ).toEqual([
      ['Tomatensuppe', 4.5],
      ['Rumpfsteak 200g / 300g', undefined],
      ['Cola 0,3 l', undefined],
      ['Riesling 0,75 l', 24.5],
      ['Bier 4,8 %', 3.9],
    ])
    const { body: issues } = await venue.get(`/imports/${found.id}/errors`)
    expect(issues.map(({ row, value, message }: Record<string, unknown>) => [row, value, message])).toEqual([
      [2, '19,90 / 26,90 €', expect.stringContaining('give each size a row')],
      [3, '3,20 0,5 l 4,20', 'must be a number'],
    ])
  })

  test('in columns without a name for a size: it is asked which one is the price', async () => {
    const venue = await createVenue({ currency: 'EUR' })
    const asked = await read(venue, 'Getränk;Preis 1;Preis 2;Glas', 'Cola;2,50;4,20;rund', 'Fanta;2,60;4,30;rund')
    const question = { code: 'column', column: 'price', choices: ['Preis 1', 'Preis 2'] }
    expect([asked.state, asked.reading.questions]).toMatchObject(['asking', [question]])
    await venue.post(`/imports/${asked.id}/mapping`, { columns: { 'Preis 2': 'price' } })
    const found = await settle(venue, asked.id)
    expect([found.state, await listObjects(venue, asked.id)]).toMatchObject([
      'ready',
      [
        { title: 'Cola', price: 4.2 },
        { title: 'Fanta', price: 4.3 },
      ],
    ])
  })

  test('are not asked about in a table of keys, which changes only what exists', async () => {
    const venue = await createVenue({ currency: 'EUR' })
    await venue.post('/products', { title: 'Cola', price: 2.5, sku: 'C-1' })
    const found = await check(venue, auto, 'sku;Bestand\nC-1;12\n', text)
    expect([found.state, found.reading.questions]).toEqual(['ready', []])
  })
})

test('products without a category, as merged cells leave them, are counted: no section gets them', async () => {
  const venue = await createVenue({ currency: 'EUR' })
  const found = await read(venue, 'Kategorie;Gericht;Preis', 'Suppen;Tomate;4,50', ';Kürbis;5,00', 'Fisch;Lachs;9,00')
  const notices = found.reading.notices.map(({ code, count }: { code: string; count: number }) => [code, count])
  expect([found.state, found.reading.sections, notices]).toEqual(['ready', 2, [['without_section', 1]]])
  const plain = await read(venue, 'Gericht;Preis', 'Tomate;4,50')
  expect(plain.reading.notices).toEqual([])
})

test('allergens are not taken over, and the notice says where to state them', async () => {
  const venue = await createVenue({ currency: 'EUR' })
  const headings = ['Allergene', 'Alérgenos', 'Аллергены', 'アレルギー', 'Vegan', 'Zusatzstoffe', 'Lagerort']
  const found = await read(venue, `Gericht;Preis;${headings.join(';')}`, 'Kuchen;4,50;a;a;a;a;a;a;a')
  const said = found.reading.notices.map(({ column, message }: Record<string, string>) => [column, message])
  const elsewhere = 'is not taken over: state it in the details of the dishes'
  expect(said).toEqual(headings.map((name) => [name, name === 'Lagerort' ? 'has no place in this service' : elsewhere]))
})

describe('titles', () => {
  test('may be in a column with a heading of descriptions: it is among the choices', async () => {
    const venue = await createVenue({ currency: 'EUR' })
    const asked = await read(venue, 'Plu;Text;Preis;HGBez', '1;Pils;4,20;Bier', '2;Kaffee;2,80;Heiß')
    const question = { code: 'column', column: 'title', samples: [], choices: ['Text', 'HGBez'] }
    expect([asked.state, asked.reading.questions]).toEqual(['asking', [question]])
    await venue.post(`/imports/${asked.id}/mapping`, { columns: { Text: 'title' } })
    expect((await settle(venue, asked.id)).state).toBe('ready')
    expect(await listObjects(venue, asked.id)).toMatchObject([{ title: 'Pils' }, { title: 'Kaffee' }])
  })

  const numbered = ['Artikel;Omschrijving;Prijs', '100;Koffie;2,80', '101;Thee;2,60']
  test('that are all numbers beside texts are asked about', async () => {
    const venue = await createVenue({ currency: 'EUR' })
    const asked = await read(venue, ...numbered)
    const question = { code: 'column', column: 'title', samples: ['100', '101'], choices: ['Omschrijving', 'Artikel'] }
    expect([asked.state, asked.reading.questions]).toEqual(['asking', [question]])
    await venue.post(`/imports/${asked.id}/mapping`, { columns: { Omschrijving: 'title' } })
    const found = await settle(venue, asked.id)
    const outs = found.reading.columns.map(({ name, to }: Record<string, string>) => [name, to])
    expect([found.state, outs[0], await listObjects(venue, asked.id)]).toMatchObject([
      'ready',
      ['Artikel', null],
      [{ title: 'Koffie' }, { title: 'Thee' }],
    ])
  })

  test('that are all numbers are kept if that is chosen', async () => {
    const venue = await createVenue({ currency: 'EUR' })
    const asked = await read(venue, ...numbered)
    await venue.post(`/imports/${asked.id}/mapping`, { columns: { Artikel: 'title' } })
    expect((await settle(venue, asked.id)).state).toBe('ready')
    expect(await listObjects(venue, asked.id)).toMatchObject([
      { title: '100', description: 'Koffie' },
      { title: '101', description: 'Thee' },
    ])
  })
})

test('a file with bars between its cells is read, and a size that two columns name is named once', async () => {
  const venue = await createVenue({ currency: 'EUR' })
  const found = await read(venue, 'Name|Size|Variant|Price', 'Latte|Small|Small|3.50', 'Latte|Large|Large|4.50')
  const { body: rows } = await venue.get(`/imports/${found.id}/preview`)
  expect([found.reading.delimiter, rows[0].sizes]).toEqual([
    '|',
    [
      { label: 'Small', price: 3.5 },
      { label: 'Large', price: 4.5 },
    ],
  ])
})

test('what another system has archived is hidden, and not sold', async () => {
  const venue = await createVenue({ currency: 'USD' })
  const found = await read(venue, 'Item Name,Base Price,Archived', 'Burger,12.00,No', 'Fries,4.00,Yes', 'Soda,2.00,')
  const objects = await listObjects(venue, found.id)
  expect([found.state, objects.map(({ visible }: { visible?: boolean }) => visible)]).toEqual([
    'ready',
    [true, false, undefined],
  ])
})

describe('totals', () => {
  test.each([
    ['the last row', ['Espresso;2,40', 'Latte;3,20', 'Gesamt;700,00'], ['Espresso', 'Latte'], 1],
    ['a last row without a price', ['Espresso;2,40', 'Gesamt:;'], ['Espresso'], 1],
    ['sums of parts', ['A;1,00', 'B;2,00', 'Summe;3,00', 'C;4,00', 'Summe;4,00', 'Total;7,00'], ['A', 'B', 'C'], 3],
    ['no sum, and not last', ['Total;9,00', 'A;1,00', 'Summe;5,00', 'B;2,00'], ['Total', 'A', 'Summe', 'B'], 0],
  ])('are no products: %s', async (_, rows, titles, count) => {
    const venue = await createVenue({ currency: 'EUR' })
    const done = await importFile(venue, auto, `Artikel;Preis\n${rows.join('\n')}\n`, text)
    expect((await venue.get('/products?order=asc')).body.map(({ title }: { title: string }) => title)).toEqual(titles)
    const notices = done.reading.notices.filter(({ code }: { code: string }) => code === 'total_left_out')
    expect(notices.length).toBe(count)
    expect(await listIssues(venue, done.id)).toEqual([])
  })
})

test.each([
  ['SAR', '١٢٫٥٠', 12.5],
  ['SAR', '١٬٢٣٤٫٥', 1234.5],
  ['IRR', '۴۵۰۰۰', 45_000],
  ['THB', '฿๑๒๐', 120],
  ['JPY', '１，２００円', 1200],
  ['INR', '₹१५०', 150],
  ['CHF', '2.-', 2],
  ['CHF', 'Fr. 4.–', 4],
  ['EUR', '3,-- €', 3],
])('a price in %s is read as people write it: %s', async (currency, price, value) => {
  const venue = await createVenue({ currency })
  const found = await read(venue, 'title;price', `A;${price}`)
  expect([found.state, await listObjects(venue, found.id)]).toEqual(['ready', [{ title: 'A', price: value }]])
})
