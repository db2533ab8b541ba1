import { eq, sql } from 'drizzle-orm'
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { readRows } from '../db/damaged-rows.ts'
import { allOf, columnParams, compile, compileInsert, type Database, lazy, param, updateSet } from '../db/database.ts'
import { createRowReader } from '../db/row-reader.ts'
import { merchantTable as table } from '../db/schema/merchants.ts'
import { type Actor, commit } from '../db/transaction.ts'
import { invalid, notFound } from '../errors.ts'
import type { Env } from '../http/context.ts'
import { getActor } from '../http/context.ts'
import { createStateTag, getPrecondition, isPreconditionMet, preconditionFailed, revalidate } from '../http/etag.ts'
import * as field from '../http/fields.ts'
import { createPageStatements, readPage } from '../http/keyset-list.ts'
import { nextLink, pageQuery } from '../http/pagination.ts'
import { jsonBody } from '../http/request-body.ts'
import { query } from '../http/validation.ts'
import { createId } from '../lib/ids.ts'
import * as webAddress from '../lib/web-address.ts'
import { merge } from '../resource/merge-patch.ts'
import { busy, maxWriteAttempts, pauseAfter, withObjectLock } from '../resource/object-lock.ts'

function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const placeholderPattern = /\{(?:tag|code|merchant|metadata\.[^{}]{1,64})\}/g

/** An address with places to fill in, none of them where it says which host it leads to. */
function isAddressTemplate(template: string): boolean {
  const [, authority = ''] = /^https?:\/\/([^/?#\\]*)/i.exec(template) ?? []
  if (authority === '' || /[{}]/.test(authority)) return false
  const filled = template.replace(placeholderPattern, 'x')
  return !/[{}]/.test(filled) && webAddress.isWebAddress(filled)
}

const createFormatRule = (test: (text: string) => boolean, message: string) => (text: string) =>
  test(text) ? undefined : ({ code: 'invalid_format', message } as const)

const addressTemplate = field.exactText({
  min: 1,
  max: field.limits.url,
  form: createFormatRule(
    isAddressTemplate,
    'must be an http or https address; {tag}, {code}, {merchant} and {metadata.KEY} may stand behind the host',
  ),
})

const defaults = { timezone: 'UTC' }

const placeholders = '`{tag}`, `{code}`, `{merchant}` and `{metadata.KEY}` are filled in behind the host.'
const fields = z.strictObject({
  name: field.title,
  timezone: z
    .nullish(field.exactText({ max: 64, form: createFormatRule(isTimeZone, 'must be the name of an IANA time zone') }))
    .check(z.describe(`The name of an IANA time zone. By default \`${defaults.timezone}\`.`)),
  currency: z
    .nullish(
      field.exactText({
        max: 3,
        form: createFormatRule((code) => Intl.supportedValuesOf('currency').includes(code), 'must be an ISO 4217 code'),
      }),
    )
    .check(z.describe('An ISO 4217 code.')),
  orderingUrl: z.nullish(addressTemplate).check(z.describe(`Where live tags lead. ${placeholders}`)),
  sandboxUrl: z.nullish(addressTemplate).check(z.describe(`Where test tags lead. ${placeholders}`)),
})

const item = z.object({
  id: z.string(),
  name: z.string(),
  timezone: z.string(),
  currency: z.optional(z.string()),
  orderingUrl: z.optional(z.string()),
  sandboxUrl: z.optional(z.string()),
  createdAt: z.int(),
  updatedAt: z.int(),
})

const readOnly = new Set(Object.keys(item.shape).filter((key) => !(key in fields.shape)))
const partial = z.partial(fields)
/** What operators send and are shown. */
export const merchantSchemas = { create: fields, update: partial, view: item }
const rules = { schema: fields, partial, readOnly }
const updateRules = { schema: partial, partial, readOnly }

export const readMerchant = createRowReader(table, item)

const columns = Object.keys(item.shape)
/** What an update sets; to set `id`, even to what it is, would have SQLite look at every row of the merchant's in every table. */
const updatableColumns = columns.filter((key) => key !== 'id' && key !== 'createdAt')
const isMerchant = eq(table.id, param('id'))
const statements = {
  find: lazy(() => compile(sql`select * from ${table} where ${isMerchant}`)),
  insert: lazy(() => compileInsert(table, columns)),
  /** `updatedAt` grows with every change, so it says whether what was read still holds. */
  update: lazy(() => {
    const unchanged = allOf(isMerchant, eq(table.updatedAt, param('expected')))
    return compile(sql`${updateSet(table, columnParams(table, updatableColumns))} where ${unchanged} returning *`)
  }),
  list: createPageStatements(table, table.id),
}

/** A merchant by its id; fails with `not_found`. */
export async function findMerchant(database: Database, id: string) {
  const [rows = []] = await database.run([statements.find(), { id }])
  const [found] = rows.map(readMerchant)
  if (!found) throw notFound()
  return found
}

/** The operator, at work on what belongs to a merchant; that counts as live. */
export const getOperator = (c: Context<Env>, merchantId: string): Actor => ({
  ...getActor(c),
  scope: { merchantId, testMode: false },
})

/** `updatedAt` is the version: it grows with every change. */
const createMerchantEtag = (merchant: z.output<typeof item>) => createStateTag(merchant.updatedAt, merchant)

export const merchantRoutes = new Hono<Env>()
  .get('/', query(pageQuery), async (c) => {
    const { rows, next } = await readPage(c.var.database, statements.list, 'merchants', {}, c.req.valid('query'))
    if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
    return c.json(readRows(c.var.database, rows, readMerchant), 200)
  })
  .post('/', jsonBody(rules), async (c) => {
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const now = Math.floor(Date.now() / 1000)
    const merchant = item.parse({
      ...defaults,
      ...merge({}, patch),
      id: createId('mer'),
      createdAt: now,
      updatedAt: now,
    })
    const answer = async () =>
      c.json(merchant, 201, { Location: `${c.req.path}/${merchant.id}`, ETag: createMerchantEtag(merchant) })
    const operation = { operation: 'merchants.create', object: merchant.id, answer }
    await commit(getOperator(c, merchant.id), operation, [[statements.insert(), merchant]])
    return answer()
  })
  .get('/:merchantId', revalidate, async (c) => {
    const merchant = await findMerchant(c.var.database, c.req.param('merchantId'))
    return c.json(merchant, 200, { ETag: createMerchantEtag(merchant) })
  })
  .post('/:merchantId', jsonBody(updateRules), async (c) => {
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const [id, condition] = [c.req.param('merchantId'), getPrecondition(c)]
    return withObjectLock(JSON.stringify(['merchants', id]), async () => {
      for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
        c.var.database.usePrimary()
        const before = await findMerchant(c.var.database, id)
        if (condition && !isPreconditionMet(condition, before.updatedAt)) throw preconditionFailed()
        const after = item.parse({ ...defaults, ...merge(before, patch) })
        if (JSON.stringify(after) === JSON.stringify(before))
          return c.json(before, 200, { ETag: createMerchantEtag(before) })
        const updatedAt = Math.max(Math.floor(Date.now() / 1000), before.updatedAt + 1)
        const updated = { ...after, updatedAt }
        const answer = async () => c.json(updated, 200, { ETag: createMerchantEtag(updated) })
        const operation = { operation: 'merchants.update', object: id, answer }
        const change = [statements.update(), { ...updated, expected: before.updatedAt }] as const
        const [rows = []] = await commit(getOperator(c, id), operation, [change])
        if (rows.length > 0) return answer()
        await pauseAfter(attempt)
      }
      throw busy()
    })
  })
