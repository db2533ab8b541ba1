import { eq, sql } from 'drizzle-orm'
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { clearKeyCache, createKey, getKeyPrefix, scopes } from '../auth/api-keys.ts'
import { readRows } from '../db/damaged-rows.ts'
import { allOf, compile, compileInsert, lazy, param, updateSet, type Values } from '../db/database.ts'
import { ConstraintError } from '../db/database-errors.ts'
import { createRowReader } from '../db/row-reader.ts'
import { keyTable as table } from '../db/schema/keys.ts'
import { commit, createAuditEntry } from '../db/transaction.ts'
import { ApiError, invalid, notFound } from '../errors.ts'
import type { Env } from '../http/context.ts'
import * as field from '../http/fields.ts'
import { createPageStatements, readPage } from '../http/keyset-list.ts'
import { nextLink, pageQuery } from '../http/pagination.ts'
import { jsonBody } from '../http/request-body.ts'
import { query } from '../http/validation.ts'
import { hashKey } from '../lib/encoding/sha256.ts'
import { createId } from '../lib/ids.ts'
import { merge } from '../resource/merge-patch.ts'
import { findMerchant, getOperator } from './merchant-routes.ts'

const nowInSeconds = () => Math.floor(Date.now() / 1000)

/** How long an old key goes on beside the one it was rolled into, in seconds. */
export const rollOverlap = { default: 86_400, max: 604_800 } as const

const future = field.count.check(
  field.rules((seconds) =>
    seconds > nowInSeconds() ? undefined : { code: 'too_small', message: 'must be in the future' },
  ),
)
const scopeList = field
  .set(z.enum(scopes), scopes.length)
  .check(
    field.rules((list) =>
      list.length > 0
        ? undefined
        : { code: 'invalid_value', message: 'must name a scope; leave it out for all of them' },
    ),
  )

const fields = z.strictObject({
  mode: z.enum(['live', 'test']),
  scopes: z.nullish(scopeList).check(z.describe('What the key may do; by default everything.')),
  title: z.nullish(field.title),
  expiresAt: z.nullish(future).check(z.describe('In seconds since 1970-01-01 UTC; in the future. By default never.')),
})
const rollFields = z.strictObject({
  overlap: z
    .nullish(
      field.count.check(
        field.rules((seconds) =>
          seconds <= rollOverlap.max ? undefined : { code: 'too_large', message: `must be at most ${rollOverlap.max}` },
        ),
      ),
    )
    .check(z.describe(`Seconds; by default ${rollOverlap.default}, at most ${rollOverlap.max}.`)),
})

const stored = z.object({
  id: z.string(),
  testMode: z.boolean(),
  title: z.optional(z.string()),
  scopes: z.optional(z.array(z.string())),
  last4: z.string(),
  createdAt: z.int(),
  expiresAt: z.optional(z.int()),
  lastUsedAt: z.optional(z.int()),
})
type StoredKey = z.output<typeof stored>
/** What one key hands on to the key it is rolled into. */
const inheritedFields = z.pick(stored, { testMode: true, title: true, scopes: true, expiresAt: true })

const readOnly = new Set(['id', 'key', 'prefix', 'last4', 'createdAt', 'lastUsedAt'])
const rules = { schema: fields, partial: z.partial(fields), readOnly }
const rollRules = { schema: rollFields, partial: rollFields, readOnly }

export const readStoredKey = createRowReader(table, stored)

/** A key as operators see it: never itself. */
const view = z.extend(z.omit(stored, { testMode: true }), {
  mode: z.enum(['live', 'test']),
  prefix: z.string(),
  scopes: z.array(z.string()),
})
const toView = ({ testMode, scopes: granted = [...scopes], ...key }: StoredKey): z.output<typeof view> => ({
  ...key,
  mode: testMode ? 'test' : 'live',
  prefix: getKeyPrefix(testMode),
  scopes: granted,
})
/** A key as it is shown once. */
const fullView = z.extend(view, { key: z.string().check(z.describe('The key itself: shown this one time.')) })

/** What operators send and are shown. */
export const keySchemas = { create: fields, roll: rollFields, view, full: fullView }

