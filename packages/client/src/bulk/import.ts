import type { Import } from '../models.ts'
import { pause, type RequestOptions, type Transport } from '../transport.ts'
import type { ResourcePath } from './batch.ts'

/** Options of an import. */
export interface ImportOptions extends RequestOptions {
  /** Media type of the file. Default: that of a `Blob`, or `application/jsonl`. */
  type?: 'text/csv' | 'application/jsonl'
  /** Field that selects the object of a row. `title`: the external id, or else the title. Default: `externalId`. */
  match?: 'externalId' | 'id' | 'sku' | 'title'
  /** `keep` leaves existing objects unchanged, and only creates the others. */
  existing?: 'keep' | undefined
  /** `missing` deletes objects with an external id that the file does not name. */
  delete?: 'missing'
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

/** Uploads a file and waits until it is checked, or applied with `apply`. */
export async function startImport(
  transport: Transport,
  path: string,
  resource: ResourcePath | undefined,
  data: Blob | string,
  { type, match, existing, delete: deletion, counters, apply, onProgress, ...options }: ImportOptions = {},
): Promise<Import> {
  const declared = typeof data === 'string' ? '' : data.type
  const created = await transport.read<Import>({
    method: 'POST',
    path,
    query: { resource, match, existing, delete: deletion, counters, apply },
    file: { data, type: type ?? (declared || 'application/jsonl') },
    ...options,
  })
  onProgress?.(created)
  return awaitImport(transport, `${path}/${created.id}`, { onProgress, signal: options.signal })
}
