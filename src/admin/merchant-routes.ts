import { eq, sql } from 'drizzle-orm'
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { isSameJson, merge } from '../catalogue/resource/merge-patch.ts'
import { busy, maxWriteAttempts, pauseAfter, withObjectLock } from '../catalogue/resource/object-lock.ts'
import { rejectFormerActor, requireCurrentActor } from '../platform/auth/current-actor.ts'
import { allOf, compile, lazy, param, toValues } from '../platform/db/database.ts'
import { homeStatements } from '../platform/db/home/home.ts'
import { renewObject } from '../platform/db/home/object-connection.ts'
import { columnParam, db, setColumns, withRawRows } from '../platform/db/query.ts'
import type { Row } from '../platform/db/row.ts'
import { homeObjectTable, homeTable } from '../platform/db/schema/directory/homes.ts'
import { merchantTable as table } from '../platform/db/schema/merchants.ts'
import { type Actor, commit, type Operation, type Write } from '../platform/db/transaction.ts'
import { invalid } from '../platform/errors.ts'
import { type Env, getActor, getMerchantId } from '../platform/http/context.ts'
import {
  createStateTag,
  getPrecondition,
  isPreconditionMet,
  preconditionFailed,
  revalidate,
} from '../platform/http/etag.ts'
import { textFilter } from '../platform/http/fields/query-parameters.ts'
import { idempotent } from '../platform/http/idempotency.ts'
import { readPage } from '../platform/http/keyset-list.ts'
import { nextLink, pageQuery } from '../platform/http/pagination.ts'
import { jsonBody } from '../platform/http/request-body.ts'
import { query } from '../platform/http/validation.ts'
import { createId } from '../platform/lib/ids.ts'
import { nowInSeconds } from '../platform/lib/time.ts'
import {
  checkCashRounding,
  checkHome,
  type Merchant,
  merchantRules,
  merchantUpdateRules,
  toMerchant,
} from './merchant-schemas.ts'
import { createMerchantPages, findMerchant, findStoredMerchant, merchantFields } from './stored-merchant.ts'
import { readMerchantPatch } from './support-access.ts'

/** Must precede the statement that names the object by its number. */
export const insertObject = lazy(() =>
  compile(
    db
      .insert(homeObjectTable)
      .values({ merchantId: param('id'), createdAt: columnParam(homeObjectTable.createdAt, 'createdAt') }),
  ),
)

