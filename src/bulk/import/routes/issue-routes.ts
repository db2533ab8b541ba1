import { eq, gte, lt, or, type SQL, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { allOf, param } from '../../../platform/db/database.ts'
import type { RowOf } from '../../../platform/db/query.ts'
import { importIssueTable as issues } from '../../../platform/db/schema/imports/imports.ts'
import { holdTexts } from '../../../platform/http/bodies/leased-texts.ts'
import type { Env } from '../../../platform/http/context.ts'
import { createPageStatements, readPage } from '../../../platform/http/keyset-list.ts'
import { listFields, nextLink } from '../../../platform/http/pagination.ts'
import { query } from '../../../platform/http/validation.ts'
import type { importIssueView } from '../import-issue-view.ts'
import { getSeverity, issuePrefixes, issueSeverities } from '../rows/issue-rows.ts'
import { readFaultyRows } from './faulty-rows.ts'
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
const isListedIssue = lt(issues.id, sql.raw(`'${issuePrefixes.repeated}'`))
const isListedNotice = gte(issues.id, sql.raw(`'${issuePrefixes.notice}'`))
const pages = {
  issue: createPages(isListedIssue),
  notice: createPages(isListedNotice),
  all: createPages(or(isListedIssue, isListedNotice)),
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

const contentTypes = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
} as const
const fileTypes = /text\/csv|application\/jsonl/i

/** Lists the issues of an import, or returns the faulty rows as a file. */
export const issueRoutes = new Hono<Env>().get('/:id/errors', query(issueQuery), async (c) => {
  const found = await findImport(c, c.req.param('id'), 'read')
  if (fileTypes.test(c.req.header('accept') ?? '')) {
    const body = await holdTexts(c, found.merchantId, readFaultyRows(c.var, found))
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
