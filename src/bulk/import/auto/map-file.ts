import { invalid } from '../../../platform/errors.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import { csvResources } from '../../csv/columns.ts'
import { createNotices, type FileContent } from '../../files/items/file-item.ts'
import { getMenuTitle } from '../../files/items/menu-titles.ts'
import {
  type KnownModifier,
  type MenuChoice,
  type PreparedLine,
  toOwnId,
  toPreparedLines,
} from '../../files/items/to-rows.ts'
import { askPrice, askTitle, leaveOutTexts, takeTexts } from '../../files/table/number-format.ts'
import { planTable } from '../../files/table/plan.ts'
import { readTable } from '../../files/table/read-table.ts'
import { isTableResource } from '../../files/table/targets.ts'
import { decodeChosen, isChoosable, isCodePage } from '../../files/text/encoding.ts'
import { readBoolean } from '../../files/values/booleans.ts'
import { readNumber } from '../../files/values/numbers.ts'
import { readCsvHeader } from '../rows/csv-header.ts'
import type { FileRow } from '../rows/file-row.ts'
import { createFileRowReader, isOwnHeader } from '../rows/file-row-reader.ts'
import { getResource, isResourcePath } from '../rows/imported-resource.ts'
import { readLine } from '../rows/read-line.ts'
import type { RowObject } from '../rows/row-object.ts'
import { decodeHeadings } from './decode-headings.ts'
import { readParts, settleAmounts } from './document-parts.ts'
import type { RawFile } from './read-upload.ts'
import type { StoredChoices, StoredReading } from './stored-reading.ts'

/** Parts of a merchant on which a mapping depends. */
export interface MappedVenue {
  currency: string | undefined
  language: string | undefined
  timeZone: string
  /** The modifiers with titles that the file names. */
  findModifiers(titles: readonly string[]): Promise<readonly KnownModifier[]>
  /** The title of a menu. Undefined if it does not exist. */
  findMenuTitle(id: string): Promise<string | undefined>
  /** Whether the key can write menus. */
  canWriteMenus: boolean
}

/** A row to check and apply. */
export type MappedRow = Omit<PreparedLine, 'metadata' | 'resource' | 'unique'> &
  Pick<RowObject, 'metadata' | 'resource' | 'isExported'> & { unique?: readonly string[] | undefined }

interface MappedFile {
  reading: StoredReading
  rows: readonly MappedRow[]
}

const toMapped = (
  row: number,
  { valueIssues = [], issues, ...object }: RowObject,
  given: FileRow['issue'],
): MappedRow => ({
  ...object,
  row,
  id: object.id ?? toOwnId(row),
  issues: [...(given ? [given] : []), ...issues, ...valueIssues],
})

/** A cell of our own export as it was before a spreadsheet translated it: a number with a point, a boolean in English. */
function restoreCell(kind: string | undefined, cell: string): string {
  if (kind === 'boolean') {
    const value = readBoolean(cell)
    return value === undefined ? cell : String(value)
  }
  if (kind !== 'number') return cell
  const reading = readNumber(cell)
  if (reading?.kind === 'one') return String(reading.value)
  return reading ? String(cell.includes(',') ? reading.comma : reading.point) : cell
}

const listHeaderIssues = (path: ResourcePath, header: readonly string[]) =>
  readCsvHeader(getResource(path), header).issues

/**
 * The resource whose fields a table has as columns: that of our own export, or one whose columns have no other names, such as coupons. Throws if the request
 * names a resource that a table cannot have, or that lacks a column.
 */
function findOwn(header: readonly string[], wanted: ResourcePath | undefined): ResourcePath | undefined {
  if (wanted !== undefined && !isTableResource(wanted)) {
    if (!csvResources.includes(wanted)) {
      const message = `must be one of ${csvResources.join(', ')} for a table`
      throw invalid([{ parameter: 'resource', code: 'invalid_value', message }])
    }
    const issues = listHeaderIssues(wanted, header)
    if (issues.length === 0) return wanted
    throw invalid(
      issues.map(({ code, message, column = '' }) => ({
        pointer: '',
        code: code === 'duplicate' ? code : 'unknown_field',
        message: `${column} ${message}`,
      })),
    )
  }
  const accepting = csvResources.filter((path) => listHeaderIssues(path, header).length === 0)
  const [only, another] = accepting
  if (wanted === undefined && only && another === undefined && !isTableResource(only)) return only
  return accepting.find((path) => (wanted ?? path) === path && isOwnHeader(path, header))
}

const matchKeys = ['sku', 'upc', 'title'] as const
/** The values of a row by which `match=auto` may select its object. */
const keyOf = ({ resource, body, metadata }: MappedRow, field: (typeof matchKeys)[number]) =>
  field === 'title' && resource !== undefined
    ? [...getResource(resource).titleFields.map((name) => body[name]), metadata?.entries]
    : body[field]

