/** A number as spreadsheets read it. */
export const numberForm = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/** Text that a spreadsheet runs as a formula, behind zero or more apostrophes. */
const formulaForm = /^'*[=+\-@]/

/** Prefixes an apostrophe to text that a spreadsheet would run as a formula. Numbers stay as they are. */
export const protectFormula = (text: string) => (formulaForm.test(text) && !numberForm.test(text) ? `'${text}` : text)

/** Removes the apostrophe that `protectFormula` adds. */
export const unprotectFormula = (text: string) =>
  text.startsWith("'") && formulaForm.test(text) ? text.slice(1) : text

const separator = '|'

/** Joins the elements of a list to the text of one cell. A backslash escapes separators and backslashes. */
export const joinElements = (elements: readonly string[]) =>
  elements.map((element) => element.replace(/[\\|]/g, '\\$&')).join(separator)

/** Splits the text of a cell into the elements of a list, without the white space around them. Leaves out empty elements. */
export const splitElements = (text: string): string[] =>
  Array.from(text.matchAll(/(?:\\[\\|]|[^|])+/g), ([element]) => element.trim().replace(/\\([\\|])/g, '$1')).filter(
    (element) => element !== '',
  )

const quote = (cell: string) => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** One line of a CSV file (RFC 4180), line break included. */
export const toCsvLine = (cells: readonly string[], delimiter = ',') => `${cells.map(quote).join(delimiter)}\r\n`
