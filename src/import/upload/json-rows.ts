import { type FileRow, requireRowSize } from '../rows/file-row.ts'

/** The lines of a JSON Lines file. Blank lines are left out, but counted. */
export async function* readJsonRows(texts: AsyncIterable<string>): AsyncGenerator<FileRow, void> {
  let buffer = ''
  let row = 0
  for await (const text of texts) {
    const lines = (buffer + text).split('\n')
    buffer = lines.pop() ?? ''
    for (const line of lines) {
      row++
      requireRowSize(row, line)
      if (line.trim() !== '') yield { row, raw: line.trimEnd() }
    }
    requireRowSize(row + 1, buffer)
  }
  if (buffer.trim() !== '') yield { row: row + 1, raw: buffer.trimEnd() }
}
