import type { ImportFormat, ImportMatch } from '../../../platform/db/schema/imports/imports.ts'
import type { Write } from '../../../platform/db/transaction.ts'
import { invalid } from '../../../platform/errors.ts'
import type { Lease } from '../../../platform/http/bodies/byte-budget.ts'
import { estimateBytes } from '../../../platform/lib/byte-cache.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import { chunkLimits, importLimits, uploadMemory } from '../import-limits.ts'
import { pauseUpload } from '../pace.ts'
import type { FileRow, RowIssue } from '../rows/file-row.ts'
import { createFileRowReader, type FileShape } from '../rows/file-row-reader.ts'
import { type StoredIssue, toStoredIssues } from '../rows/issue-rows.ts'
import { readSku, readTitle } from '../rows/row-keys.ts'
import type { RowObject } from '../rows/row-object.ts'
import { createChunkWriter } from './chunk-writer.ts'
import { readCsvRows } from './csv-rows.ts'
import { readJsonRows } from './json-rows.ts'
import { readText } from './read-text.ts'

/** Finds rows whose key an earlier row of the file has. */
function createKeyIndex(format: ImportFormat, hasSkuKeys: boolean) {
  const seen = new Set<string>()
  let bytes = 0
  const listKeys = (object: RowObject): [name: string, value: string | undefined][] => [
    ['id', object.id],
    ['externalId', object.externalId],
    ['sku', hasSkuKeys ? readSku(object) : undefined],
  ]
  return {
    /** Memory of the keys. */
    get bytes(): number {
      return bytes
    },

    /** Remembers the keys of a row. Returns an issue if an earlier row has one of them. */
    add(object: RowObject): RowIssue | undefined {
      let issue: RowIssue | undefined
      for (const [name, value] of listKeys(object)) {
        if (value === undefined) continue
        const key = JSON.stringify([object.resource, name, value])
        if (seen.has(key)) {
          const place = format === 'csv' ? { column: name } : { pointer: `/${name}` }
          issue ??= { ...place, code: 'duplicate', message: 'was used as the key of an earlier row', value }
        }
        seen.add(key)
        bytes += estimateBytes(key)
      }
      return issue
    },
  }
}

/** Numbers rows with the same title. */
function createTitleIndex(testMode: boolean) {
  const counts = new Map<string, number>()
  let bytes = 0
  return {
    get bytes(): number {
      return bytes
    },
    /** The number of a row among those with its title, if it is not the first of them. */
    add(object: RowObject): number | undefined {
      const title = readTitle(object, testMode)
      if (title === undefined) return undefined
      const key = JSON.stringify([object.resource, title])
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      if (count > 1) return count
      bytes += estimateBytes(key)
      return undefined
    },
  }
}

/** Contents of a file. */
interface UploadSummary extends FileShape {
  rows: number
  resources: ReadonlySet<ResourcePath>
  hasUnreadableRow: boolean
  /** Issues of the file as a whole. */
  issues: readonly StoredIssue[]
  /** Statements that insert the last chunks. */
  rest: Write
}

interface ImportUpload extends Pick<FileShape, 'format' | 'resource'> {
  importId: string
  merchantId: string
  match: ImportMatch
  testMode: boolean
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  lease: Pick<Lease, 'hold'>
  /** Runs the statements that insert full chunks. */
  run(writes: Write): Promise<unknown>
}

const tooManyRows = () =>
  invalid([
    { pointer: '', code: 'too_many', message: `must have at most ${importLimits.rows.toLocaleString('en')} rows` },
  ])

/** Throws if a header has more columns than a file can have. Columns without a name after the last named one do not count. */
function requireFewColumns(header: readonly string[]): void {
  const { columns, cells } = importLimits
  const named = header.findLastIndex((cell) => cell.trim() !== '') + 1
  if (named <= columns && header.length <= cells) return
  const message = `must have at most ${columns.toLocaleString('en')} columns`
  throw invalid([{ pointer: '', code: 'too_many', message }])
}

/** Reads a file and inserts its rows in chunks, while it arrives. Throws if the file exceeds a limit or is not UTF-8. */
export async function storeUpload(upload: ImportUpload): Promise<UploadSummary> {
  const { format, resource, importId, merchantId, lease, run } = upload
  const shape: FileShape = { format, resource, header: [], delimiter: ',' }
  const texts = readText(upload.body, importLimits.fileBytes)
  const onDelimiter = (delimiter: string) => {
    shape.delimiter = delimiter
  }
  const fileRows = format === 'csv' ? readCsvRows(texts, onDelimiter) : readJsonRows(texts)
  const writer = createChunkWriter(importId, merchantId)
  const keys = createKeyIndex(format, upload.match === 'sku')
  const titles = upload.match === 'title' ? createTitleIndex(upload.testMode) : undefined
  const resources = new Set(resource === undefined ? [] : [resource])
  const issues: StoredIssue[] = []
  let reader = format === 'csv' ? undefined : createFileRowReader(shape)
  let rows = 0
  let lastRow = 1
  let hasUnreadableRow = false
  /** Bytes of keys that the lease holds. */
  let heldKeys = uploadMemory.growth
  const seen = { export: false, end: false }

  const add = async (fileRow: FileRow, object: RowObject) => {
    if (++rows > importLimits.rows) throw tooManyRows()
    if (object.resource) resources.add(object.resource)
    hasUnreadableRow ||= fileRow.issue !== undefined || object.issues.length > 0
    const duplicate = keys.add(object)
    const copy = titles?.add(object)
    const keyBytes = keys.bytes + (titles?.bytes ?? 0)
    if (keyBytes > heldKeys) {
      heldKeys = keyBytes + uploadMemory.growth
      await lease.hold(uploadMemory.base + heldKeys)
    }
    const issue = fileRow.issue ?? duplicate
    const writes = writer.add({ ...fileRow, ...(issue && { issue }), ...(copy !== undefined && { copy }) }, object)
    if (writes.length === 0) return
    await run(writes)
    await pauseUpload(chunkLimits.rows)
  }

  for await (const fileRow of fileRows) {
    lastRow = fileRow.row
    if (!reader) {
      shape.header = [fileRow.raw].flat()
      requireFewColumns(shape.header)
      reader = createFileRowReader(shape)
      issues.push(...toStoredIssues(fileRow.row, [...(fileRow.issue ? [fileRow.issue] : []), ...reader.issues]))
      continue
    }
    const line = reader.read(fileRow.raw)
    if (line.kind === 'object') await add(fileRow, line.object)
    else seen[line.kind] = true
  }
  const missing: RowIssue[] = [
    ...(rows === 0 ? [{ code: 'required', message: 'has no rows' }] : []),
    ...(seen.export && !seen.end ? [{ code: 'required', message: 'lacks the last line of the export' }] : []),
  ]
  const ofFile = issues.length > 0 ? issues : toStoredIssues(lastRow, missing)
  return { ...shape, rows, resources, hasUnreadableRow, issues: ofFile, rest: writer.finish() }
}
