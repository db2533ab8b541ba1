import { invalid } from '../../../platform/errors.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import { parseDocument, readDocument } from '../../files/documents/read-document.ts'
import { createNotices, type FileNotice } from '../../files/items/file-item.ts'
import { toTable } from '../../files/items/to-table.ts'
import { requireKnownKind, requireNoPage, unsupported } from '../../files/kind.ts'
import { countKnownHeadings, headingRows } from '../../files/table/headings.ts'
import { isTableResource } from '../../files/table/targets.ts'
import { findDelimiter } from '../../files/text/delimiter.ts'
import { decodeChosen, decodeFile, type FileEncoding, findMultiByte } from '../../files/text/encoding.ts'
import { importLimits } from '../import-limits.ts'
import type { FileRow } from '../rows/file-row.ts'
import { readCsvRows } from '../upload/csv-rows.ts'
import { readJsonRows } from '../upload/json-rows.ts'
import { toPartRows } from './document-parts.ts'
import { findDecodedHeader, findHeader } from './find-header.ts'
import { isCatalogue, readCatalogueRows } from './read-catalogue.ts'
import type { FileKind } from './stored-reading.ts'

/** A file as it came: the cells of a table with its header, or lines of JSON. */
export interface RawFile {
  kind: FileKind
  encoding: FileEncoding
  /** Another encoding, in which the headings are words for fields. It is used unless another one is chosen. */
  suggested?: FileEncoding | undefined
  delimiter?: string | undefined
  /** Headings of a table. Undefined: the rows are lines of JSON. */
  header?: readonly string[] | undefined
  rows: readonly FileRow[]
  menuTitle?: string | undefined
  /** Names of the visible sheets of a spreadsheet, if there are several. */
  sheets?: readonly string[] | undefined
  /** Notices about the place of the headings. */
  notices?: readonly FileNotice[] | undefined
}

async function* once(text: string) {
  yield text
}

function requireFewRows(rows: readonly unknown[]): void {
  if (rows.length <= importLimits.rows) return
  const message = `must have at most ${importLimits.rows.toLocaleString('en')} rows`
  throw invalid([{ pointer: '', code: 'too_many', message }])
}

function requireHeader(header: readonly string[]): void {
  const named = header.findLastIndex((cell) => cell.trim() !== '') + 1
  if (named > 0 && named <= importLimits.columns && header.length <= importLimits.cells) return
  const message =
    named === 0
      ? 'has no heading in its first row'
      : `must have at most ${importLimits.columns.toLocaleString('en')} columns`
  throw invalid([{ pointer: '', code: named === 0 ? 'required' : 'too_many', message }])
}

