import type { Database } from '../../../platform/db/database.ts'
import type { Scope } from '../../../platform/db/scope.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import { protectCell, toCsvLine } from '../../csv/cells.ts'
import { decodeHeadings as decode } from '../auto/decode-headings.ts'
import { readStoredReading } from '../auto/stored-reading.ts'
import { chunksPerReading, paddedColumns } from '../import-limits.ts'
import type { StoredImport } from '../import-view.ts'
import { errorColumn } from '../rows/csv-header.ts'
import { listSourceRows } from '../rows/prepared-line.ts'
import { type ChunkRow, chunkRows, readHeaderCells } from '../rows/stored-rows.ts'
import { autoStatements } from '../statements/auto-statements.ts'
import { chunkStatements } from '../statements/chunk-statements.ts'

interface Reader {
  database: Database
  scope: Scope
}

/** A faulty row with its messages. A line that is not an object stays unchanged. */
function toJsonLine(raw: string, message: string): string {
  try {
    const line: unknown = JSON.parse(raw)
    return isObject(line) ? JSON.stringify({ ...line, [errorColumn]: message }) : raw
  } catch {
    return raw
  }
}

/**
 * Writes the lines of a CSV file of faulty rows. Messages are in the last column, after cells for all columns. In a wide file they are in the first
 * column, so that short rows stay short.
 */
function createLineWriter(header: readonly string[], delimiter: string) {
  const named = header.findLastIndex((cell) => cell.trim() !== '') + 1
  const isWide = named > paddedColumns
  const kept = header.keys().filter((index) => index < named && header[index]?.trim().toLowerCase() !== errorColumn)
  const indexes = [...kept]
  return (cells: readonly string[], message: string) => {
    const extra = cells.slice(header.length)
    const written = isWide
      ? [message, ...indexes.slice(0, cells.length).flatMap((index) => cells[index] ?? [])]
      : [...indexes.map((index) => cells[index] ?? ''), message]
    return toCsvLine([...written, ...extra].map(protectCell), delimiter)
  }
}

/** Messages of the issues of rows. */
async function findMessages({ database, scope }: Reader, { id }: StoredImport, numbers: readonly number[]) {
  if (numbers.length === 0) return new Map<number, string>()
  const values = { ...scope, import: id, rows: JSON.stringify(numbers) }
  const [faulty] = await database.run([chunkStatements.findFaultyOf(), values])
  return new Map(faulty.map(({ row, message }) => [row, message]))
}

/** Chunks with rows with issues. */
async function* readFaultyChunks({ database, scope }: Reader, { id }: StoredImport) {
  for (let after = -1; ; ) {
    const [[chunk]] = await database.run([chunkStatements.findFaulty(), { ...scope, import: id, after }])
    if (!chunk) return
    yield chunkRows.parse(chunk.rows)
    after = chunk.position
  }
}

/** Rows of a file as they came, in chunks. */
async function* readRawChunks({ database, scope }: Reader, { id }: StoredImport) {
  for (let after = -2 * chunksPerReading; ; ) {
    const [[chunk]] = await database.run([autoStatements.rawChunk(), { ...scope, import: id, after }])
    if (!chunk) return
    yield chunkRows.parse(chunk.rows)
    after = chunk.position
  }
}

/** The object in a part of a document, as a line that an import accepts. Other lines stay as they are. */
function toObjectLine(raw: string): string {
  const part: unknown = raw === '' ? undefined : JSON.parse(raw)
  const item = isObject(part) ? part['item'] : undefined
  if (!isObject(item) || !isObject(item['body'])) return raw
  return JSON.stringify({ resource: item['resource'], externalId: item['externalId'], ...item['body'] })
}

/**
 * The rows of a mapped file whose objects have issues, as they came. All rows of a product with a faulty variant are among them, so that the corrected
 * file has the whole product.
 */
async function* readMappedRows(reader: Reader, found: StoredImport): AsyncGenerator<string, void, undefined> {
  const reading = readStoredReading(found.reading)
  const isDocument = found.format === 'jsonl' && reading?.isOwnLines !== true
  const encoding = reading?.decodedAs ?? reading?.encoding ?? 'utf-8'
  const header = decode(readHeaderCells(found), encoding, reading?.encoding)
  const toLine = createLineWriter(header, found.delimiter ?? ',')
  if (found.format === 'csv') yield toLine(header, errorColumn)
  /** First row of the object by each of its other rows. */
  const firstRows = new Map<number, number>()
  for await (const rows of readFaultyChunks(reader, found)) {
    for (const { row, raw } of rows) for (const source of listSourceRows(raw)) firstRows.set(source, row)
  }
  const getFirst = ({ row }: ChunkRow) => firstRows.get(row) ?? row
  for await (const rows of readRawChunks(reader, found)) {
    const messages = await findMessages(reader, found, [...new Set(rows.map(getFirst))])
    const lines = rows.flatMap((stored) => {
      const message = messages.get(getFirst(stored))
      if (message === undefined) return []
      const { raw } = stored
      if (typeof raw !== 'string') return [toLine(decode(raw, encoding, reading?.encoding), message)]
      return [`${toJsonLine(isDocument ? toObjectLine(raw) : raw, message)}\n`]
    })
    if (lines.length > 0) yield lines.join('')
  }
}

/** The faulty rows of a file whose columns have the names of fields. */
async function* readStrictRows(reader: Reader, found: StoredImport): AsyncGenerator<string, void, undefined> {
  const header = readHeaderCells(found)
  const toLine = createLineWriter(header, found.delimiter ?? ',')
  if (found.format === 'csv') yield toLine(header, errorColumn)
  for await (const rows of readFaultyChunks(reader, found)) {
    const numbers = rows.map(({ row }) => row)
    const messages = await findMessages(reader, found, numbers)
    const lines = rows.flatMap(({ row, raw }) => {
      const message = messages.get(row)
      if (message === undefined) return []
      return typeof raw === 'string' ? [`${toJsonLine(raw, message)}\n`] : [toLine(raw, message)]
    })
    if (lines.length > 0) yield lines.join('')
  }
}

/** The faulty rows in the format of the file, unchanged, each with its messages in `error`. Cells never contain formulas. */
export const readFaultyRows = (reader: Reader, found: StoredImport): AsyncGenerator<string, void, undefined> =>
  found.mapping === 'auto' ? readMappedRows(reader, found) : readStrictRows(reader, found)
