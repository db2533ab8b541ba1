import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import limitsPage from '../../../docs/limits.md?raw'
import { createInflatedCounter } from '../../../src/bulk/files/sheet/unzip.ts'
import { type MappedVenue, mapFile } from '../../../src/bulk/import/auto/map-file.ts'
import { readAnyFile } from '../../../src/bulk/import/auto/read-upload.ts'
import { serializeRow } from '../../../src/bulk/import/rows/file-row.ts'
import { ApiError } from '../../../src/platform/errors.ts'
import { createVenue } from '../../support/api.ts'
import { csv, jsonl, upload } from '../../support/imports.ts'

const none = { findModifiers: async () => [], findMenuTitle: async () => 'Menu' }
const venue: MappedVenue = { currency: 'EUR', language: 'en', timeZone: 'UTC', canWriteMenus: true, ...none }
const utf8 = new TextEncoder()

/** Reads a file as an upload does. Returns its number of rows, or the codes of what is wrong. */
async function read(file: string | Uint8Array): Promise<unknown> {
  try {
    const { rows } = await readAnyFile(typeof file === 'string' ? utf8.encode(file) : file, 'EUR')
    return rows.length
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [error.code, ...(error.issues ?? []).map(({ code }) => code)]
  }
}

/** Codes of the issues of the menu that the categories of a table make. */
async function readMenu(sections: number, items: number) {
  const lines = Array.from({ length: items }, (_, row) => `T${row};2,50;S${row % sections}`)
  const file = await readAnyFile(utf8.encode(`title;price;category\n${lines.join('\n')}\n`), 'EUR')
  const { rows } = await mapFile(file, undefined, {}, venue)
  return rows.flatMap(({ resource, issues }) => (resource === 'menus' ? issues.map(({ code }) => code) : []))
}

const head = 'title;price\n'
const tableOf = (rows: number) => `${head}${'Tea;2,50\n'.repeat(rows)}`
const fill = (length: number, around: string) => `${around}${'x'.repeat(length - around.length)}`

/** A spreadsheet whose first rows have a title and an empty row above the headings. */
function createSheet(rows: number, text = 'Tea', padding = 0) {
  const cell = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
  const row = (cells: string, index: number) => `<row r="${index}">${cells}</row>`
  const lines = Array.from({ length: rows }, (_, index) => row(`${cell(text)}<c><v>2.5</v></c>`, index + 4))
  const above = [row(cell(`Karte${' '.repeat(padding)}`), 1), row(cell('title') + cell('price'), 3)]
  return zipSync({
    'xl/workbook.xml': strToU8('<workbook><sheets><sheet name="A" r:id="a"/></sheets></workbook>'),
    'xl/_rels/workbook.xml.rels': strToU8(
      '<Relationships><Relationship Id="a" Target="worksheets/a.xml"/></Relationships>',
    ),
    'xl/worksheets/a.xml': strToU8(`<worksheet><sheetData>${above.join('')}${lines.join('')}</sheetData></worksheet>`),
  })
}

const invalid = (code: string) => ['invalid_request', code]
const tooLarge = ['body_too_large']

interface Case {
  /** Outcome with a value at the limit, and with one past it. */
  at: (value: number) => unknown
  edge: unknown
  past: unknown
}

