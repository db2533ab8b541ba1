import type { ResourcePath } from '../../../platform/names.ts'
import { numberForm, splitElements, unprotectFormula } from '../../csv/cells.ts'
import type { CsvColumn, FieldKind } from './csv-header.ts'
import type { RowIssue } from './file-row.ts'
import { readKey } from './row-keys.ts'
import type { RowObject } from './row-object.ts'

const plainDecimal = /^-?\d+(?:\.\d+)?$/
const commaDecimal = /^-?\d+,\d+$/

/** Number format of a file. */
export interface NumberFormat {
  /** Numbers may have a decimal comma. */
  hasDecimalCommas: boolean
  /** The file is an export of this service. Its numbers have no thousands separators and no trailing zeros, unless somebody has edited them. */
  isExport: boolean
}

/** An ambiguous number, with a thousands separator or a decimal separator: `15.000`, `1,250`. */
const ambiguousNumber = /^([+-]?[1-9]\d{0,2})[.,](\d{3})$/

/** The issue of a cell with an ambiguous number. */
function findAmbiguity(field: string, text: string, { isExport }: NumberFormat): RowIssue[] {
  const [, whole, rest = ''] = ambiguousNumber.exec(text) ?? []
  if (whole === undefined || (isExport && !rest.endsWith('0'))) return []
  const [fraction, written] = rest === '000' ? [whole, whole] : [`${whole}.${rest}`, `${whole}.${rest}0`]
  const thousands = `${whole}${rest}`
  const message = `can be read as ${fraction} or as ${thousands}; write ${written} or ${thousands}`
  return [{ pointer: `/${field}`, code: 'ambiguous', message, value: text }]
}

/** A number in a cell. Text that is not a number stays unchanged, so that the field rejects it. */
function toNumber(text: string, { hasDecimalCommas }: NumberFormat): unknown {
  if (plainDecimal.test(text)) return text
  if (hasDecimalCommas && commaDecimal.test(text)) return text.replace(',', '.')
  return numberForm.test(text) ? Number(text) : text
}

const toBoolean = (text: string): unknown =>
  ({ true: true, false: false, 1: true, 0: false })[text.toLowerCase()] ?? text

function toField(kind: FieldKind, text: string, format: NumberFormat): unknown {
  if (kind === 'number') return toNumber(text.trim(), format)
  if (kind === 'boolean') return toBoolean(text.trim())
  if (kind === 'list') return splitElements(text)
  return kind === 'pictures' ? splitElements(text).map((url) => ({ url })) : text
}

/** White space that a spreadsheet or a person may leave in a cell. */
const blank = /^[ \t\r\n\u00a0]*$/

/** Whether a cell is empty. A text may consist of other white space, and a metadata value of any white space. */
function isEmpty(column: CsvColumn, cell: string): boolean {
  const kind = column.kind === 'limit' ? column.of : column.kind
  if (kind === 'metadata') return cell === ''
  return kind === 'text' || kind === 'externalId' ? blank.test(cell) : cell.trim() === ''
}

/** Reads the cells of a row. An empty cell leaves its field unchanged. */
export function readCells(
  resource: ResourcePath,
  columns: readonly CsvColumn[],
  format: NumberFormat,
  cells: readonly string[],
): RowObject {
  const keys: { id?: string; externalId?: string } = {}
  const body: Record<string, unknown> = {}
  const limits: Record<string, unknown> = {}
  const entries: { key: string; value: string }[] = []
  const ambiguities: RowIssue[] = []
  let hidden: string[] | undefined
  function readField(kind: FieldKind, field: string, cell: string): unknown {
    // A separator before three digits may be a thousands separator.
    if (kind === 'number' && format.hasDecimalCommas) ambiguities.push(...findAmbiguity(field, cell.trim(), format))
    return toField(kind, cell, format)
  }
  // Iterates over cells and not over columns, so that a wide header does not slow down short rows.
  for (const [index, text] of cells.entries()) {
    const column = columns[index]
    if (!column) break
    const cell = unprotectFormula(text)
    if (isEmpty(column, cell)) continue
    if (column.kind === 'id') keys.id = cell.trim()
    else if (column.kind === 'externalId') keys.externalId = cell
    else if (column.kind === 'metadata') entries.push({ key: column.key, value: cell })
    else if (column.kind === 'hidden') hidden = splitElements(cell)
    else if (column.kind === 'limit') limits[column.name] = readField(column.of, `limits/${column.name}`, cell)
    else if ('field' in column) body[column.field] = readField(column.kind, column.field, cell)
  }
  const [id, externalId] = [readKey('id', keys.id), readKey('externalId', keys.externalId)]
  const extra = cells.slice(columns.length).some((cell) => cell.trim() !== '')
  return {
    resource,
    id: id.text,
    externalId: externalId.text,
    body,
    metadata: entries.length > 0 || hidden ? { entries, hidden } : undefined,
    details: Object.keys(limits).length > 0 ? limits : undefined,
    issues: [
      ...(extra ? [{ code: 'too_many', message: `has more than ${columns.length} cells` }] : []),
      ...id.issues,
      ...externalId.issues,
    ],
    valueIssues: ambiguities,
  }
}
