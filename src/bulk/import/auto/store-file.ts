import type { Database } from '../../../platform/db/database.ts'
import type { Scope } from '../../../platform/db/scope.ts'
import type { Write } from '../../../platform/db/transaction.ts'
import { chunkLimits, chunksPerReading } from '../import-limits.ts'
import { pauseUpload } from '../pace.ts'
import type { FileRow } from '../rows/file-row.ts'
import type { RowObject } from '../rows/row-object.ts'
import { chunkRows } from '../rows/stored-rows.ts'
import { autoStatements } from '../statements/auto-statements.ts'
import { createChunkWriter } from '../upload/chunk-writer.ts'
import type { MappedRow } from './map-file.ts'

type Run = (writes: Write) => Promise<unknown>

/** Inserts full chunks. */
async function insert(run: Run, writes: Write): Promise<void> {
  if (writes.length === 0) return
  await run(writes)
  await pauseUpload(chunkLimits.rows)
}

const noObject: RowObject = { resource: undefined, id: undefined, externalId: undefined, body: {}, issues: [] }

/** Inserts the rows of a file as they came. */
export async function storeRawRows(
  ids: { importId: string; merchantId: string },
  rows: readonly FileRow[],
  run: Run,
): Promise<void> {
  const writer = createChunkWriter(ids.importId, ids.merchantId, -chunksPerReading)
  for (const row of rows) {
    await insert(run, writer.add(row, noObject))
  }
  await run(writer.finish())
}

/** Inserts the rows of a mapping. Later rows with the key of an earlier one get an issue. */
export async function storeMappedRows(
  ids: { importId: string; merchantId: string },
  revision: number,
  rows: readonly MappedRow[],
  run: Run,
): Promise<void> {
  const writer = createChunkWriter(ids.importId, ids.merchantId, revision * chunksPerReading)
  const seen = new Set<string>()
  for (const { row, issues, ...line } of rows) {
    const duplicates = (['id', 'externalId'] as const).flatMap((name) => {
      const { [name]: value } = line
      const key = JSON.stringify([line.resource, name, value])
      const isSeen = value !== undefined && seen.has(key)
      seen.add(key)
      return isSeen
        ? [{ pointer: `/${name}`, code: 'duplicate', message: 'was used as the key of an earlier row', value }]
        : []
    })
    const raw = JSON.stringify({ ...line, issues: [...issues, ...duplicates] })
    const writes = writer.add(
      { row, raw },
      { ...noObject, resource: line.resource, id: line.id, externalId: line.externalId },
    )
    await insert(run, writes)
  }
  await run(writer.finish())
}

/** Reads the rows of a file as they came. */
export async function readRawRows(database: Database, scope: Scope, importId: string): Promise<FileRow[]> {
  const rows: FileRow[] = []
  for (let after = -2 * chunksPerReading; ; ) {
    const [[chunk]] = await database.run([autoStatements.rawChunk(), { ...scope, import: importId, after }])
    if (!chunk) return rows
    rows.push(...chunkRows.parse(chunk.rows))
    after = chunk.position
  }
}