const isOfMerchant = eq(table.merchantId, param('merchantId'))
const isKey = allOf(isOfMerchant, eq(table.id, param('id')))
const columns = ['id', 'merchantId', 'hash', 'testMode', 'title', 'scopes', 'last4', 'createdAt', 'expiresAt'] as const
const statements = {
  find: lazy(() => compile(sql`select * from ${table} where ${isKey}`)),
  insert: lazy(() => compileInsert(table, columns)),
  /** Goes behind `expire`: what is gone meanwhile has no successor. */
  succeed: lazy(() => compileInsert(table, columns, sql`changes() > 0`)),
  expire: lazy(() => compile(sql`${updateSet(table, { expiresAt: sql`${param('expiresAt')}` })} where ${isKey}`)),
  remove: lazy(() => compile(sql`delete from ${table} where ${isKey} returning *`)),
  list: createPageStatements(table, table.id, isOfMerchant),
}

/** A new key, what is stored of it, and what its owner is shown this one time. */
async function createKeyRow(
  merchantId: string,
  like: z.output<typeof inheritedFields>,
): Promise<{ row: Values; shown: z.output<typeof fullView> }> {
  const key = createKey(like.testMode)
  const made = { ...like, id: createId('key'), last4: key.slice(-4), createdAt: nowInSeconds() }
  return { row: { ...made, merchantId, hash: await hashKey(key) }, shown: { ...toView(made), key } }
}

/** The merchant in the path the routes are mounted under. */
const getMerchantId = (c: Context<Env>) => c.req.param('merchantId') ?? ''

export const keyRoutes = new Hono<Env>()
  .get('/', query(pageQuery), async (c) => {
    const { id: merchantId } = await findMerchant(c.var.database, getMerchantId(c))
    const { rows, next } = await readPage(c.var.database, statements.list, 'keys', { merchantId }, c.req.valid('query'))
    if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
    return c.json(
      readRows(c.var.database, rows, (row) => toView(readStoredKey(row))),
      200,
    )
  })
  .post('/', jsonBody(rules), async (c) => {
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const asked = merge({}, patch)
    const merchantId = getMerchantId(c)
    const { row, shown } = await createKeyRow(
      merchantId,
      inheritedFields.parse({ ...asked, testMode: asked['mode'] === 'test' }),
    )
    const answer = () => c.json(shown, 201)
    const operation = { operation: 'keys.create', object: shown.id, answer }
    await commit(getOperator(c, merchantId), operation, [[statements.insert(), row]]).catch((error: unknown) => {
      throw error instanceof ConstraintError && error.kind === 'foreign_key' ? notFound() : error
    })
    return answer()
  })
  .delete('/:keyId', async (c) => {
    const [merchantId, id] = [getMerchantId(c), c.req.param('keyId')]
    const operation = { operation: 'keys.delete', object: id }
    const [rows = []] = await commit(getOperator(c, merchantId), operation, [[statements.remove(), { merchantId, id }]])
    const [removed] = rows
    if (!removed) throw notFound()
    clearKeyCache()
    const [object] = readRows(c.var.database, [removed], (row) => toView(readStoredKey(row)))
    return c.json({ id, object: object ?? { id }, message: 'Key deleted', deleted: true as const }, 200)
  })
  .post('/:keyId/roll', jsonBody(rollRules), async (c) => {
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const [merchantId, id, now] = [getMerchantId(c), c.req.param('keyId'), nowInSeconds()]
    c.var.database.usePrimary()
    const [rows = []] = await c.var.database.run([statements.find(), { merchantId, id }])
    const [old] = rows.map(readStoredKey)
    if (!old) throw notFound()
    const { expiresAt = Number.POSITIVE_INFINITY } = old
    if (expiresAt <= now) throw new ApiError('conflict', 'The key has expired; make a new one.')
    const { row, shown } = await createKeyRow(merchantId, inheritedFields.parse(old))
    const overlapping = rollFields.parse(patch).overlap ?? rollOverlap.default
    const answer = () => c.json(shown, 201)
    const author = getOperator(c, merchantId)
    const [, made = []] = await commit(
      author,
      { operation: 'keys.roll', object: id, answer },
      [
        [statements.expire(), { merchantId, id, expiresAt: Math.min(expiresAt, now + overlapping) }],
        [statements.succeed(), row],
      ],
      [createAuditEntry(author, 'keys.create', shown.id)],
    )
    if (made.length === 0) throw notFound()
    clearKeyCache()
    return answer()
  })
