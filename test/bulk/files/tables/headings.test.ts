import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { createVenue } from '../../../support/api.ts'
import { importFile, listIssues, settle, upload } from '../../../support/imports.ts'

const text = { 'content-type': 'text/plain' }
const auto = 'mapping=auto'

/** Checks a file, and returns what its columns become, its questions, its issues and what is left out. */
async function read(file: BodyInit, venue?: Awaited<ReturnType<typeof createVenue>>) {
  const own = venue ?? (await createVenue())
  const { body } = await upload(own, auto, file, text)
  const { id, reading } = await settle(own, body.id)
  const columns: { name: string; to: string | null }[] = reading.columns
  return {
    columns: Object.fromEntries(columns.flatMap(({ name, to }) => (to === null ? [] : [[name, to]]))),
    questions: reading.questions.map(({ column, choices }: { column: string; choices: string[] }) => [
      column,
      ...choices,
    ]),
    left: reading.notices.map(({ code, column }: Record<string, string>) => [code, column].filter(Boolean).join(' ')),
    issues: await listIssues(own, id),
  }
}

const names = ['A', 'B', 'C', 'D', 'E', 'F']

/** A spreadsheet with texts and numbers in its cells. */
function createSheet(rows: readonly (readonly (string | number)[])[]) {
  const toCell = (value: string | number, reference: string) =>
    typeof value === 'number'
      ? `<c r="${reference}"><v>${value}</v></c>`
      : `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`
  const lines = rows.map((cells, index) => {
    const inside = cells.map((value, column) => (value === '' ? '' : toCell(value, `${names[column]}${index + 1}`)))
    return `<row r="${index + 1}">${inside.join('')}</row>`
  })
  return zipSync({
    'xl/workbook.xml': strToU8('<workbook><sheets><sheet name="Preise" r:id="a"/></sheets></workbook>'),
    'xl/_rels/workbook.xml.rels': strToU8(
      '<Relationships><Relationship Id="a" Target="worksheets/sheet1.xml"/></Relationships>',
    ),
    'xl/worksheets/sheet1.xml': strToU8(`<worksheet><sheetData>${lines.join('')}</sheetData></worksheet>`),
  })
}

describe('a table whose headings are incomplete', () => {
  test('has titles in a column without a heading, the only one with texts', async () => {
    const sheet = createSheet([
      ['', 'Preisliste'],
      ['', '', 'Menge', 'Preis'],
      ['', 'Cola', 0.33, 2],
      ['', 'Bier', 0.5, 4],
    ])
    expect(await read(sheet)).toEqual({
      columns: { B: 'title', Preis: 'price' },
      questions: [],
      // Contents such as 0.33 are no stock.
      left: ['rows_above', 'column_left_out Menge'],
      issues: [],
    })
  })

  test('can have the names of columns without a heading in a mapping', async () => {
    const venue = await createVenue()
    const { body: asked } = await upload(venue, auto, ';Preis;;MwSt\nCola;2,40;kalt;19\nTee;3,10;warm;19\n', text)
    expect(asked.reading.questions).toMatchObject([{ column: 'title', choices: ['A', 'C'] }])
    const { status } = await venue.post(`/imports/${asked.id}/mapping`, { columns: { A: 'title', C: 'description' } })
    expect(status).toBe(200)
  })

  test('has notes beside it in a spreadsheet, which are left out', async () => {
    const sheet = createSheet([
      ['Name', 'Preis'],
      ['Cola', 2, 'new'],
      ['Bier', 4],
    ])
    expect(await read(sheet)).toMatchObject({ left: ['column_left_out C'], issues: [] })
  })

  test('has more cells in most rows of a text: they are a column', async () => {
    expect(await read('Name;Preis\nCola;2,40;x\nTee;3,10;y\nBier;4,10;z\n')).toMatchObject({
      left: ['column_left_out C'],
      issues: [],
    })
    // One row with another count is damaged.
    expect(await read('Name;Preis\nCola;2,40\nTee;3,10\nBier;4;10\n')).toMatchObject({ issues: ['4 too_many'] })
  })

  test('has the second half of its headings in the next row', async () => {
    const list =
      'Waren;;je;Preis;Bestell-\ngruppe;Artikelbezeichnung;;Euro;menge\nGemüse;Möhren;kg;2,80;\nEier;Ei;St;0,55;\n'
    expect(await read(list)).toMatchObject({
      columns: {
        Warengruppe: 'category',
        Artikelbezeichnung: 'title',
        je: 'priceUnit',
        Preis: 'price',
      },
      questions: [],
      issues: [],
    })
  })
})

describe('headings', () => {
  test.each([
    ['Nom de l’article,Code EAN,TTC,Catégories', ['title', 'upc', 'price', 'category']],
    ['品項,分類,價格', ['title', 'category', 'price']],
    ['Имя,Базовая цена,Категории', ['title', 'price', 'category']],
    ['Item,Valor,Categoria', ['title', 'price', 'category']],
    ['Name,Base Price,GTINs,Image Links,Category 1', ['title', 'price', 'upc', 'images', 'category']],
    ['Artikeltext1,Artikelgruppe,VKPreis', ['title', 'category', 'price']],
    ['Name,Preis,is_available,Bild 1,Bild 2', ['title', 'price', 'visible', 'images', 'images']],
  ])('are known: %s', async (header, targets) => {
    const values: Readonly<Record<string, string>> = { price: '2.40', upc: '4006381333931', visible: 'yes' }
    const cells = targets.map((target, index) => values[target] ?? `https://example.com/${index}`)
    const { columns } = await read(`${header}\n${cells.join(',')}\n`)
    expect(Object.values(columns)).toEqual(targets)
  })

  test.each([
    ['Name;Regular price;Sale price', 'price', ['Regular price', 'Sale price']],
    ['Name;Preis 1;Preis 2', 'price', ['Preis 1', 'Preis 2']],
    ['Name 1;Name;Preis', 'title', ['Name 1', 'Name']],
  ])('with two readings are asked about: %s', async (header, column, choices) => {
    const { questions } = await read(`${header}\nCola;2,40;1,20\n`)
    expect(questions).toEqual([[column, ...choices]])
  })

  test('with titles in two languages are asked about, and nothing else', async () => {
    const list = 'name_el,name_en,price,pop\nΨωμί,Bread,0.50,3\nΤυρί,Cheese,4.00,9\n'
    expect((await read(list)).questions).toEqual([['title', 'name_el', 'name_en']])
  })

  test('of numbers of articles are not taken for titles because one cell is a text', async () => {
    const list = 'Artikel;Text;Preis\n100;Cola;2,40\n101;Tee;3,10\nneu;Bier;4,10\n'
    expect((await read(list)).questions).toEqual([['title', 'Text', 'Artikel']])
  })
})

test('pictures without an address are left out, and their products stay', async () => {
  const venue = await createVenue()
  const list =
    'name,price,image\nCola,2.40,./img/cola.jpg\nTea,3.10,images/tea.png|https://example.com/tea.png\nBeer,4.10,no picture\n'
  const done = await importFile(venue, auto, list, text)
  expect(await listIssues(venue, done.id)).toEqual([])
  expect(done.reading.notices).toMatchObject([{ code: 'part_left_out', column: 'image', count: 3 }])
  const products = (await venue.get('/products?order=asc')).body
  expect(products.map(({ images }: { images: { url: string }[] }) => images.map(({ url }) => url))).toEqual([
    [],
    ['https://example.com/tea.png'],
    [],
  ])
})
