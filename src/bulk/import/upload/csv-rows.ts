import { type ParseError, type ParseResult, Parser } from 'papaparse'
import { type FileRow, type RowIssue, requireRecordSize } from '../rows/file-row.ts'
import { createGrowingText } from './growing-text.ts'

const delimiters = [',', ';', '\t'] as const

/** The delimiter that occurs most often in the first line, outside quotes. */
function detectDelimiter(line: string): string {
  const unquoted = line.replace(/"[^"]*"/g, '')
  const count = (delimiter: string) => unquoted.split(delimiter).length
  return delimiters.reduce<string>((best, next) => (count(next) > count(best) ? next : best), delimiters[0])
}

/** A first line that tells Excel the delimiter. Excel does not show it. */
const delimiterLine = /^"?sep=([,;|\t^~])"?\r?$/i

const messages: Readonly<Record<string, string>> = {
  MissingQuotes: 'has a quoted cell without a closing quote',
  InvalidQuotes: 'has a single quote character in a quoted cell; double it',
}

const toIssue = ({ code }: ParseError): RowIssue => ({
  code: 'invalid_format',
  message: messages[code] ?? 'is not a row of a CSV file',
})

/** The first line end outside quotes. A text that ends with a carriage return may continue with a line feed. */
function findLineEnd(text: string): '\n' | '\r' | undefined {
  const [end] = /\n|\r(?=[^\r\n])/.exec(text.replace(/"[^"]*"/g, '"')) ?? []
  return end === undefined || end === '\r' ? end : '\n'
}

/**
 * A CSV file: its delimiter, and its rows from the header on. Skips blank rows, but counts them. A first line that names the delimiter wins over
 * `known`.
 */
export async function* readCsvRows(
  texts: AsyncIterable<string>,
  onDelimiter: (delimiter: string) => void,
  known?: string,
): AsyncGenerator<FileRow, void> {
  const growing = createGrowingText()
  let buffer = ''
  let row = 0
  let parser: Parser | undefined
  /** Complete records of the buffer, each with the position after it. */
  const records: ParseResult<string[]>[] = []

  const createParser = (newline: '\n' | '\r') => {
    const line = buffer.split(newline, 1)[0] ?? ''
    const named = delimiterLine.exec(line)?.[1]
    if (named !== undefined) {
      buffer = buffer.slice(line.length + newline.length)
      row++
    }
    const delimiter = named ?? known ?? detectDelimiter(line)
    onDelimiter(delimiter)
    return new Parser({ delimiter, newline, step: (record: ParseResult<string[]>) => records.push(record) })
  }
  function* parse(current: Parser, isLast: boolean): Iterable<FileRow> {
    current.parse(buffer, 0, !isLast)
    let start = 0
    for (const { data, errors, meta } of records.splice(0)) {
      row++
      requireRecordSize(row, buffer.slice(start, meta.cursor).replace(/\r?\n$|\r$/, ''))
      start = meta.cursor
      const [cells = []] = data
      const error = errors.at(-1)
      // Lines are split at the line feed.
      const last = cells.at(-1)
      if (last?.endsWith('\r')) cells[cells.length - 1] = last.slice(0, -1)
      if (cells.some((cell) => cell.trim() !== '')) yield { row, raw: cells, issue: error && toIssue(error) }
    }
    buffer = isLast ? '' : buffer.slice(start)
    growing.keep(buffer)
    requireRecordSize(row + 1, buffer)
  }

  function* read(): Iterable<FileRow> {
    buffer = growing.take()
    const newline = parser ? undefined : findLineEnd(buffer)
    if (newline) parser = createParser(newline)
    if (parser) yield* parse(parser, false)
    else requireRecordSize(1, buffer)
  }
  for await (const text of texts) if (growing.add(text)) yield* read()
  yield* read()
  if (buffer !== '') yield* parse(parser ?? createParser(buffer.endsWith('\r') ? '\r' : '\n'), true)
}
