import { eq, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { auditTable as table } from '../core/audit.ts'
import { readRows } from '../core/damage.ts'
import { every } from '../core/database.ts'
import { nextLink, pageQuery, textFilter } from '../core/pagination.ts'
import { createReader } from '../core/reader.ts'
import { query } from '../core/validate.ts'
import type { Env } from '../env.ts'
import { pagesOf, readPage } from './pages.ts'

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

const given = sql.placeholder
const scoped = every(eq(table.merchantId, given('merchantId')), eq(table.testMode, given('testMode')))
/** Not by an index: a rare one reads all that a merchant has. */
const among = (name: 'key' | 'operation') => sql`(${given(name)} is null or ${table[name]} = ${given(name)})`
const some = every(scoped, among('key'), among('operation'))
const pages = {
  all: pagesOf(table, table.id, some),
  ofObject: pagesOf(sql`${table} indexed by audit_object`, table.id, every(some, eq(table.object, given('object')))),
}
export const readEntry = createReader(table, entryView)

/** Who changed what, newest first. */
export const audit = new Hono<Env>().get('/', query(auditQuery), async (c) => {
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
