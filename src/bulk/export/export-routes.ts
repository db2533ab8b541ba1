import { Hono } from 'hono'
import { type Caller, createCaller } from '../../catalogue/resource/caller.ts'
import { requireScopes } from '../../platform/auth/authenticate.ts'
import { lazy } from '../../platform/db/database.ts'
import { type Lease, largeWork } from '../../platform/http/bodies/byte-budget.ts'
import { streamLeased } from '../../platform/http/bodies/leased-texts.ts'
import type { Env } from '../../platform/http/context.ts'
import { invalidParameter } from '../../platform/http/pagination.ts'
import { query } from '../../platform/http/validation.ts'
import { logFailure } from '../../platform/lib/text-stream.ts'
import { resourcePaths } from '../../platform/names.ts'
import { toCsvLine } from '../csv/cells.ts'
import { csvResources, hasMetadata, listColumns, listValues, toCells } from '../csv/columns.ts'
import { createExportPages, type ExportPages, exportMemory, type Render } from './export-pages.ts'
import { contentTypes, exportQuery, requireCsvResource, requireSheets } from './export-query.ts'
import { findLastEvent } from './export-statements.ts'
import { type ExportedResource, exportOrder } from './exported-resource.ts'

/** A resource to export, and its pages. */
interface ExportPart {
  path: string
  pages: ExportPages
}

/** The first line of a JSON Lines export. */
interface ExportHeader {
  merchantId: string
  testMode: boolean
  /** Seconds since 1970-01-01 UTC. */
  takenAt: number
  /** Id of the newest event at the start of the export. Undefined without events. */
  lastEvent: string | undefined
}

/** The lines of an export: the header, a line for each object, and the number of objects of each resource. */
async function* toJsonLines(
  caller: Caller,
  header: ExportHeader,
  parts: readonly ExportPart[],
  lease: Lease,
): AsyncGenerator<string, void, undefined> {
  yield `${JSON.stringify({ export: header })}\n`
  const counts: Record<string, number> = {}
  for (const { path, pages } of parts) {
    let exported = 0
    const render: Render = (object, { externalId, ...sides }) =>
      `${JSON.stringify({ resource: path, externalId, object, ...sides })}\n`
    for await (const { text, count } of pages.readPages(caller, render, lease)) {
      exported += count
      if (count > 0) yield text
    }
    counts[path] = exported
  }
  yield `${JSON.stringify({ end: { counts } })}\n`
}

/** The lines of a CSV export: the header row, and a row for each object. */
async function* toCsvLines(
  caller: Caller,
  resource: ExportedResource,
  pages: ExportPages,
  metadataKeys: readonly string[],
  lease: Lease,
): AsyncGenerator<string, void, undefined> {
  const columns = listColumns(resource, metadataKeys)
  yield toCsvLine(columns)
  const render: Render = (object, { externalId, limits }) =>
    toCsvLine(toCells(columns, { ...object, externalId, limits }))
  for await (const { text } of pages.readPages(caller, render, lease)) if (text !== '') yield text
}

/** Maximum number of metadata columns of a CSV export. */
export const maxMetadataColumns = 500

const allParts = lazy(() =>
  exportOrder.map((resource) => ({ resource, path: resource.path, pages: createExportPages(resource) })),
)
type Part = ReturnType<typeof allParts>[number]

async function listKeys(caller: Caller, { resource, pages }: Part, format: 'csv' | 'xlsx'): Promise<string[]> {
  const keys = hasMetadata(resource) ? await pages.listMetadataKeys(caller, maxMetadataColumns + 1) : []
  if (keys.length <= maxMetadataColumns) return keys
  const message = `cannot be ${format}: the objects have more than ${maxMetadataColumns} different metadata keys`
  throw invalidParameter('format', 'too_many', message)
}

const startCsv = async (caller: Caller, part: Part, lease: Lease) =>
  toCsvLines(caller, part.resource, part.pages, await listKeys(caller, part, 'csv'), lease)

/** The parts of a spreadsheet with a sheet for each resource. The code that writes it is loaded by the first one. */
async function startXlsx(caller: Caller, parts: readonly Part[], lease: Lease) {
  const { toXlsxRow, writeXlsx } = await import('./xlsx-writer.ts')
  const columns = new Map<Part, readonly string[]>()
  for (const part of parts) columns.set(part, listColumns(part.resource, await listKeys(caller, part, 'xlsx')))
  async function* readRows(part: Part, headings: readonly string[]) {
    const render: Render = (object, { externalId, limits }) =>
      toXlsxRow(listValues(headings, { ...object, externalId, limits }))
    for await (const { text } of part.pages.readPages(caller, render, lease)) if (text !== '') yield text
  }
  return writeXlsx(
    Array.from(columns, ([part, headings]) => ({ name: part.path, headings, rows: readRows(part, headings) })),
  )
}

async function startJsonLines(caller: Caller, takenAt: number, parts: readonly Part[], lease: Lease) {
  const { database, scope } = caller
  const [[event]] = await database.run([findLastEvent(), { ...scope }])
  return toJsonLines(caller, { ...scope, takenAt, lastEvent: event?.id }, parts, lease)
}

/** Streams the objects of a merchant as one file. */
export const exportRoutes = new Hono<Env>().get('/', query(exportQuery), async (c) => {
  const { format = 'jsonl', resources = format === 'xlsx' ? csvResources : resourcePaths } = c.req.valid('query')
  requireScopes(
    c.var.grantedScopes,
    resources.map((path) => `${path}:read` as const),
  )
  if (format === 'csv') requireCsvResource({ resources: [...resources] })
  if (format === 'xlsx') requireSheets(resources)
  const caller = createCaller(c)
  await Promise.all(exportOrder.map(({ details }) => details?.load()))
  const parts = allParts().filter(({ path }) => resources.includes(path))
  const nowMs = Date.now()
  const [first] = parts
  const lease = largeWork.open(caller.scope.merchantId)
  const start = async () => {
    await lease.hold(exportMemory.held)
    if (format === 'xlsx') return startXlsx(caller, parts, lease)
    return format === 'csv' && first
      ? startCsv(caller, first, lease)
      : startJsonLines(caller, Math.floor(nowMs / 1000), parts, lease)
  }
  const texts = await start().catch((error: unknown) => {
    lease.close()
    throw error
  })
  const name = `${resources.length === 1 ? resources.join() : 'export'}-${new Date(nowMs).toISOString().slice(0, 10)}.${format}`
  const body = await streamLeased(c, lease, logFailure(c.env, caller.scope.merchantId, texts))
  return c.body(body, 200, {
    'content-type': contentTypes[format],
    'content-disposition': `attachment; filename="${name}"`,
  })
})
