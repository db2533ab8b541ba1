import { Zip, ZipDeflate } from 'fflate'
import { concatenate } from '../../platform/lib/encoding/concatenate.ts'
import { protectFormula, unprotectFormula } from '../csv/cells.ts'
import { toLetters } from '../csv/column-letters.ts'
import { toText } from '../csv/columns.ts'

const utf8 = new TextEncoder()
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Whether XML can have a control character: a tab, a line feed, or one above ASCII. */
const isInXml = (character: string) => /^[\t\n\u007f-\u009f]$/.test(character)
const toHex = (character: string) =>
  isInXml(character) ? character : `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`

/** A text in XML. Characters that XML cannot have, and what looks like one of them, are written as spreadsheets do: `_x0007_`. */
const escapeXml = (text: string) =>
  text
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replace(/[\p{Cc}\ufffe\uffff]/gu, toHex)
    .replace(/[&<>"]/g, (character) => escapes[character] ?? character)

/** Styles of cells: text, so that a changed cell keeps its zeros and plus signs, and headings. */
const cellStyles = { text: 1, heading: 2 } as const

const toTextCell = (text: string, style: number) =>
  `<c t="inlineStr" s="${style}"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`

/** A text that an import reads as it is. No cell is a formula, so only apostrophes that look like protection are protected. */
const protectText = (text: string) => (unprotectFormula(text) === text ? text : protectFormula(text))

function toCell(value: unknown): string {
  if (typeof value === 'number') return `<c><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c t="b"><v>${Number(value)}</v></c>`
  const text = toText(value)
  return text === '' ? '<c s="1"/>' : toTextCell(protectText(text), cellStyles.text)
}

/** A row of a sheet. */
export const toXlsxRow = (values: readonly unknown[]): string => `<row>${values.map(toCell).join('')}</row>`

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageTypes = 'http://schemas.openxmlformats.org/package/2006'
const officeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

const styles = `${declaration}<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf xfId="0"/><xf xfId="0" numFmtId="49" applyNumberFormat="1"/><xf xfId="0" numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>`

/** Files of a workbook that name its sheets. */
function describeSheets(names: readonly string[]): [path: string, xml: string][] {
  const types = names
    .map((_, n) => `<Override PartName="/xl/worksheets/sheet${n + 1}.xml" ContentType="${officeType}.worksheet+xml"/>`)
    .join('')
  const sheets = names.map((name, n) => `<sheet name="${escapeXml(name)}" sheetId="${n + 1}" r:id="rId${n + 1}"/>`)
  const relations = names.map(
    (_, n) =>
      `<Relationship Id="rId${n + 1}" Type="${relationships}/worksheet" Target="worksheets/sheet${n + 1}.xml"/>`,
  )
  const ofStyles = `<Relationship Id="rId${names.length + 1}" Type="${relationships}/styles" Target="styles.xml"/>`
  return [
    [
      '[Content_Types].xml',
      `<Types xmlns="${packageTypes}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${officeType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${officeType}.styles+xml"/>${types}</Types>`,
    ],
    [
      '_rels/.rels',
      `<Relationships xmlns="${packageTypes}/relationships"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets>${sheets.join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="${packageTypes}/relationships">${relations.join('')}${ofStyles}</Relationships>`,
    ],
    ['xl/styles.xml', styles],
  ]
}

/** Start of a sheet, with its headings in a row that stays visible. */
const startSheet = (headings: readonly string[]) =>
  `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols><col min="1" max="${Math.max(1, headings.length)}" width="18"/></cols><sheetData><row>${headings.map((text) => toTextCell(text, cellStyles.heading)).join('')}</row>`

/** Cells with one of some values, as a rule of a sheet. */
const toChoice = (column: number, values: readonly string[]) => {
  const letters = toLetters(column)
  return `<dataValidation type="list" allowBlank="1" sqref="${letters}2:${letters}20001"><formula1>"${escapeXml(values.join(','))}"</formula1></dataValidation>`
}

/** A sheet of a workbook: its headings, and its rows as pieces of XML. */
interface XlsxSheet {
  name: string
  headings: readonly string[]
  rows: AsyncIterable<string> | Iterable<string>
  /** Values that the cells of a column can have, by the index of the column. */
  choices?: ReadonlyMap<number, readonly string[]>
}

function endSheet({ choices = new Map<number, readonly string[]>() }: XlsxSheet): string {
  const rules = Array.from(choices, ([column, values]) => toChoice(column, values))
  const validations =
    rules.length > 0 ? `<dataValidations count="${rules.length}">${rules.join('')}</dataValidations>` : ''
  return `</sheetData>${validations}</worksheet>`
}

/** Writes a workbook, piece by piece, as its rows are read. */
export async function* writeXlsx(sheets: readonly XlsxSheet[]): AsyncGenerator<Uint8Array, void, undefined> {
  const written: Uint8Array[] = []
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    written.push(bytes)
  })
  const add = (path: string) => {
    const file = new ZipDeflate(path, { level: 6 })
    zip.add(file)
    return (xml: string, isLast = false) => file.push(utf8.encode(xml), isLast)
  }
  const take = () => concatenate(written.splice(0))
  for (const [path, xml] of describeSheets(sheets.map(({ name }) => name))) {
    add(path)(xml.startsWith('<?xml') ? xml : declaration + xml, true)
  }
  for (const [index, sheet] of sheets.entries()) {
    const push = add(`xl/worksheets/sheet${index + 1}.xml`)
    push(startSheet(sheet.headings))
    for await (const rows of sheet.rows) {
      push(rows)
      const bytes = take()
      if (bytes.length > 0) yield bytes
    }
    push(endSheet(sheet), true)
  }
  zip.end()
  yield take()
}
