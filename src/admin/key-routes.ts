import { and, eq, sql } from 'drizzle-orm'
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { clearKeyCache, scopes } from '../auth/api-keys.ts'
import { createKey, getKeyPrefix } from '../auth/key-format.ts'
import { getStoredScopes } from '../auth/stored-key.ts'
import { readRows } from '../db/damaged-rows.ts'
import { compile, compileInsert, lazy, param, type Values } from '../db/database.ts'
import { ConstraintError } from '../db/database-errors.ts'
import { columnParam, db, type RowOf, typed, withRawRows, withRows } from '../db/query.ts'
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

/** How long a rolled key stays valid beside its successor, in seconds. */
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
        : { code: 'invalid_value', message: 'must contain at least one scope; omit the field for all scopes' },
    ),
  )

const fields = z.strictObject({
  mode: z.enum(['live', 'test']),
  scopes: z.nullish(scopeList).check(z.describe('Scopes of the key. Default: all scopes.')),
  title: z.nullish(field.title),
  expiresAt: z
    .nullish(future)
    .check(z.describe('Time of expiry, in seconds since 1970-01-01 UTC. Must be in the future. Default: never.')),
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
    .check(
      z.describe(
        `How long the old key stays valid, in seconds. Default: ${rollOverlap.default}. Maximum: ${rollOverlap.max}.`,
      ),
    ),
})

/** What a key passes on to its successor. */
const inheritedFields = z.object({
  testMode: z.boolean(),
  title: z.optional(z.string()),
  scopes: z.optional(z.array(z.string())),
  expiresAt: z.optional(z.int()),
})
type InheritedFields = z.output<typeof inheritedFields>

const readOnly = new Set(['id', 'key', 'prefix', 'last4', 'createdAt', 'lastUsedAt'])
const rules = { schema: fields, partial: z.partial(fields), readOnly }
const rollRules = { schema: rollFields, partial: rollFields, readOnly }

/** A key in responses, without the key itself. */
const view = z.object({
  id: z.string(),
  title: z.optional(z.string()),
  scopes: z.array(z.string()),
  last4: z.string(),
  createdAt: z.int(),
  expiresAt: z.optional(z.int()),
  lastUsedAt: z.optional(z.int()),
  mode: z.enum(['live', 'test']),
  prefix: z.string(),
})
/** The response to a created key. */
const fullView = z.extend(view, { key: z.string().check(z.describe('The key itself. Returned only once.')) })

/** Bodies and responses of keys. */
export const keySchemas = { create: fields, roll: rollFields, view, full: fullView }

/** What is read of a key. */
export const storedKeyFields = {
  id: table.id,
  merchantId: table.merchantId,
  testMode: table.testMode,
  title: table.title,
  scopes: table.scopes,
  last4: table.last4,
  createdAt: table.createdAt,
  expiresAt: table.expiresAt,
  lastUsedAt: table.lastUsedAt,
}
/** Throws `DamagedError` if the scopes are damaged. */
export const toStoredKey = ({ merchantId, ...row }: RowOf<typeof storedKeyFields>) => ({
  ...row,
  title: row.title ?? undefined,
  scopes: getStoredScopes({ ...row, merchantId }),
  expiresAt: row.expiresAt ?? undefined,
  lastUsedAt: row.lastUsedAt ?? undefined,
})
type StoredKey = ReturnType<typeof toStoredKey>

const toView = ({
  testMode,
  scopes: granted = [...scopes],
  ...key
}: Omit<StoredKey, 'lastUsedAt'> & Partial<Pick<StoredKey, 'lastUsedAt'>>): z.output<typeof view> => ({
  ...key,
  mode: testMode ? 'test' : 'live',
  prefix: getKeyPrefix(testMode),
  scopes: granted,
})