/** Throws for combinations of PrestaShop: their prices are differences from those of products in another file. */
function requireNoCombinations(header: readonly string[]): void {
  if (!header.some((heading) => /^Attribute \(Name/i.test(heading.trim()))) return
  throw unsupported(
    'has combinations of PrestaShop, whose prices depend on another file. Send a table with a row for each size: its title, its name in a column Size, its price',
  )
}

async function readCsv(text: string, encoding: FileEncoding): Promise<Omit<RawFile, 'encoding'>> {
  let delimiter = findDelimiter(text, countKnownHeadings)
  const onDelimiter = (used: string) => {
    delimiter = used
  }
  const rows: FileRow[] = []
  for await (const row of readCsvRows(once(text), onDelimiter, delimiter)) rows.push(row)
  const suggested = findMultiByte(text, { encoding, lines: headingRows }, countKnownHeadings)
  const found = suggested
    ? findDecodedHeader(rows, (cell) => decodeChosen(cell, encoding, suggested))
    : findHeader(rows)
  requireHeader(found.header)
  requireNoCombinations(found.header)
  return { kind: 'csv', delimiter, suggested, ...found }
}

/** Whether JSON of a resource has our own objects. A list of coupons has their limits, which no table has. */
const hasOwnObjects = (wanted: ResourcePath | undefined) =>
  wanted !== undefined && (wanted === 'coupons' || !isTableResource(wanted))

/** Whether objects have our own fields: they name their resource, as our exports do, or the request names one that no table has. */
const areOwn = (objects: readonly unknown[], wanted: ResourcePath | undefined) =>
  hasOwnObjects(wanted) || objects.some((line) => isObject(line) && ('resource' in line || 'export' in line))

function parseLine(raw: FileRow['raw']): unknown {
  try {
    return JSON.parse(String(raw))
  } catch {
    return undefined
  }
}

async function readLines(text: string, wanted: ResourcePath | undefined): Promise<Omit<RawFile, 'encoding'>> {
  const rows: FileRow[] = []
  for await (const row of readJsonRows(once(text))) rows.push(row)
  const lines = rows.map(({ raw }) => parseLine(raw))
  if (areOwn(lines, wanted)) return { kind: 'jsonl', rows }
  const objects = lines.filter(isObject)
  if (objects.length === 0) throw unsupported('starts like JSON, but has no objects that can be read')
  return { kind: 'jsonl', ...toRawTable(objects) }
}

function toRawTable(objects: readonly Readonly<Record<string, unknown>>[]) {
  const { header, rows } = toTable(objects)
  requireHeader(header)
  return { header, rows: rows.map(({ row, cells }) => ({ row, raw: [...cells] })) }
}

/** Reads a sheet of an .xlsx file. The code for it is loaded by the first one. */
async function readSpreadsheet(bytes: Uint8Array, sheet: string | undefined): Promise<RawFile> {
  const { readXlsx } = await import('../../files/sheet/read-xlsx.ts')
  const { rows, sheet: read, sheets } = readXlsx(bytes, sheet, importLimits.rows + headingRows + 1)
  const others = sheets.filter((name) => name !== read).map((name) => JSON.stringify(name))
  if (rows.length === 0) throw noRows(sheet === undefined ? sheets : [read], sheet === undefined ? [] : others)
  const found = findHeader(rows, { isSheet: true })
  requireHeader(found.header)
  requireFewRows(found.rows)
  if (found.rows.length === 0) throw noRows()
  const notices = createNotices()
  if (others.length > 0 && sheet === undefined)
    notices.add('sheets_left_out', `only the sheet ${JSON.stringify(read)} is read, not ${others.join(', ')}`)
  for (const { isHidden } of rows)
    if (isHidden) notices.add('hidden_rows', 'rows that the spreadsheet hides are read, such as those of a filter')
  return {
    kind: 'xlsx',
    encoding: 'utf-8',
    ...found,
    ...(sheets.length > 1 && { sheets }),
    notices: [...found.notices, ...notices.list()],
  }
}

/** A file without rows. The sheets of a spreadsheet are named, and others that may have some. */
function noRows(sheets: readonly string[] = [], others: readonly string[] = []) {
  const on = sheets.length > 0 ? ` on ${sheets.map((name) => JSON.stringify(name)).join(', ')}` : ''
  const choose = others.length > 0 ? `; choose another sheet with ?sheet=: ${others.join(', ')}` : ''
  return invalid([{ pointer: '', code: 'required', message: `has no rows${on}${choose}` }])
}

/** Finds out by its content what a file is, and reads its rows. Throws `unsupported_file` with a sentence that says what it looks like. */
export async function readAnyFile(
  bytes: Uint8Array,
  currency: string | undefined,
  {
    sheet,
    wanted,
    origin = '',
  }: { sheet?: string | undefined; wanted?: ResourcePath | undefined; origin?: string | undefined } = {},
): Promise<RawFile> {
  if (requireKnownKind(bytes).isZip) return readSpreadsheet(bytes, sheet)
  const { text, encoding } = decodeFile(bytes)
  if (text.includes('\0')) throw unsupported('contains NUL characters. Save it in the format CSV with UTF-8')
  requireNoPage(text)
  const read = async (): Promise<Omit<RawFile, 'encoding'>> => {
    // The lists in an object of ours are its own.
    if (hasOwnObjects(wanted) && /^\s*\{/.test(text)) return readLines(text, wanted)
    if (!/^\s*[[{]/.test(text)) return readCsv(text, encoding)
    const document = parseDocument(text, isCatalogue)
    if (document?.kind === 'own') return { kind: 'catalogue', ...(await readCatalogueRows(document.document, origin)) }
    if (document?.kind === 'json') {
      if (!areOwn(document.objects, wanted)) return { kind: 'json', ...toRawTable(document.objects) }
      return {
        kind: 'json',
        rows: document.objects.map((line, index) => ({ row: index + 1, raw: JSON.stringify(line) })),
      }
    }
    if (document) {
      const content = readDocument(document.kind, document.document, currency)
      return { kind: document.kind, rows: toPartRows(content), menuTitle: content.menuTitle }
    }
    return /^\s*\{/.test(text) ? readLines(text, wanted) : readCsv(text, encoding)
  }
  const file = { encoding, ...(await read()) }
  requireFewRows(file.rows)
  if (file.rows.length === 0) throw noRows()
  return file
}
