/** A number in the notation of spreadsheets. */
export const numberForm = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/**
 * Text that a spreadsheet runs as a formula, after zero or more apostrophes. Some spreadsheets skip white space before the sign, and accept
 * full-width signs too.
 */
const formulaForm = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

/** Prefixes an apostrophe to text that a spreadsheet would run as a formula. Numbers stay as they are. */
export const protectFormula = (text: string) => (formulaForm.test(text) && !numberForm.test(text) ? `'${text}` : text)

/** Protects a cell of an uploaded file. The cell may already be protected, and must be read back as the same value. */
export const protectCell = (cell: string) => (cell.startsWith("'") ? cell : protectFormula(cell))

/** Removes the apostrophe that `protectFormula` adds. */
export const unprotectFormula = (text: string) =>
  text.startsWith("'") && formulaForm.test(text) ? text.slice(1) : text

const separator = '|'

/** Joins the elements of a list to the text of one cell. A backslash escapes separators and backslashes. */
export const joinElements = (elements: readonly string[]) =>
  elements.map((element) => element.replace(/[\\|]/g, '\\$&')).join(separator)

/** Splits the text of a cell into the elements of a list, without surrounding white space. Leaves out empty elements. */
export const splitElements = (text: string): string[] =>
  Array.from(text.matchAll(/(?:\\[\\|]|[^|])+/g), ([element]) => element.trim().replace(/\\([\\|])/g, '$1')).filter(
    (element) => element !== '',
  )

const quote = (cell: string) => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** One line of a CSV file (RFC 4180), line break included. */
export const toCsvLine = (cells: readonly string[], delimiter = ',') => `${cells.map(quote).join(delimiter)}\r\n`