const isOfMerchant = eq(table.merchantId, param('merchantId'))
const isKey = and(isOfMerchant, eq(table.id, param('id')))
const insertedColumns = {
  id: param('id'),
  merchantId: param('merchantId'),
  hash: param('hash'),
  testMode: columnParam(table.testMode, 'testMode'),
  title: columnParam(table.title, 'title'),
  scopes: columnParam(table.scopes, 'scopes'),
  last4: param('last4'),
  createdAt: columnParam(table.createdAt, 'createdAt'),
  expiresAt: columnParam(table.expiresAt, 'expiresAt'),
}
const pages = createPageStatements(storedKeyFields, isOfMerchant)
const statements = {
  find: lazy(() =>
    withRows(
      typed(storedKeyFields, (select) => db.select(select).from(table).where(isKey)),
      toStoredKey,
    ),
  ),
  insert: lazy(() => compile(db.insert(table).values(insertedColumns))),
  /** Runs after `expire`: a key that was deleted meanwhile gets no successor. */
  insertSuccessor: lazy(() => compileInsert(table, Object.keys(insertedColumns), sql`changes() > 0`)),
  expire: lazy(() =>
    compile(
      db
        .update(table)
        .set({ expiresAt: columnParam(table.expiresAt, 'expiresAt') })
        .where(isKey),
    ),
  ),
  remove: lazy(() =>
    withRows(
      typed(storedKeyFields, (select) => db.delete(table).where(isKey).returning(select)),
      toStoredKey,
    ),
  ),
  list: {
    asc: lazy(() => withRows(pages.asc(), toStoredKey)),
    desc: lazy(() => withRows(pages.desc(), toStoredKey)),
  },
}

/** Creates a key: the row to store, and the response that shows the key once. */
async function createKeyRow(
  merchantId: string,
  inherited: InheritedFields,
): Promise<{ row: Values; shown: z.output<typeof fullView> }> {
  const key = createKey(inherited.testMode)
  const { testMode, title, scopes: granted, expiresAt } = inherited
  const id = createId('key')
  const created = { testMode, title, scopes: granted, expiresAt, id, last4: key.slice(-4), createdAt: nowInSeconds() }
  return { row: { ...created, merchantId, hash: await hashKey(key) }, shown: { ...toView(created), key } }
}

/** The merchant in the path under which the routes are mounted. */
const getMerchantId = (c: Context<Env>) => c.req.param('merchantId') ?? ''

export const keyRoutes = new Hono<Env>()
  .get('/', query(pageQuery), async (c) => {
    const { id: merchantId } = await findMerchant(c.var.database, getMerchantId(c))
    const { items, next } = await readPage(
      c.var.database,
      statements.list,
      'keys',
      { merchantId },
      c.req.valid('query'),
    )
    if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
    return c.json(items.map(toView), 200)
  })
  .post('/', jsonBody(rules), async (c) => {
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const body = merge({}, patch)
    const merchantId = getMerchantId(c)
    const { row, shown } = await createKeyRow(
      merchantId,
      inheritedFields.parse({ ...body, testMode: body['mode'] === 'test' }),
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
    const remove = statements.remove()
    const [rows = []] = await commit(getOperator(c, merchantId), operation, [[withRawRows(remove), { merchantId, id }]])
    if (rows.length === 0) throw notFound()
    clearKeyCache()
    const [object] = readRows(c.var.database, rows, (row) => toView(remove.read(row)))
    return c.json({ id, object: object ?? { id }, message: 'Key deleted', deleted: true as const }, 200)
  })
  .post('/:keyId/roll', jsonBody(rollRules), async (c) => {
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const [merchantId, id, now] = [getMerchantId(c), c.req.param('keyId'), nowInSeconds()]
    c.var.database.usePrimary()
    const find = statements.find()
    const [[found] = []] = await c.var.database.run([withRawRows(find), { merchantId, id }])
    if (!found) throw notFound()
    const old = find.read(found)
    const { expiresAt = Number.POSITIVE_INFINITY } = old
    if (expiresAt <= now) throw new ApiError('conflict', 'The key has expired. Create a new key.')
    const { row, shown } = await createKeyRow(merchantId, old)
    const overlap = rollFields.parse(patch).overlap ?? rollOverlap.default
    const answer = () => c.json(shown, 201)
    const operator = getOperator(c, merchantId)
    const [, inserted = []] = await commit(
      operator,
      { operation: 'keys.roll', object: id, answer },
      [
        [statements.expire(), { merchantId, id, expiresAt: Math.min(expiresAt, now + overlap) }],
        [statements.insertSuccessor(), row],
      ],
      [createAuditEntry(operator, 'keys.create', shown.id)],
    )
    if (inserted.length === 0) throw notFound()
    clearKeyCache()
    return answer()
  })