const isMerchant = eq(table.id, param('id'))
/** `updatedAt` increases with every change and therefore detects concurrent updates. */
const isUnchanged = allOf(isMerchant, eq(table.updatedAt, param('expected')))
/** Excludes `id`: SQLite would check every row that refers to the merchant, even for an unchanged value. */
const updatableColumns = {
  name: columnParam(table.name, 'name'),
  timezone: columnParam(table.timezone, 'timezone'),
  currency: columnParam(table.currency, 'currency'),
  orderingUrl: columnParam(table.orderingUrl, 'orderingUrl'),
  sandboxUrl: columnParam(table.sandboxUrl, 'sandboxUrl'),
  destinationHosts: columnParam(table.destinationHosts, 'destinationHosts'),
  pricesIncludeTax: columnParam(table.pricesIncludeTax, 'pricesIncludeTax'),
  taxRate: columnParam(table.taxRate, 'taxRate'),
  taxRounding: columnParam(table.taxRounding, 'taxRounding'),
  taxRates: columnParam(table.taxRates, 'taxRates'),
  cashRounding: columnParam(table.cashRounding, 'cashRounding'),
  dayStartsAt: columnParam(table.dayStartsAt, 'dayStartsAt'),
  language: columnParam(table.language, 'language'),
  logo: columnParam(table.logo, 'logo'),
  color: columnParam(table.color, 'color'),
  theme: columnParam(table.theme, 'theme'),
  menuBar: columnParam(table.menuBar, 'menuBar'),
  publishBy: columnParam(table.publishBy, 'publishBy'),
  supportAccess: columnParam(table.supportAccess, 'supportAccess'),
  address: columnParam(table.address, 'address'),
  phone: columnParam(table.phone, 'phone'),
  website: columnParam(table.website, 'website'),
  openingHours: columnParam(table.openingHours, 'openingHours'),
  notes: columnParam(table.notes, 'notes'),
  closures: columnParam(table.closures, 'closures'),
  specialHours: columnParam(table.specialHours, 'specialHours'),
  hoursClose: columnParam(table.hoursClose, 'hoursClose'),
  updatedAt: columnParam(table.updatedAt, 'updatedAt'),
  suspendedAt: columnParam(table.suspendedAt, 'suspendedAt'),
  closedAt: columnParam(table.closedAt, 'closedAt'),
  deletesAt: columnParam(table.deletesAt, 'deletesAt'),
}
const statements = {
  insert: lazy(() =>
    compile(
      db.insert(table).values({
        ...updatableColumns,
        id: param('id'),
        createdAt: columnParam(table.createdAt, 'createdAt'),
      }),
    ),
  ),
  insertHome: lazy(() =>
    compile(
      db.insert(homeTable).values({
        merchantId: param('id'),
        kind: 'object',
        object: sql`last_insert_rowid()`,
        location: columnParam(homeTable.location, 'location'),
        jurisdiction: columnParam(homeTable.jurisdiction, 'jurisdiction'),
      }),
    ),
  ),
  update: lazy(() => compile(db.update(table).set(updatableColumns).where(isUnchanged).returning({ id: table.id }))),
}

/** The actor of a change to a merchant or its keys, which counts as live mode. */
export const getOperator = (c: Context<Env>, merchantId: string): Actor => ({
  ...getActor(c),
  scope: { merchantId, testMode: false },
})

/**
 * Commits a change to the merchant's rows in the directory, and refreshes the copies in the merchant's object. Returns the rows of each statement of
 * the change. `rest` can contain `requireCurrentActor`, whose error becomes that of a new request.
 */
export async function commitAsOperator(
  c: Context<Env>,
  merchantId: string,
  operation: Operation,
  writes: Write,
  rest: Write = [],
): Promise<Row[][]> {
  const find = homeStatements.find()
  const all: Write = [...rest, [withRawRows(find), { merchantId }]]
  const committed = commit(getOperator(c, merchantId), operation, writes, all)
  const results = await committed.catch((error: unknown) => rejectFormerActor(c, error))
  const [row] = results.at(-1) ?? []
  const home = row ? find.read(row) : 'd1'
  if (home !== 'd1') await renewObject(c.env, merchantId, home)
  return results
}

/** Updates a merchant without its damaged columns. */
const updateOthers = (damaged: readonly string[]) =>
  compile(
    sql`update ${table} set ${setColumns(
      table,
      Object.fromEntries(Object.entries(updatableColumns).filter(([key]) => !damaged.includes(key))),
    )} where ${isUnchanged} returning ${table.id}`,
  )

/** Responds with a merchant. Only operators see its home. */
function respond(c: Context<Env>, merchant: Merchant) {
  const { home: _, location: __, jurisdiction: ___, ...own } = merchant
  const shown: Merchant = c.var.scope ? own : merchant
  return c.json(shown, 200, { ETag: createStateTag({ version: merchant.updatedAt }, shown) })
}

/**
 * Updates a merchant to what `change` returns and responds, by default with the merchant. `change` may run several times. An unchanged
 * merchant is not written. Damaged fields stay as they are, except those that the request sets.
 */
