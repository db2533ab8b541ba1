import { type FileRow, requireLineSize } from '../rows/file-row.ts'

/** The lines of a JSON Lines file. Blank lines are left out, but counted. */
export async function* readJsonRows(texts: AsyncIterable<string>): AsyncGenerator<FileRow, void> {
  let buffer = ''
  let row = 0
  for await (const text of texts) {
    const lines = (buffer + text).split('\n')
    buffer = lines.pop() ?? ''
    for (const line of lines) {
      row++
      requireLineSize(row, line)
      if (line.trim() !== '') yield { row, raw: line.trimEnd() }
    }
    requireLineSize(row + 1, buffer)
  }
  if (buffer.trim() !== '') yield { row: row + 1, raw: buffer.trimEnd() }
}
