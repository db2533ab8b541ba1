import { eq, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { readRows } from '../db/damaged-rows.ts'
import { allOf, param } from '../db/database.ts'
import { createRowReader } from '../db/row-reader.ts'
import { auditTable as table } from '../db/schema/audit.ts'
import type { Env } from '../http/context.ts'
import { createPageStatements, readPage } from '../http/keyset-list.ts'
import { nextLink, pageQuery, textFilter } from '../http/pagination.ts'
import { query } from '../http/validation.ts'

/** An entry as it is shown. */
export const entryView = z.object({
  id: z.string(),
  at: z.int().check(z.describe('Seconds since 1970-01-01 UTC.')),
  key: z.string().check(z.describe('The id of an API key, `operator`, or `system`: the service itself.')),
  requestId: z.optional(z.string()),
  operation: z.string().check(z.describe('`products.update`, for example.')),
  object: z.string().check(z.describe('The id of what was changed.')),
  testMode: z.boolean(),
})

export const auditQuery = z.extend(pageQuery, { object: textFilter, key: textFilter, operation: textFilter })
const scoped = allOf(eq(table.merchantId, param('merchantId')), eq(table.testMode, param('testMode')))
/** Not by an index: a rare one reads all that a merchant has. */
const matchesFilter = (name: 'key' | 'operation') => sql`(${param(name)} is null or ${table[name]} = ${param(name)})`
const isSelected = allOf(scoped, matchesFilter('key'), matchesFilter('operation'))
const pages = {
  all: createPageStatements(table, table.id, isSelected),
  ofObject: createPageStatements(
    sql`${table} indexed by audit_object`,
    table.id,
    allOf(isSelected, eq(table.object, param('object'))),
  ),
}
export const readEntry = createRowReader(table, entryView)

/** Who changed what, newest first. */
export const auditRoutes = new Hono<Env>().get('/', query(auditQuery), async (c) => {
  const asked = c.req.valid('query')
  const { object, key, operation } = asked
  const values = { ...c.var.scope, object, key, operation }
  const list = c.var.scope.testMode ? 'audit of tests' : 'audit'
  const { rows, next } = await readPage(
    c.var.database,
    object === undefined ? pages.all : pages.ofObject,
    list,
    values,
    asked,
  )
  if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
  return c.json(readRows(c.var.database, rows, readEntry), 200)
})
