const candidates = [';', '\t', ',', '|'] as const
/** Number of records by which the delimiter is decided. */
const maxRecords = 200

/** A first line that tells Excel the delimiter. Excel does not show it. */
const delimiterLine = /^"?sep=([,;|\t^~])"?(?:\r?\n|\r|$)/i

/** Characters before the quote that begins a cell, whichever delimiter the file has. */
const cellEnds = /[;\t,|\r\n\ufeff]/

/** The numbers of cells of the first records, with the cells of the first one. Reads each character once. */
function countCells(text: string, delimiter: string): { counts: number[]; header: string[] } {
  const counts: number[] = []
  const header: string[] = []
  let [cells, start, isQuoted, isBlank] = [1, 0, false, true]
  const endCell = (end: number) => {
    if (counts.length === 0) header.push(text.slice(start, end).replace(/^"|"$/g, ''))
    start = end + 1
  }
  const endRecord = (end: number) => {
    endCell(end)
    if (!isBlank) counts.push(cells)
    else header.length = 0
    cells = 1
    isBlank = true
  }
  for (let index = 0; index < text.length && counts.length < maxRecords; index++) {
    const character = text[index]
    if (character === '"') {
      // A quote inside a cell is a character, such as an inch. Two of them in a quoted cell are one.
      if (!isQuoted) isQuoted = cellEnds.test(text[index - 1] ?? '\n')
      else if (text[index + 1] === '"') index++
      else isQuoted = false
    }
    if (!isQuoted && character === delimiter) {
      endCell(index)
      cells++
    } else if (!isQuoted && (character === '\n' || character === '\r')) endRecord(index)
    else if (character !== ' ') isBlank = false
    if (cells > 1) isBlank = false
  }
  if (start < text.length && counts.length < maxRecords) endRecord(text.length)
  return { counts, header }
}

/** Whether a line is a text with a price behind it, such as "Espresso 2,40": its last comma is a decimal one. */
function endsWithPrice(line: string): boolean {
  const comma = line.lastIndexOf(',')
  const [before, after] = [line.slice(Math.max(0, comma - 8), comma), line.slice(comma + 1)]
  return /[^\s,]\s+\d{1,4}$/.test(before) && after.length < 12 && /^\d\d?(?:\s*[^\d\s,]{1,4})?\s*$/.test(after)
}

/** Whether the commas of most lines are decimal ones behind texts: the file has one column. */
function hasPricesBehindTexts(text: string): boolean {
  const lines = text.split(/[\r\n]+/, maxRecords).filter((line) => line.includes(','))
  const priced = lines.filter((line) => /\p{L}/u.test(line) && endsWithPrice(line))
  return priced.length > 0 && priced.length * 2 >= lines.length
}

/**
 * The delimiter with which most records have the same number of cells. Between equal ones, the one with more known headings wins, then the
 * earlier one in `candidates`. One that does not occur if the file has one column.
 */
export function findDelimiter(text: string, countKnown: (header: readonly string[]) => number): string {
  const named = delimiterLine.exec(text.slice(0, 10))?.[1]
  if (named !== undefined) return named
  const ranked = candidates.map((delimiter) => {
    const { counts, header } = countCells(text, delimiter)
    const sizes = Map.groupBy(counts, (count) => count)
    const agreeing = Math.max(0, ...Array.from(sizes, ([size, records]) => (size > 1 ? records.length : 0)))
    return { delimiter, agreeing, known: agreeing > 0 ? countKnown(header) : 0 }
  })
  const best = ranked.reduce((first, next) =>
    next.agreeing > first.agreeing || (next.agreeing === first.agreeing && next.known > first.known) ? next : first,
  )
  if (best.agreeing > 0 && best.known < 2 && best.delimiter === ',' && hasPricesBehindTexts(text)) return '\t'
  return best.agreeing > 0 ? best.delimiter : ','
}
