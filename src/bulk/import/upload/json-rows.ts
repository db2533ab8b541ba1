import { type FileRow, requireLineSize } from '../rows/file-row.ts'
import { createGrowingText } from './growing-text.ts'

/** The lines of a JSON Lines file. Skips blank lines, but counts them. */
export async function* readJsonRows(texts: AsyncIterable<string>): AsyncGenerator<FileRow, void> {
  const growing = createGrowingText()
  let row = 0
  function* read(): Iterable<FileRow> {
    const lines = growing.take().split('\n')
    const rest = lines.pop() ?? ''
    growing.keep(rest)
    for (const line of lines) {
      row++
      requireLineSize(row, line)
      if (line.trim() !== '') yield { row, raw: line.trimEnd() }
    }
    requireLineSize(row + 1, rest)
  }
  for await (const text of texts) if (growing.add(text)) yield* read()
  yield* read()
  const last = growing.take()
  if (last.trim() !== '') yield { row: row + 1, raw: last.trimEnd() }
}
