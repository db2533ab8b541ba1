import type { Caller } from '../../../catalogue/resource/caller.ts'
import type { Write } from '../../../platform/db/transaction.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { Lease } from '../../../platform/http/bodies/byte-budget.ts'
import { chunkLimits, importLimits, uploadMemory } from '../import-limits.ts'
import type { StoredImport } from '../import-view.ts'
import { isResourcePath } from '../rows/imported-resource.ts'
import { listResources, type MappedRow, mapFile } from './map-file.ts'
import { type RawFile, readAnyFile } from './read-upload.ts'
import { recallChoices } from './remembered-mapping.ts'
import { storeMappedRows, storeRawRows } from './store-file.ts'
import type { StoredChoices, StoredReading } from './stored-reading.ts'
import { readMappedVenue } from './venue-parts.ts'

/** Memory of a file that is read as a whole, as a multiple of its size: its bytes, its text, and its rows. */
const memoryFactor = 2.5

async function readBytes(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  lease: Pick<Lease, 'hold'>,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  let held = uploadMemory.growth
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > importLimits.fileBytes) {
      throw new ApiError(
        'body_too_large',
        `The file has more than ${importLimits.fileBytes.toLocaleString('en')} bytes.`,
      )
    }
    parts.push(chunk)
    if (length * memoryFactor <= held) continue
    held = length * memoryFactor + uploadMemory.growth
    await lease.hold(uploadMemory.base + held)
  }
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}

/** The parts of an import that follow from the reading of its file. */
export function describeMapping(reading: StoredReading, rows: readonly MappedRow[]) {
  const isHelper = ({ row }: MappedRow) => row > reading.lastRow
  return {
    state: reading.questions.length > 0 ? ('asking' as const) : ('checking' as const),
    reading,
    resources: listResources(rows),
    /** Rows that the mapping adds, such as a menu, do not count. */
    rows: rows.filter((row) => !isHelper(row)).length,
    hasUnreadableRow: rows.some(
      ({ resource, issues }) => resource === undefined || issues.some(({ pointer }) => pointer === ''),
    ),
  }
}

interface AutoUpload {
  started: StoredImport
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  choices: StoredChoices
  /** Name of the sheet of a spreadsheet. */
  sheet: string | undefined
  caller: Caller
  grantedScopes: readonly string[] | undefined
  lease: Pick<Lease, 'hold'>
  run(writes: Write): Promise<unknown>
}

/** Reads a file of any kind, and inserts its rows as they came and as they will be checked. */
export async function storeAutoUpload({
  started,
  chunks,
  choices,
  sheet,
  caller,
  grantedScopes,
  lease,
  run,
}: AutoUpload) {
  const venue = await readMappedVenue(caller, grantedScopes)
  const wanted = isResourcePath(started.resource) ? started.resource : undefined
  const file: RawFile = await readAnyFile(await readBytes(chunks, lease), venue.currency, {
    ...{ sheet, wanted, origin: started.baseUrl ?? undefined },
  })
  const remembered = await recallChoices(caller, file, wanted)
  const suggested = file.suggested === undefined ? {} : { encoding: file.suggested }
  const mapped = await mapFile(file, wanted, { ...suggested, ...remembered, ...choices }, venue)
  const { rows } = mapped
  const reading = remembered ? { ...mapped.reading, remembered: true } : mapped.reading
  const ids = { importId: started.id, merchantId: started.merchantId }
  await storeRawRows(ids, file.rows, run)
  await storeMappedRows(ids, started.revision, rows, run)
  return {
    ...describeMapping(reading, rows),
    format: file.header ? ('csv' as const) : ('jsonl' as const),
    header: file.header ? [...file.header] : null,
    delimiter: file.delimiter ?? null,
    samples: file.rows.slice(0, chunkLimits.rows).map(({ raw }) => raw),
  }
}
