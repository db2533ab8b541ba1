import { ApiError } from '../../../platform/errors.ts'
import { unsupported } from '../kind.ts'
import { type CellRow, createSheetReader } from './sheet-rows.ts'
import { createInflatedCounter, unzip } from './unzip.ts'
import { createTextsReader, createWorkbookReader, workbookFiles } from './workbook.ts'

/** Maximum number of characters of all cells. */
export const maxTextUnits = 10 * 1024 * 1024
const sharedTexts = 'xl/sharedStrings.xml'

function createUnitCounter() {
  let total = 0
  return (units: number) => {
    total += units
    if (total > maxTextUnits)
      throw new ApiError('body_too_large', `The cells have more than ${maxTextUnits.toLocaleString('en')} characters.`)
  }
}

/** A sentence about an archive that is no spreadsheet. */
function describeArchive(names: ReadonlySet<string>): string {
  if (names.has('mimetype') && names.has('content.xml'))
    return 'is an OpenDocument file. Save it in the format .xlsx or CSV'
  if (names.has('word/document.xml'))
    return 'is a Word document. Copy its table into a spreadsheet, and save it as .xlsx'
  if (names.has('xl/workbook.bin')) return 'is a binary Excel file. Save it in the format .xlsx or CSV'
  return 'is a zip file. Extract the file in it, and upload that'
}

/** Maximum number of sheets whose names are listed. */
const maxNames = 50

/**
 * The rows of a sheet of an .xlsx file: the first visible one with rows, or the one with a name. Rows beyond `maxRows` and the next one are not read.
 * `sheets` are the names of the visible ones, `sheet` is the one that was read.
 */
export function readXlsx(
  bytes: Uint8Array,
  wanted: string | undefined,
  maxRows: number,
): { rows: CellRow[]; sheet: string; sheets: readonly string[] } {
  const count = createInflatedCounter()
  const description = createWorkbookReader()
  const names = unzip(bytes, (name) => workbookFiles.has(name), description.push, count)
  const workbook = description.finish()
  if (!names.has('xl/workbook.xml')) throw unsupported(describeArchive(names))
  const visible = workbook.sheets.filter(({ isHidden }) => !isHidden)
  const candidates = wanted === undefined ? visible : workbook.sheets.filter(({ name }) => name === wanted).slice(0, 1)
  const [first] = candidates
  if (!first)
    throw unsupported(wanted === undefined ? 'has no visible sheet' : `has no sheet ${JSON.stringify(wanted)}`)
  const shared = createTextsReader(createUnitCounter())
  unzip(
    bytes,
    (name) => name === sharedTexts,
    (_, text) => shared.push(text),
    count,
  )
  const countUnits = createUnitCounter()
  const readSheet = (path: string): CellRow[] => {
    const rows: CellRow[] = []
    const reader = createSheetReader(workbook, shared.texts, countUnits, (row) => {
      if (rows.length <= maxRows) rows.push(row)
    })
    unzip(
      bytes,
      (name) => name === path,
      (_, text) => reader.push(text),
      count,
    )
    reader.finish()
    return rows
  }
  const sheets = visible.slice(0, maxNames).map(({ name }) => name.slice(0, 100))
  for (const { name, path } of candidates.slice(0, maxNames)) {
    const rows = readSheet(path)
    if (rows.length > 0) return { rows, sheet: name, sheets }
  }
  return { rows: [], sheet: first.name, sheets }
}
