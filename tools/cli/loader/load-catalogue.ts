import {
  ApiError,
  ConnectionError,
  createClient,
  type Import,
  type ImportOptions,
} from '../../../packages/client/src/client.ts'
import type { CatalogueFile } from './catalogue-file.ts'
import { createRows, type LoadingRow, listTargets, toImportLine } from './loaded-rows.ts'
import { resolvePictures } from './pictures.ts'

/** A merchant, its service, and a key. */
export interface MerchantAccount {
  /** Origin of the service, without a trailing slash. */
  url: string
  merchantId: string
  key: string
}

interface LoadOptions extends MerchantAccount {
  catalogue: CatalogueFile
  /** Updates the objects of rows that changed. */
  update?: boolean
  /** Cancels the import. Rows that were loaded stay. */
  signal?: AbortSignal | undefined
  onProgress?: ((current: Import) => void) | undefined
}

export interface LoadResult {
  rows: readonly LoadingRow[]
  /** The last import. Undefined if the service accepted none. */
  current?: Import | undefined
  /** Reason why some rows were not tried; undefined if all were tried. */
  stopped?: string | undefined
}

type Client = ReturnType<typeof createClient>

const isSound = ({ reasons }: LoadingRow) => reasons.length === 0

/** The issues of an import by the row of their line. */
async function listIssues({ imports }: Client, { id }: Import, rows: readonly LoadingRow[]) {
  const found = new Map<LoadingRow, string[]>()
  for await (const { row: line, pointer = '', message } of imports.errors(id)) {
    const row = rows[line - 1]
    if (row) found.set(row, [...(found.get(row) ?? []), `${pointer} ${message}`.trim()])
  }
  return found
}

/** The rows that can be imported, with their lines. */
function createLines(all: readonly LoadingRow[], byPlace: ReadonlyMap<string, LoadingRow>) {
  for (;;) {
    const rows = all.filter(isSound)
    const lines = rows.map((row) => toImportLine(row, byPlace))
    // Making a line rejects rows that name an index which does not exist. Others may refer to them.
    if (rows.every(isSound)) return { rows, lines }
  }
}

/**
 * Has the service check rows. A row that refers to a rejected one is checked again without that reference. Returns the import and the
 * rows of its lines. Undefined if every row is rejected.
 */
async function check(client: Client, all: readonly LoadingRow[], options: ImportOptions) {
  const byPlace = new Map(all.map((row) => [row.place, row]))
  for (;;) {
    const { rows, lines } = createLines(all, byPlace)
    if (rows.length === 0) return undefined
    const checked = await client.import(undefined, lines.join('\n'), { match: 'title', ...options })
    const issues = await listIssues(client, checked, rows)
    const isAffected = (row: LoadingRow) => listTargets(row, byPlace).some((target) => issues.has(target))
    const affected = issues.size === 0 ? [] : rows.filter(isAffected)
    for (const [row, reasons] of issues) if (!affected.includes(row)) row.reasons = reasons
    if (affected.length === 0) return { checked, rows }
    if (checked.state === 'ready') await client.imports.cancel(checked.id, options)
  }
}

/** Cancels an import. The response has the rows that were already applied. */
async function cancel({ imports }: Client, current: Import | undefined): Promise<Import | undefined> {
  if (!current) return undefined
  return await imports.cancel(current.id).catch(() => imports.retrieve(current.id).catch(() => current))
}

const interrupted = 'The load was interrupted.'

function describeFailure(error: unknown, url: string): string {
  if (error instanceof ConnectionError) return error.cause ? `${url} does not respond.` : error.message
  if (error instanceof ApiError && error.status < 500) return `The service rejected the file: ${error.message}`
  if (error instanceof ApiError) return `${url} returned ${error.status}: ${error.message}`
  throw error
}

/** Loads a catalogue into a merchant with an import. Objects that exist stay, so that a load can be started again. */
export async function loadCatalogue(options: LoadOptions): Promise<LoadResult> {
  const { catalogue, url, merchantId, key, update = false, signal, onProgress } = options
  const client = createClient({ origin: url, merchantId, key })
  const rows = createRows(resolvePictures(catalogue, url), update)
  let current: Import | undefined
  const see = (next: Import) => {
    current = next
    onProgress?.(next)
  }
  try {
    const found = await check(client, rows, { existing: update ? undefined : 'keep', onProgress: see, signal })
    if (found?.checked.state !== 'ready') return { rows, current, stopped: describeEnd(current) }
    current = await client.imports.apply(found.checked.id, { onProgress: see, signal })
    for (const [row, reasons] of await listIssues(client, current, found.rows)) row.reasons = reasons
    return { rows, current, stopped: describeEnd(current) }
  } catch (error) {
    if (signal?.aborted) return { rows, current: await cancel(client, current), stopped: interrupted }
    return { rows, current, stopped: describeFailure(error, url) }
  }
}

/** Why an import ended before all rows were tried. A check that rejected every row has tried them. */
function describeEnd(current: Import | undefined): string | undefined {
  if (!current || current.state === 'done' || (current.state === 'failed' && current.failed >= current.rows))
    return undefined
  return `The import ${current.id} is ${current.state}.`
}
