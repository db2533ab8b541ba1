import { eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { allOf, param } from '../../../platform/db/database.ts'
import type { RowOf } from '../../../platform/db/query.ts'
import { importIssueTable as issues } from '../../../platform/db/schema/imports/imports.ts'
import { holdTexts } from '../../../platform/http/bodies/leased-texts.ts'
import type { Env } from '../../../platform/http/context.ts'
import { createPageStatements, readPage } from '../../../platform/http/keyset-list.ts'
import { listFields, nextLink } from '../../../platform/http/pagination.ts'
import { query } from '../../../platform/http/validation.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import { protectCell, toCsvLine } from '../../csv/cells.ts'
import type { importIssueView } from '../import-issue-view.ts'
import { paddedColumns } from '../import-limits.ts'
import type { StoredImport } from '../import-view.ts'
import { errorColumn } from '../rows/csv-header.ts'
import { getSeverity, issueSeverities, noticePrefix } from '../rows/issue-rows.ts'
import { chunkRows, readHeaderCells } from '../rows/stored-rows.ts'
import { chunkStatements } from '../statements/chunk-statements.ts'
import { findImport } from './find-import.ts'

const fields = {
  id: issues.id,
  row: issues.row,
  column: issues.column,
  pointer: issues.pointer,
  code: issues.code,
  message: issues.message,
  value: issues.value,
}
const createPages = (isWanted: SQL | undefined) =>
  createPageStatements(
    fields,
    allOf(eq(issues.merchantId, param('merchantId')), eq(issues.importId, param('import')), isWanted),
  )
const firstNotice = sql.raw(`'${noticePrefix}'`)
const pages = {
  issue: createPages(lt(issues.id, firstNotice)),
  notice: createPages(gte(issues.id, firstNotice)),
  all: createPages(undefined),
}

/** The query of the list of issues, which is in the order of the rows. */
export const issueQuery = z.strictObject({
  limit: listFields.limit,
  cursor: listFields.cursor,
  severity: z
    .optional(z.enum([...issueSeverities, 'all']))
    .check(
      z.describe('`issue`, the default: rows that are left out. `notice`: rows that are written. `all`: issues first.'),
    ),
})

const toIssueView = ({
  id,
  column,
  pointer,
  value,
  ...issue
}: RowOf<typeof fields>): z.output<typeof importIssueView> => ({
  ...issue,
  severity: getSeverity(id),
  column: column ?? undefined,
  pointer: pointer ?? undefined,
  value: value ?? undefined,
})

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

/** The faulty rows in the format of the file, unchanged, each with its messages in `error`. Cells never contain formulas. */
async function* readFaultyRows(c: Context<Env>, found: StoredImport): AsyncGenerator<string, void, undefined> {
  const { database, scope } = c.var
  const header = readHeaderCells(found)
  const toLine = createLineWriter(header, found.delimiter ?? ',')
  if (found.format === 'csv') yield toLine(header, errorColumn)
  for (let after = -1; ; ) {
    const [[chunk]] = await database.run([chunkStatements.findFaulty(), { ...scope, import: found.id, after }])
    if (!chunk) return
    const rows = chunkRows.parse(chunk.rows)
    const numbers = rows.map(({ row }) => row)
    const range = { firstRow: Math.min(...numbers), lastRow: Math.max(...numbers) }
    const [faulty] = await database.run([chunkStatements.findFaultyRows(), { ...scope, import: found.id, ...range }])
    const messages = new Map(faulty.map(({ row, message }) => [row, message]))
    const lines = rows.flatMap(({ row, raw }) => {
      const message = messages.get(row)
      if (message === undefined) return []
      return typeof raw === 'string' ? [`${toJsonLine(raw, message)}\n`] : [toLine(raw, message)]
    })
    if (lines.length > 0) yield lines.join('')
    after = chunk.position
  }
}

const contentTypes = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
} as const
const fileTypes = /text\/csv|application\/jsonl/i

/** Lists the issues of an import, or returns the faulty rows as a file. */
export const issueRoutes = new Hono<Env>().get('/:id/errors', query(issueQuery), async (c) => {
  const found = await findImport(c, c.req.param('id'), 'read')
  if (fileTypes.test(c.req.header('accept') ?? '')) {
    const body = await holdTexts(c, found.merchantId, readFaultyRows(c, found))
    return c.body(body, 200, {
      'content-type': contentTypes[found.format],
      'content-disposition': `attachment; filename="${found.id}-errors.${found.format}"`,
    })
  }
  const { database, scope } = c.var
  const values = { ...scope, import: found.id }
  const { severity = 'issue', ...selection } = c.req.valid('query')
  const { items, next } = await readPage(database, pages[severity], `${severity} of ${found.id}`, values, {
    ...selection,
    order: 'asc',
  })
  if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
  return c.json(items.map(toIssueView), 200)
})
