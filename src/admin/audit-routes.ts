import { eq, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { hasScope } from '../platform/auth/authenticate.ts'
import { allOf, lazy, param } from '../platform/db/database.ts'
import { directoryDatabase } from '../platform/db/home/d1-connection.ts'
import { db, listed, type RowOf, typed } from '../platform/db/query.ts'
import { auditTable as table } from '../platform/db/schema/audit.ts'
import { operatorTable } from '../platform/db/schema/directory/operators.ts'
import { isInScope } from '../platform/db/scope.ts'
import type { Bindings } from '../platform/env.ts'
import type { Env } from '../platform/http/context.ts'
import { textFilter } from '../platform/http/fields/query-parameters.ts'
import { createExaminedPages, createPageStatements, readPage } from '../platform/http/keyset-list.ts'
import { nextLink, pageQuery } from '../platform/http/pagination.ts'
import { query } from '../platform/http/validation.ts'
import { operatorIdPrefix } from '../platform/names.ts'

/** An audit entry in responses. */
export const entryView = z.object({
  id: z.string(),
  at: z.int().check(z.describe('Time of the change, in seconds since 1970-01-01 UTC.')),
  key: z
    .string()
    .check(
      z.describe(
        'Id of the API key, the platform key, the member or the operator that made the change, `operator` for the token of the operator, or `system` for the service itself.',
      ),
    ),
  name: z
    .optional(z.string())
    .check(z.describe('Name of the operator that made the change. Absent: no operator made it.')),
  requestId: z.optional(z.string()),
  operation: z.string().check(z.describe('Resource and action, for example `products.update`.')),
  object: z.string().check(z.describe('Id of the changed object.')),
  title: z
    .optional(z.string())
    .check(
      z.describe(
        'Title of the object, name of the person or location of the tag after the change. Absent if it has none, for entries of earlier releases, after the erasure of a customer, and for customers without the scope `customers:read`. Of `support.open`, the reason.',
      ),
    ),
  testMode: z.boolean(),
})

export const auditQuery = z.extend(pageQuery, { object: textFilter, key: textFilter, operation: textFilter })
/** No index serves these filters: a page examines a limited number of entries. */
const matchesFilter = (name: 'key' | 'operation') => sql`(${param(name)} is null or ${table[name]} = ${param(name)})`
const isSelected = allOf(matchesFilter('key'), matchesFilter('operation'))
/** The columns of an audit entry that the list returns. */
export const entryFields = {
  id: table.id,
  merchantId: table.merchantId,
  at: table.at,
  key: table.key,
  requestId: table.requestId,
  operation: table.operation,
  object: table.object,
  title: table.title,
  testMode: table.testMode,
}
const ofObject = {
  where: allOf(isInScope(table), eq(table.object, param('object'))),
  from: sql`${table} indexed by audit_object`,
}
const pages = {
  all: createPageStatements(entryFields, isInScope(table)),
  ofObject: createPageStatements(entryFields, ofObject.where, ofObject.from),
}
const filteredPages = {
  all: createExaminedPages(entryFields, isInScope(table), isSelected),
  ofObject: createExaminedPages(entryFields, ofObject.where, isSelected, ofObject.from),
}

/** The names of operators, also of removed ones. They are in the directory. */
const namesStatement = lazy(() =>
  typed({ id: operatorTable.id, name: operatorTable.name }, (select) =>
    db
      .select(select)
      .from(operatorTable)
      .where(sql`${operatorTable.id} in ${listed('ids')}`),
  ),
)
async function readOperatorNames(env: Bindings, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(keys)].filter((key) => key.startsWith(`${operatorIdPrefix}_`))
  if (ids.length === 0) return new Map()
  const [rows] = await directoryDatabase(env).run([namesStatement(), { ids: JSON.stringify(ids) }])
  return new Map(rows.map(({ id, name }) => [id, name]))
}

type StoredEntry = RowOf<typeof entryFields>
/** Titles of customers are their names. */
const namesCustomer = ({ operation }: Pick<StoredEntry, 'operation'>) => operation.startsWith('customers.')
const toView = (
  { merchantId, ...entry }: StoredEntry,
  names: ReadonlyMap<string, string>,
): z.output<typeof entryView> => ({
  ...entry,
  name: names.get(entry.key),
  requestId: entry.requestId ?? undefined,
  title: entry.title ?? undefined,
})

/** The audit log of a merchant, newest first. */
export const auditRoutes = new Hono<Env>().get('/', query(auditQuery), async (c) => {
  const filters = c.req.valid('query')
  const { object, key, operation } = filters
  const { database, scope } = c.var
  const list = scope.testMode ? 'audit of tests' : 'audit'
  const { all, ofObject } = key === undefined && operation === undefined ? pages : filteredPages
  const statements = object === undefined ? all : ofObject
  const { items, next } = await readPage(database, statements, list, { ...scope, object, key, operation }, filters)
  if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
  const mayReadCustomers = hasScope(c.var.grantedScopes, 'customers:read')
  const names = await readOperatorNames(
    c.env,
    items.map(({ key }) => key),
  )
  return c.json(
    items.map((entry) => toView(!mayReadCustomers && namesCustomer(entry) ? { ...entry, title: null } : entry, names)),
    200,
  )
})
