import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { readXlsx } from '../../../src/bulk/files/sheet/read-xlsx.ts'
import { createVenue } from '../../support/api.ts'
import { check, importFile, listIssues, upload } from '../../support/imports.ts'

const any = { 'content-type': 'application/octet-stream' }

interface Book {
  sheet: string
  shared?: string
  styles?: string
  workbook?: string
}

/** A spreadsheet with the sheets "Hidden" and "Menu", of which the second one has cells. */
const createBook = ({ sheet, shared = '', styles = '', workbook = '' }: Book) =>
  zipSync({
    'xl/worksheets/sheet1.xml': strToU8(
      '<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>',
    ),
    'xl/worksheets/sheet2.xml': strToU8(`<worksheet><sheetData>${sheet}</sheetData></worksheet>`),
    'xl/workbook.xml': strToU8(
      `<workbook>${workbook}<sheets><sheet name="Hidden" state="hidden" r:id="a"/><sheet name="Menu" r:id="b"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      '<Relationships><Relationship Id="a" Target="worksheets/sheet1.xml"/><Relationship Id="b" Target="/xl/worksheets/sheet2.xml"/></Relationships>',
    ),
    'xl/sharedStrings.xml': strToU8(`<sst>${shared}</sst>`),
    'xl/styles.xml': strToU8(`<styleSheet>${styles}</styleSheet>`),
  })

const texts =
  '<si><t>Bezeichnung</t></si><si><t>Preis</t></si><si><t>MwSt</t></si><si><r><t>Kä</t></r><r><t xml:space="preserve">se &amp; Brot</t></r></si>'
const header = '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c><c r="C2" t="s"><v>2</v></c></row>'
const styles =
  '<numFmts><numFmt numFmtId="170" formatCode="dd.mm.yy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="170"/></cellXfs>'
const rowOf = (cells: string, row = 3) => `<row r="${row}">${cells}</row>`

test('a spreadsheet is read: shared texts, numbers with three decimals, percentages, formulas with their last value', async () => {
  const venue = await createVenue()
  const sheet =
    header +
    rowOf('<c r="A3" t="s"><v>3</v></c><c r="B3"><f>1+0.234</f><v>1.234</v></c><c r="C3" s="1"><v>0.07</v></c>')
  const done = await importFile(venue, 'mapping=auto', createBook({ sheet, shared: texts, styles }), any)
  expect([done.reading.kind, done.reading.questions, await listIssues(venue, done.id)]).toEqual(['xlsx', [], []])
  expect((await venue.get('/products')).body).toEqual([
    expect.objectContaining({ title: 'Käse & Brot', price: 1.234, taxRate: 7, useCustomTaxRate: true }),
  ])
})

test('a date as a price and a formula without a value are issues', async () => {
  const venue = await createVenue()
  const sheet =
    header +
    rowOf('<c r="A3" t="s"><v>3</v></c><c r="B3" s="2"><v>45780</v></c>') +
    rowOf('<c r="A4" t="s"><v>3</v></c><c r="B4"><f>A1*2</f></c>', 4)
  const ready = await check(venue, 'mapping=auto', createBook({ sheet, shared: texts, styles }), any)
  expect(await listIssues(venue, ready.id)).toEqual(['3 Preis damaged_by_spreadsheet', '4 required'])
})

describe('a sheet', () => {
  test('that is hidden is read by its name only', () => {
    const book = createBook({ sheet: header, shared: texts })
    expect(readXlsx(book, undefined, 10)).toEqual({
      rows: [{ row: 2, raw: ['Bezeichnung', 'Preis', 'MwSt'] }],
      sheet: 'Menu',
      sheets: ['Menu'],
    })
    expect(readXlsx(book, 'Hidden', 10).rows).toEqual([{ row: 1, raw: ['1'] }])
    expect(() => readXlsx(book, 'None', 10)).toThrow('has no sheet "None"')
  })
  test('with dates from 1904 has them four years later', () => {
    const sheet = '<row r="1"><c r="A1" s="2"><v>0</v></c></row>'
    const read = (workbook: string) => readXlsx(createBook({ sheet, styles, workbook }), undefined, 10).rows[0]?.raw
    expect([read(''), read('<workbookPr date1904="1"/>')]).toEqual([['1899-12-30'], ['1904-01-01']])
  })
  test('with a cell far to the right keeps its rows short', () => {
    const sheet = header + rowOf('<c r="A3"><v>1</v></c><c r="XFD3"><v>2</v></c>')
    expect(readXlsx(createBook({ sheet, shared: texts }), undefined, 10).rows[1]?.raw).toEqual(['1', '', '', '2'])
  })
})

test('a spreadsheet that unpacks to more than 64 MiB is rejected while it is unpacked, and an archive of other files too', async () => {
  const venue = await createVenue()
  const bomb = createBook({ sheet: `${header}${`<!--${' '.repeat(99_993)}-->`.repeat(680)}`, shared: texts })
  expect(bomb.length).toBeLessThan(100_000)
  const large = await upload(venue, 'mapping=auto', bomb, any)
  expect([large.status, large.body.code]).toEqual([413, 'body_too_large'])
  const other = await upload(venue, 'mapping=auto', zipSync({ 'a.txt': strToU8('x') }), any)
  expect([other.status, other.body.detail]).toEqual([422, expect.stringContaining('is a zip file')])
  for (const [name, is] of [
    ['content.xml', 'an OpenDocument file'],
    ['word/document.xml', 'a Word document'],
    ['xl/workbook.bin', 'a binary Excel file'],
  ] as const) {
    const archive = zipSync({ mimetype: strToU8('x'), [name]: strToU8('x') })
    expect((await upload(venue, 'mapping=auto', archive, any)).body.detail).toContain(is)
  }
  expect((await venue.get('/imports')).body).toEqual([])
})

test('an import with the rows of an erased person continues without them', async () => {
  const venue = await createVenue()
  const file = 'Vorname,Nachname,E-Mail\nAda,Lovelace,ada@example.com\nAlan,Turing,alan@example.com\n'
  await importFile(venue, 'mapping=auto', file, any)
  const ready = await check(venue, 'mapping=auto', file, any)
  const ada = (await venue.get('/customers')).body.find(({ firstName }: { firstName: string }) => firstName === 'Ada')
  expect((await venue.post(`/customers/${ada.id}/erase`, undefined)).status).toBe(200)
  await venue.post(`/imports/${ready.id}/apply`, undefined)
  await expect.poll(async () => (await venue.get(`/imports/${ready.id}`)).body.state, { timeout: 10_000 }).toBe('done')
  expect(JSON.stringify((await venue.get(`/imports/${ready.id}`)).body)).not.toContain('ada@example.com')
})

test.each([0, 1, 5, 18])('headings below %s short rows keep all of their columns', async (above) => {
  const venue = await createVenue()
  const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
  const short = Array.from({ length: above }, (_, index) =>
    rowOf(index === 0 ? '<c r="A1"><v>761123456</v></c>' : text(`A${index + 1}`, `Line ${index}`), index + 1),
  )
  const first = above + 1
  const columns = ['Artikel', 'Art.-Nr.', 'Preis', 'Beschreibung']
  const names = columns.map((name, index) => text(`${'ABCD'[index]}${first}`, name)).join('')
  const dish = `${text(`A${first + 1}`, 'Tea')}${text(`B${first + 1}`, '007')}<c r="C${first + 1}"><v>3.5</v></c>${text(`D${first + 1}`, 'hot')}`
  const book = createBook({ sheet: short.join('') + rowOf(names, first) + rowOf(dish, first + 1) })
  const done = await importFile(venue, 'mapping=auto', book, any)
  expect([done.rows, await listIssues(venue, done.id)]).toEqual([1, []])
  expect((await venue.get('/products')).body).toMatchObject([
    { title: 'Tea', sku: '007', price: 3.5, description: 'hot' },
  ])
})

test('a spreadsheet with several sheets names those that are not read, and each can be read by its name', async () => {
  const venue = await createVenue()
  const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
  const sheetOf = (title: string) =>
    strToU8(
      `<worksheet><sheetData>${rowOf(text('A1', 'Artikel') + text('B1', 'Preis'), 1)}${rowOf(`${text('A2', title)}<c r="B2"><v>3.5</v></c>`, 2)}</sheetData></worksheet>`,
    )
  const book = zipSync({
    'xl/workbook.xml': strToU8(
      '<workbook><sheets><sheet name="Notes" state="hidden" r:id="c"/><sheet name="Speisen" r:id="a"/><sheet name="Getränke" r:id="b"/></sheets></workbook>',
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      '<Relationships><Relationship Id="a" Target="worksheets/a.xml"/><Relationship Id="b" Target="worksheets/b.xml"/><Relationship Id="c" Target="worksheets/c.xml"/></Relationships>',
    ),
    'xl/worksheets/a.xml': sheetOf('Suppe'),
    'xl/worksheets/b.xml': sheetOf('Cola'),
    'xl/worksheets/c.xml': sheetOf('Note'),
  })
  const first = await importFile(venue, 'mapping=auto', book, any)
  expect([first.reading.sheets, first.reading.notices]).toEqual([
    ['Speisen', 'Getränke'],
    [{ code: 'sheets_left_out', count: 1, message: 'only the sheet "Speisen" is read, not "Getränke"' }],
  ])
  const second = await importFile(venue, `mapping=auto&sheet=${encodeURIComponent('Getränke')}`, book, any)
  expect(second.reading.notices).toEqual([])
  expect((await venue.get('/products?order=asc')).body.map(({ title }: { title: string }) => title)).toEqual([
    'Suppe',
    'Cola',
  ])
})