export const updateMerchant = (
  c: Context<Env>,
  id: string,
  operation: string,
  change: (before: Merchant, now: number) => object,
  toResponse: (merchant: Merchant) => Response = (merchant) => respond(c, merchant),
  fieldsSet: readonly string[] = [],
) =>
  withObjectLock(JSON.stringify(['merchants', id]), async () => {
    for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
      c.var.database.usePrimary()
      const { merchant: before, unreadable } = await findStoredMerchant(c.var.database, id)
      const damaged = unreadable.filter((field) => !fieldsSet.includes(field))
      const now = nowInSeconds()
      const after = toMerchant(change(before, now))
      const repairs = damaged.length < unreadable.length
      if (!repairs && isSameJson(after, before)) return toResponse(before)
      const updated = { ...after, updatedAt: Math.max(now, before.updatedAt + 1) }
      const response = toResponse(updated)
      const update = damaged.length === 0 ? statements.update() : updateOthers(damaged)
      const write = [update, { ...toValues(merchantFields, updated), expected: before.updatedAt }] as const
      const named = { operation, object: id, response }
      const [rows = []] = await commitAsOperator(c, id, named, [write], requireCurrentActor(c))
      if (rows.length > 0) return response
      await pauseAfter(attempt)
    }
    throw busy()
  })

/** Updates the merchant in the path with a patch, if the request's condition holds. */
export function patchMerchant(c: Context<Env>, patch: object, toResponse?: (merchant: Merchant) => Response) {
  const [id, condition] = [getMerchantId(c), getPrecondition(c)]
  const change = (before: Merchant) => {
    if (condition && !isPreconditionMet(condition, { version: before.updatedAt })) throw preconditionFailed()
    const after = merge(before, { ...patch })
    const cashIssues = 'cashRounding' in patch || 'currency' in patch ? checkCashRounding(toMerchant(after)) : []
    if (cashIssues.length > 0) throw invalid(cashIssues)
    return after
  }
  return updateMerchant(c, id, 'merchants.update', change, toResponse, Object.keys(patch))
}

/** One merchant; mounted for the operator and for the merchant's own keys. */
export const merchantObjectRoutes = new Hono<Env>()
  .get('/', revalidate, async (c) => respond(c, await findMerchant(c.var.database, getMerchantId(c))))
  .post('/', jsonBody(merchantUpdateRules), idempotent, async (c) =>
    patchMerchant(c, readMerchantPatch(c, c.req.valid('json'))),
  )

/** `lower` of SQLite changes A–Z only, so other letters are compared as they are. */
export const merchantQuery = z.extend(pageQuery, {
  q: textFilter.check(
    z.describe('Returns only merchants whose name or id contains this text. Ignores the case of A–Z.'),
  ),
})

export const merchantRoutes = new Hono<Env>()
  .get('/', query(merchantQuery), async (c) => {
    const filters = c.req.valid('query')
    const { database } = c.var
    const pages = createMerchantPages(database)
    const { items, next } = await readPage(database, pages, 'merchants', { q: filters.q }, filters)
    if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
    return c.json(items, 200)
  })
  .post('/', jsonBody(merchantRules), idempotent, async (c) => {
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const now = nowInSeconds()
    const home = c.env.DEFAULT_HOME === 'object' ? 'object' : 'd1'
    const merchant = toMerchant({ home, ...merge({}, patch), id: createId('mer'), createdAt: now, updatedAt: now })
    const conflicts = [...checkHome(merchant), ...checkCashRounding(merchant)]
    if (conflicts.length > 0) throw invalid(conflicts)
    const response = c.json(merchant, 201, {
      Location: `${c.req.path}/${merchant.id}`,
      ETag: createStateTag({ version: merchant.updatedAt }, merchant),
    })
    const operation = { operation: 'merchants.create', object: merchant.id, response }
    const values = toValues(merchantFields, merchant)
    const object: Write = [
      [insertObject(), values],
      [statements.insertHome(), values],
    ]
    // Comes last, because the statement after the change stores the response if the last one wrote a row.
    await commitAsOperator(c, merchant.id, operation, [
      [statements.insert(), values],
      ...(merchant.home === 'object' ? object : []),
    ])
    return response
  })
  .route('/:merchantId', merchantObjectRoutes)
