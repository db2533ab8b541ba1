import { Hono } from 'hono'
import * as z from 'zod/mini'
import type { Env } from '../../../platform/http/context.ts'
import {
  createCursor,
  invalidCursor,
  listFields,
  nextLink,
  pageSize,
  readPosition,
} from '../../../platform/http/pagination.ts'
import { query } from '../../../platform/http/validation.ts'
import { resourcePaths } from '../../../platform/names.ts'
import type { previewView } from '../auto/preview-view.ts'
import { chunksPerReading } from '../import-limits.ts'
import { getResources } from '../import-view.ts'
import { matchKeys } from '../process/find-targets.ts'
import { isNotice, type RowIssue } from '../rows/file-row.ts'
import { getSeverity } from '../rows/issue-rows.ts'
import { readPreparedLine } from '../rows/prepared-line.ts'
import { type ChunkRow, chunkRows } from '../rows/stored-rows.ts'
import { autoStatements } from '../statements/auto-statements.ts'
import { findImport } from './find-import.ts'

/** Query of a preview. */
export const previewQuery = z.strictObject({
  limit: listFields.limit,
  cursor: listFields.cursor,
  resource: z
    .optional(z.enum(resourcePaths, { error: `must be one of ${resourcePaths.join(', ')}` }))
    .check(z.describe('Resource of the objects. Default: the first one of the file other than modifiers.')),
})

type Shown = z.output<typeof previewView>
type StoredMatch = z.output<typeof storedMatches>[string]

/** Findings of the check about rows: the key that selects the object, empty if none does, and the outcome. */
const storedMatches = z.record(
  z.string(),
  z.tuple([z.enum([...matchKeys, '']), z.enum(['created', 'updated', 'unchanged', 'deleted', 'failed'])]),
)

const toIssue = ({ code, message, column, ...issue }: RowIssue): Shown['issues'][number] => ({
  severity: isNotice(issue) ? 'notice' : 'issue',
  code,
  message,
  column,
})

function toPreview({ row, raw }: ChunkRow, match: StoredMatch | undefined, found: Shown['issues']): Shown {
  const line = readPreparedLine(raw)
  if (line.kind !== 'object') return { row, object: {}, issues: [] }
  const { resource, externalId, body, details, metadata, shown, valueIssues = [] } = line.object
  const object = metadata ? { ...body, metadata: metadata.entries } : body
  const [how, outcome] = match ?? []
  return {
    row,
    resource,
    externalId,
    object,
    details,
    ...shown,
    outcome: outcome === 'deleted' || outcome === 'failed' ? undefined : outcome,
    how: how || undefined,
    issues: found.length > 0 ? found : valueIssues.map(toIssue),
  }
}

/** Position of a page: that of a chunk, and the index of its first row. */
function parsePosition(after: string | undefined, base: number) {
  if (after === undefined) return { from: base, index: 0 }
  const [, position, index] = /^(\d+)-(\d+)$/.exec(after) ?? []
  if (position === undefined) throw invalidCursor()
  return { from: Number(position), index: Number(index) }
}

/** Shows the objects that an import of a mapped file will write. */
export const previewRoutes = new Hono<Env>().get('/:id/preview', query(previewQuery), async (c) => {
  const found = await findImport(c, c.req.param('id'), 'read')
  const { database, scope } = c.var
  const { resource, ...selection } = c.req.valid('query')
  const wanted = resource ?? getResources(found).find((path) => path !== 'modifiers') ?? ''
  if (found.mapping !== 'auto') return c.json([], 200)
  const list = `preview of ${found.id} ${found.revision} ${wanted}`
  const keyset = { ...selection, order: 'asc' as const }
  const { from, index } = parsePosition(readPosition(list, scope, keyset).after, found.revision * chunksPerReading)
  const values = { ...scope, import: found.id, base: from, resource: wanted }
  const [[chunk], [, next]] = await database.run(
    [autoStatements.mappedChunk(), values],
    [autoStatements.mappedPositions(), values],
  )
  if (!chunk) return c.json([], 200)
  const all = chunkRows.parse(chunk.rows)
  const end = index + (selection.limit ?? pageSize.default)
  const rows = all.slice(index, end)
  const [issues] = await database.run([
    autoStatements.rowIssues(),
    { ...values, rows: JSON.stringify(rows.map(({ row }) => row)) },
  ])
  const byRow = Map.groupBy(issues, ({ row }) => row)
  const matches = storedMatches.parse(chunk.matches)
  const following = end < all.length ? `${chunk.position}-${end}` : next && `${next.position}-0`
  if (following) c.header('Link', nextLink(c.req.url, createCursor(list, scope, keyset, following)))
  return c.json(
    rows.map((row) => {
      const listed = (byRow.get(row.row) ?? []).map(({ id, code, message, column }) => ({
        severity: getSeverity(id),
        code,
        message,
        column: column ?? undefined,
      }))
      return toPreview(row, matches[row.row], listed)
    }),
    200,
  )
})
