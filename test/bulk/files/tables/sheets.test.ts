import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { createVenue } from '../../../support/api.ts'
import { check, upload } from '../../../support/imports.ts'

const any = { 'content-type': 'application/octet-stream' }
const auto = 'mapping=auto'

interface Sheet {
  name: string
  rows: readonly (readonly string[])[]
  /** Numbers of rows that the spreadsheet hides. */
  hidden?: readonly number[]
}

/** A spreadsheet with texts in its cells. */
function createBook(sheets: readonly Sheet[]) {
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
  const parts = sheets.map(({ rows, hidden = [] }, index) => {
    const lines = rows.map((cells, at) => {
      const flag = hidden.includes(at + 1) ? ' hidden="1"' : ''
      return `<row r="${at + 1}"${flag}>${cells.map(cell).join('')}</row>`
    })
    const content = `<worksheet><sheetData>${lines.join('')}</sheetData></worksheet>`
    return [`xl/worksheets/sheet${index}.xml`, strToU8(content)] as const
  })
  const names = sheets.map(({ name }, index) => `<sheet name="${name}" r:id="r${index}"/>`)
  const targets = sheets.map((_, index) => `<Relationship Id="r${index}" Target="worksheets/sheet${index}.xml"/>`)
  return zipSync({
    'xl/workbook.xml': strToU8(`<workbook><sheets>${names.join('')}</sheets></workbook>`),
    'xl/_rels/workbook.xml.rels': strToU8(`<Relationships>${targets.join('')}</Relationships>`),
    ...Object.fromEntries(parts),
  })
}

const rows = [
  ['Artikel', 'Preis'],
  ['Suppe', '4,50'],
  ['Brot', '2,00'],
]
const empty = { name: 'Deckblatt', rows: [] }

describe('a spreadsheet whose first sheet is empty', () => {
  test('is read from its first sheet with rows', async () => {
    const venue = await createVenue()
    const more = { name: 'Weine', rows }
    const found = await check(venue, auto, createBook([empty, { name: 'Karte', rows }, empty, more]), any)
    expect([found.rows, found.reading.sheets]).toEqual([2, ['Deckblatt', 'Karte', 'Deckblatt', 'Weine']])
    const message = 'only the sheet "Karte" is read, not "Deckblatt", "Deckblatt", "Weine"'
    expect(found.reading.notices).toEqual([{ code: 'sheets_left_out', count: 1, message }])
  })

  test('names its sheets if none has rows, or the other ones if an empty one is chosen', async () => {
    const venue = await createVenue()
    const { status, body } = await upload(venue, auto, createBook([empty, { name: 'Leer', rows: [] }]), any)
    expect([status, body.errors]).toMatchObject([422, [{ message: 'has no rows on "Deckblatt", "Leer"' }]])
    const chosen = await upload(venue, `${auto}&sheet=Deckblatt`, createBook([empty, { name: 'Karte', rows }]), any)
    expect(chosen.body.errors).toMatchObject([
      { message: 'has no rows on "Deckblatt"; choose another sheet with ?sheet=: "Karte"' },
    ])
  })
})

test('rows that a spreadsheet hides are read and counted', async () => {
  const venue = await createVenue()
  const found = await check(venue, auto, createBook([{ name: 'Karte', rows, hidden: [3] }]), any)
  const message = 'rows that the spreadsheet hides are read, such as those of a filter'
  expect([found.rows, found.reading.notices]).toEqual([2, [{ code: 'hidden_rows', count: 1, message }]])
  const mapped = await venue.post(`/imports/${found.id}/mapping`, { columns: { Preis: 'price' } })
  expect(mapped.body.reading.notices).toEqual(found.reading.notices)
})
