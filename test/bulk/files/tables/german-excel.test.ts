import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { createVenue, type Venue } from '../../../support/api.ts'
import { check, importFile, listIssues, settle, upload } from '../../../support/imports.ts'

const any = { 'content-type': 'application/octet-stream' }
const auto = 'mapping=auto'

interface Row {
  cells: readonly string[]
  isHidden?: boolean
}

/** A spreadsheet whose cells are given as XML without their references. Empty ones are left out. */
function createBook(rows: readonly Row[], after = '') {
  const lines = rows.map(({ cells, isHidden }, index) => {
    const inside = cells.map((cell, column) =>
      cell === '' ? '' : cell.replace('<c', `<c r="${String.fromCharCode(65 + column)}${index + 1}"`),
    )
    return `<row r="${index + 1}"${isHidden ? ' hidden="1"' : ''}>${inside.join('')}</row>`
  })
  return zipSync({
    'xl/workbook.xml': strToU8(
      '<workbook><sheets><sheet name="Alt" state="veryHidden" r:id="b"/><sheet name="Karte" r:id="a"/></sheets></workbook>',
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      '<Relationships><Relationship Id="a" Target="worksheets/sheet1.xml"/><Relationship Id="b" Target="worksheets/sheet2.xml"/></Relationships>',
    ),
    'xl/worksheets/sheet1.xml': strToU8(`<worksheet><sheetData>${lines.join('')}</sheetData>${after}</worksheet>`),
    'xl/worksheets/sheet2.xml': strToU8(
      '<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>',
    ),
  })
}

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const number = (value: number) => `<c><v>${value}</v></c>`

const listProducts = async (venue: Venue) =>
  (await venue.get('/products?order=asc')).body.map(({ title, price }: { title: string; price: number }) => [
    title,
    price,
  ])

describe('a spreadsheet as people keep it', () => {
  test('has a title, an empty column, merged cells, numbers as texts, subtotals and hidden rows', async () => {
    const venue = await createVenue()
    const book = createBook(
      [
        { cells: [text('Speisekarte ab 01.12.2026')] },
        { cells: [] },
        { cells: [text('Warengruppe'), '', text('Bezeichnung'), text('Preis brutto'), text('MwSt')] },
        { cells: [text('Getränke'), '', text('Cola'), text('3,20 €'), text('19 %')] },
        { cells: ['', '', text('Wein'), text('1.234,50 €'), text('19 %')] },
        { cells: ['', '', text('Summe'), number(1237.7), ''] },
        { cells: [text('Speisen'), '', text('Suppe'), number(5.5), text('7 %')], isHidden: true },
        { cells: ['', '', text('Brot'), '<c><f>D4*2</f></c>', text('7 %')] },
      ],
      '<mergeCells><mergeCell ref="A4:A5"/><mergeCell ref="A7:A8"/></mergeCells>',
    )
    const done = await importFile(venue, auto, book, any)
    expect(await listIssues(venue, done.id)).toEqual(['8 required'])
    expect(await listProducts(venue)).toEqual([
      ['Cola', 3.2],
      ['Wein', 1234.5],
      // A filter hides rows for a while: they are read and counted.
      ['Suppe', 5.5],
    ])
    const codes = done.reading.notices.map(({ code }: { code: string }) => code)
    expect(codes).toEqual(['rows_above', 'hidden_rows', 'total_left_out', 'without_section'])
  })

  test('has dates in German order in a table of coupons', async () => {
    const venue = await createVenue({ timezone: 'Europe/Berlin' })
    const book = createBook([
      { cells: [text('Gutscheincode'), text('Rabatt %'), text('gültig bis')] },
      { cells: [text('ADVENT'), number(10), text('24.12.2026')] },
      { cells: [text('WINTER'), number(20), text('01.12.2026')] },
    ])
    const ready = await check(venue, auto, book, any)
    expect([ready.state, ready.reading.questions, await listIssues(venue, ready.id)]).toEqual(['ready', [], []])
  })

  test('saved as CSV has Windows-1252, semicolons and decimal commas', async () => {
    const venue = await createVenue()
    const list =
      'Bezeichnung;Preis brutto;Menge;;\r\nK\u00e4se;1.234,50 \u0080;3;;\r\nBr\u00f6tchen;-,60 \u0080;;;\r\nTee;2,- \u0080;;;\r\n'
    const bytes = Uint8Array.from(list, (character) => character.charCodeAt(0))
    const { body } = await upload(venue, auto, bytes, any)
    const ready = await settle(venue, body.id)
    expect([ready.reading.encoding, ready.reading.delimiter]).toEqual(['windows-1252', ';'])
    const { body: preview } = await venue.get(`/imports/${ready.id}/preview`)
    expect(
      preview.map(({ object }: { object: { title: string; price: number } }) => [object.title, object.price]),
    ).toEqual([
      ['Käse', 1234.5],
      ['Brötchen', 0.6],
      ['Tee', 2],
    ])
  })
})