/** The limits of each row of the page about files, in its order. */
const cases: Readonly<Record<string, readonly Case[]>> = {
  'Imported file': [
    {
      at: async (bytes) => {
        const owner = await createVenue()
        const rows = `Tea;2,50;${'x'.repeat(200_000)}\n`
        const file = (head + rows.repeat(Math.ceil(bytes / rows.length))).slice(0, bytes)
        return (await upload(owner, 'mapping=auto', file, csv)).status
      },
      edge: 202,
      past: 413,
    },
    { at: (rows) => read(tableOf(rows)), edge: 20_000, past: invalid('too_many') },
    {
      at: (columns) => read(`title;${'c;'.repeat(columns - 2)}price\nTea;${'1;'.repeat(columns - 2)}2,50\n`),
      edge: 1,
      past: invalid('too_many'),
    },
    { at: (units) => read(`${head}${fill(units, 'Tea;2,50;')}\n`), edge: 1, past: invalid('too_long') },
    {
      at: async (units) => {
        const owner = await createVenue()
        const line = { title: 'Tea', price: 1, description: '' }
        const rest = JSON.stringify(line).length
        const file = `${JSON.stringify({ ...line, description: 'x'.repeat(units - rest) })}\n`
        return (await upload(owner, 'resource=products', file, jsonl)).status
      },
      edge: 202,
      past: 422,
    },
    {
      at: (bytes) => {
        const rest = JSON.stringify({ row: 1, raw: '' }).length
        try {
          return serializeRow({ row: 1, raw: 'x'.repeat(bytes - rest) }).length
        } catch (error) {
          return error instanceof ApiError && error.code
        }
      },
      edge: 1_900_000,
      past: 'invalid_request',
    },
  ],
  'Imported spreadsheet, after unpacking': [
    {
      at: (bytes) => {
        try {
          createInflatedCounter()(bytes)
          return 'inflated'
        } catch (error) {
          return error instanceof ApiError && [error.code]
        }
      },
      edge: 'inflated',
      past: tooLarge,
    },
    { at: (units) => read(createSheet(1, 'x'.repeat(units))), edge: 1, past: tooLarge },
    {
      at: (units) => {
        const rows = 16
        const rest = units - 'Kartetitleprice'.length - rows * '2.5'.length
        const each = Math.floor(rest / rows)
        return read(createSheet(rows, 'x'.repeat(each), rest - each * rows))
      },
      edge: 16,
      past: tooLarge,
    },
  ],
  'Imported JSON document that is no JSON Lines': [
    {
      at: (units) => read(`[{"title":"Tea","price":2.5${' '.repeat(units - 29)}}]`),
      edge: 1,
      past: tooLarge,
    },
  ],
}

const units: Readonly<Record<string, number>> = { MiB: 1024 ** 2 }
/** The rows of the page about files, with their numbers. */
const stated = [...limitsPage.matchAll(/^\| (Imported [^|]+) \| ([^|]+) \|$/gm)].map(
  ([, name = '', text = '']) =>
    [
      name,
      [...text.replaceAll(/\(`\d+`\)/g, '').matchAll(/(\d[\d,]*)(?: (MiB))?/g)].map(
        ([, number = '', unit = '']) => Number(number.replaceAll(',', '')) * (units[unit] ?? 1),
      ),
    ] as const,
)

describe('each limit of files', () => {
  test('has a case at its edge and one past it', () => {
    expect(stated.map(([name, numbers]) => [name, numbers.length])).toEqual(
      Object.entries(cases).map(([name, list]) => [name, list.length]),
    )
  })

  test.each(stated.flatMap(([name, numbers]) => numbers.map((value, index) => [value, name, index] as const)))(
    '%i, %s: holds at the edge, and rejects one past it',
    { timeout: 60_000 },
    async (value, name, index) => {
      const found = cases[name]?.[index]
      expect([await found?.at(value), await found?.at(value + 1)]).toEqual([found?.edge, found?.past])
    },
  )
})

describe('what rows make', () => {
  test('a menu has at most 200 sections and 5,000 items', async () => {
    expect([await readMenu(200, 5_000), await readMenu(201, 5_000), await readMenu(200, 5_001)]).toEqual([
      [],
      ['too_many'],
      ['too_many'],
    ])
  })

  test('a spreadsheet has at most 20,000 rows below its headings, wherever they are', async () => {
    expect([await read(createSheet(20_000)), await read(createSheet(20_001))]).toEqual([20_000, invalid('too_many')])
  })
})