/** Rows with the keys that no other row has. */
function findUnique(rows: readonly MappedRow[]): MappedRow[] {
  const toKey = (row: MappedRow, field: (typeof matchKeys)[number]) =>
    JSON.stringify([row.resource, field, keyOf(row, field)])
  const counts = new Map<string, number>()
  for (const row of rows) {
    for (const key of matchKeys.map((field) => toKey(row, field))) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return rows.map((row) => ({ ...row, unique: matchKeys.filter((field) => counts.get(toKey(row, field)) === 1) }))
}

/** Reads our own export by the rules for machines: no questions, no conversion of texts. */
function readOwn(resource: ResourcePath, header: readonly string[], rows: readonly FileRow[]): MappedRow[] {
  const { columns } = readCsvHeader(getResource(resource), header)
  const { read } = createFileRowReader({ format: 'csv', resource, header, delimiter: ',' })
  const mapped = rows.flatMap(({ row, raw, issue }) => {
    const cells = [raw].flat().map((cell, index) => restoreCell(columns[index]?.kind, cell))
    const line = read(cells)
    return line.kind === 'object' ? [toMapped(row, line.object, issue)] : []
  })
  return findUnique(mapped)
}

/** Reads lines with our own objects. */
const readOwnLines = (rows: readonly FileRow[], wanted: ResourcePath | undefined): MappedRow[] =>
  findUnique(
    rows.flatMap(({ row, raw, issue }) => {
      const line = readLine(String(raw), wanted)
      return line.kind === 'object' ? [toMapped(row, line.object, issue)] : []
    }),
  )

/** Titles by which known modifiers are found. */
const listTitles = ({ items }: FileContent) => [
  ...new Set(items.flatMap(({ modifierTitles, sizes }) => [...modifierTitles, ...(sizes ? [sizes.title] : [])])),
]

/** The menu that gets the categories. A menu that is chosen by id keeps its title. Throws if it does not exist. */
async function chooseMenu({ menu }: StoredChoices, title: string | undefined, venue: MappedVenue): Promise<MenuChoice> {
  if (menu === 'none' || (menu === undefined && !venue.canWriteMenus)) return 'none'
  if (menu?.id === undefined) return { title: menu?.title ?? title ?? getMenuTitle(venue.language) }
  const found = await venue.findMenuTitle(menu.id)
  if (found === undefined) {
    throw invalid([{ pointer: '/menu/id', code: 'not_found', message: `does not exist: ${menu.id}` }])
  }
  return { id: menu.id, title: menu.title ?? found }
}

/** The cells of a file in the encoding that was chosen. */
function recode({ header, rows, encoding }: RawFile, chosen: StoredChoices['encoding']) {
  if (!isCodePage(encoding) || !isChoosable(chosen) || chosen === encoding) return { header, rows }
  const change = (text: string) => decodeChosen(text, encoding, chosen)
  return {
    header: header && decodeHeadings(header, encoding, chosen),
    rows: rows.map((row) => ({ ...row, raw: [row.raw].flat().map(change) })),
  }
}

/** Maps the rows of a file: decides what each column means, and makes the rows that are checked and applied. */
export async function mapFile(
  file: RawFile,
  wanted: ResourcePath | undefined,
  choices: StoredChoices,
  venue: MappedVenue,
): Promise<MappedFile> {
  const { header, rows } = recode(file, choices.encoding)
  const lastRow = rows.at(-1)?.row ?? 1
  const encoding = isCodePage(file.encoding) && isChoosable(choices.encoding) ? choices.encoding : file.encoding
  const common = {
    kind: file.kind,
    encoding,
    decodedAs: file.encoding,
    delimiter: file.delimiter,
    sheets: file.sheets && [...file.sheets],
    choices,
    lastRow,
    wanted,
    menuTitle: file.menuTitle,
  }
  const none = { columns: [], questions: [], notices: [] }
  if (!header && (file.kind === 'jsonl' || file.kind === 'json' || file.kind === 'catalogue')) {
    const reading = { ...common, ...none, notices: [...(file.notices ?? [])], isOwnLines: true }
    return { reading, rows: readOwnLines(rows, wanted) }
  }
  const own = header && findOwn(header, wanted)
  if (header && own) {
    const columns = header.map((name) => ({ name, to: name, how: 'field' as const }))
    const preset = isOwnHeader(own, header) ? 'export' : undefined
    return { reading: { ...common, ...none, preset, columns }, rows: readOwn(own, header, rows) }
  }
  const tableRows = rows.map(({ row, raw, issue }) => ({ row, cells: [raw].flat(), issue }))
  const plan = header
    ? askPrice(
        askTitle(
          takeTexts(leaveOutTexts(planTable(header, wanted, choices, venue.language), tableRows), tableRows),
          tableRows,
        ),
        tableRows,
        choices,
      )
    : undefined
  const read = plan
    ? await readTable(plan, tableRows, choices, venue)
    : {
        ...settleAmounts(readParts(rows), file.kind === 'nested_menu', choices.amounts, venue.currency),
        numberFormat: undefined,
      }
  const menu = await chooseMenu(choices, file.menuTitle, venue)
  const known = await venue.findModifiers(listTitles(read))
  const { lines, notices } = await toPreparedLines(read, { menu, known, lastRow })
  const menus = lines.filter(({ resource, issues }) => resource === 'menus' && issues.length === 0)
  const sections = menus.reduce((sum, { body }) => sum + [body['sections'] ?? []].flat().length, 0)
  const outside = read.items.filter(({ resource, sections: names }) => resource === 'products' && names.length === 0)
  const missing = createNotices()
  if (sections > 0) for (const _ of outside) missing.add('without_section', 'stand in no section of the menu')
  const reading: StoredReading = {
    ...common,
    numberFormat: read.numberFormat,
    preset: plan?.preset,
    columns: [...(plan?.columns ?? [])],
    questions: read.questions.map((question) => ({
      ...question,
      samples: [...question.samples],
      choices: [...question.choices],
    })),
    notices: [...(file.notices ?? []), ...read.notices, ...notices, ...missing.list()],
    ...(menus.length > 0 && menu !== 'none' && { menu: menu.title, sections }),
  }
  const mapped = lines.map(
    ({ metadata, ...line }): MappedRow => ({ ...line, metadata: metadata && { entries: metadata, hidden: undefined } }),
  )
  return { reading, rows: mapped }
}

/** The resources of rows. */
export const listResources = (rows: readonly MappedRow[]): ResourcePath[] => [
  ...new Set(rows.flatMap(({ resource }) => (isResourcePath(resource) ? [resource] : []))),
]
