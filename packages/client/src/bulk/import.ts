import type { Import } from '../models.ts'
import { pause, type RequestOptions, type Transport } from '../transport.ts'
import type { ResourcePath } from './batch.ts'

/** Options of an import. */
export interface ImportOptions extends RequestOptions {
  /** Media type of the file. Default: that of a `Blob`, or `application/jsonl`. With `mapping: 'auto'`, the content decides. */
  type?: 'text/csv' | 'application/jsonl'
  /** `auto` reads files of other systems and asks what it cannot know. Default: `strict`, whose columns have the names of fields. */
  mapping?: 'strict' | 'auto' | undefined
  /** With `mapping: 'auto'`: name of the sheet of a spreadsheet. Default: the first visible one. */
  sheet?: string | undefined
  /** With `mapping: 'auto'`: title of the menu whose sections are the categories of the file, or `none`. */
  menu?: string | undefined
  /**
   * Field that selects the object of a row. `title`: the external id, or else the title. `auto`, the default with `mapping: 'auto'`: the first of external id, id,
   * SKU, barcode and title that selects an object. Default otherwise: `externalId`.
   */
  match?: 'externalId' | 'id' | 'sku' | 'title' | 'auto' | undefined
  /** `keep` leaves existing objects unchanged, and only creates the others. */
  existing?: 'keep' | undefined
  /** `missing` deletes objects with an external id that the file does not name. */
  delete?: 'missing'
  /** With `mapping: 'auto'` and `delete`: maximum number of objects to delete. */
  confirmDeletes?: number | undefined
  /** `set` sets `stockQuantity` and `timesRedeemed` of existing objects to the values in the file. Default: they stay unchanged. */
  counters?: 'set'
  /** Applies the import if no row has an issue. Otherwise it stays `ready`. */
  apply?: boolean
  /** Called with each state that the client sees. */
  onProgress?: ((current: Import) => void) | undefined
}

const running: ReadonlySet<Import['state']> = new Set(['checking', 'applying'])
const firstPollMs = 100
const maxPollMs = 1_000

/** Reads an import until it no longer runs. An import that waits for `apply` no longer runs. */
export async function awaitImport(
  transport: Transport,
  path: string,
  { onProgress, signal }: Pick<ImportOptions, 'onProgress' | 'signal'> = {},
): Promise<Import> {
  for (let pauseMs = firstPollMs; ; pauseMs = Math.min(pauseMs * 2, maxPollMs)) {
    const current = await transport.read<Import>({ method: 'GET', path, signal })
    onProgress?.(current)
    if (!running.has(current.state)) return current
    await pause(pauseMs, signal)
    signal?.throwIfAborted()
  }
}

/** Uploads a file and waits until it is checked, or applied with `apply`. An import with open questions is `asking`. */
export async function startImport(
  transport: Transport,
  path: string,
  resource: ResourcePath | undefined,
  data: Blob | string,
  {
    type,
    mapping,
    sheet,
    menu,
    match,
    existing,
    delete: deletion,
    confirmDeletes,
    counters,
    apply,
    onProgress,
    ...options
  }: ImportOptions = {},
): Promise<Import> {
  const declared = typeof data === 'string' ? '' : data.type
  const created = await transport.read<Import>({
    method: 'POST',
    path,
    query: { resource, mapping, sheet, menu, match, existing, delete: deletion, confirmDeletes, counters, apply },
    file: { data, type: type ?? (declared || 'application/jsonl') },
    ...options,
  })
  onProgress?.(created)
  return awaitImport(transport, `${path}/${created.id}`, { onProgress, signal: options.signal })
}
