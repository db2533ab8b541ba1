import { count, eq, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { requireAssertion } from '../../../platform/auth/assertion.ts'
import { rejectFormerActor, requireCurrentActor } from '../../../platform/auth/current-actor.ts'
import { createPlatformKey, platformKeyPrefix } from '../../../platform/auth/key-format.ts'
import { platformScopes, readStoredList } from '../../../platform/auth/operator/platform-keys.ts'
import { lazy, param } from '../../../platform/db/database.ts'
import { columnParam, db, insertSelect, type RowOf, typed } from '../../../platform/db/query.ts'
import { platformKeyTable as table } from '../../../platform/db/schema/directory/platform-keys.ts'
import { commit } from '../../../platform/db/transaction.ts'
import { ApiError, notFound } from '../../../platform/errors.ts'
import { type Env, getActor } from '../../../platform/http/context.ts'
import * as field from '../../../platform/http/fields.ts'
import { idempotent } from '../../../platform/http/idempotency.ts'
import { createPageStatements, readPage } from '../../../platform/http/keyset-list.ts'
import { nextLink, pageQuery } from '../../../platform/http/pagination.ts'
import { jsonBody } from '../../../platform/http/request-body.ts'
import { query } from '../../../platform/http/validation.ts'
import { hashKey } from '../../../platform/lib/encoding/sha256.ts'
import { createId } from '../../../platform/lib/ids.ts'
import { log } from '../../../platform/lib/log.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import { allowedAddresses, future } from '../../keys/key-schemas.ts'
import { fieldsOf } from '../passkeys/passkey-routes.ts'
import { maxPlatformKeys } from './operator-statements.ts'

const create = z.strictObject({
  title: field.title.check(z.describe('Purpose of the key.')),
  scopes: field
    .set(z.enum(platformScopes), platformScopes.length)
    .check(
      field.rules((list) =>
        list.length > 0 ? undefined : { code: 'too_short', message: 'must contain at least one scope' },
      ),
    )
    .check(
      z.describe(
        'Operations that the key allows. `platform:merchants:read`: lists and retrieves merchants and their moves. `platform:merchants:write`: also creates, updates, suspends, resumes, closes and reopens them. `platform:usage:read`: usage and metrics. `platform:webhooks:read`: platform webhooks, their filters and deliveries. `platform:webhooks:write`: also creates, changes and deletes them, and shows their secrets; their endpoints receive events of merchants. No scope creates keys.',
      ),
    ),
  expiresAt: z
    .nullish(future)
    .check(z.describe('Time of expiry, in seconds since 1970-01-01 UTC. Must be in the future. Default: never.')),
  allowedIps: z
    .nullish(allowedAddresses)
    .check(
      z.describe(
        'Addresses from which the key is accepted, at most 20: IPv4 and IPv6 ranges in CIDR notation, or single addresses. Other addresses get `address_not_allowed`. Default: all addresses.',
      ),
    ),
})
const readOnly = new Set(['id', 'key', 'prefix', 'last4', 'createdBy', 'createdAt', 'lastUsedAt'])
const rules = { schema: create, partial: z.partial(create), readOnly }

/** A platform key in responses, without the key itself. */
const view = z.object({
  id: z.string(),
  title: z.string().check(z.describe('Purpose of the key.')),
  scopes: z.array(z.string()).check(z.describe('Operations that the key allows.')),
  allowedIps: z
    .optional(z.array(z.string()))
    .check(z.describe('Addresses from which the key is accepted, in CIDR notation. Absent: all.')),
  prefix: z.string().check(z.describe('First characters of the key.')),
  last4: z.string().check(z.describe('Last four characters of the key.')),
  createdBy: z.string().check(z.describe('Id of the operator, or `operator` for the token.')),
  createdAt: z.int(),
  expiresAt: z
    .optional(z.int())
    .check(z.describe('Time when the key expires, in seconds since 1970-01-01 UTC. Absent: never.')),
  lastUsedAt: z
    .optional(z.int())
    .check(z.describe('Time of the last use, in seconds since 1970-01-01 UTC. Absent: not used yet.')),
})
const fullView = z.extend(view, { key: z.string().check(z.describe('The key itself. Returned only once.')) })
export const platformKeySchemas = { create, view, full: fullView }

const fields = {
  id: table.id,
  title: table.title,
  scopes: table.scopes,
  allowedIps: table.allowedIps,
  last4: table.last4,
  createdBy: table.createdBy,
  createdAt: table.createdAt,
  expiresAt: table.expiresAt,
  lastUsedAt: table.lastUsedAt,
}
const toView = ({
  scopes,
  allowedIps,
  expiresAt,
  lastUsedAt,
  ...key
}: RowOf<typeof fields>): z.output<typeof view> => ({
  ...key,
  scopes: readStoredList(scopes) ?? [],
  allowedIps: readStoredList(allowedIps),
  prefix: platformKeyPrefix,
  expiresAt: expiresAt ?? undefined,
  lastUsedAt: lastUsedAt ?? undefined,
})

const total = db.select({ total: count() }).from(table)
const statements = {
  list: createPageStatements(fields),
  insert: lazy(() =>
    typed({ id: table.id }, () =>
      insertSelect(
        table,
        {
          id: param('id'),
          hash: param('hash'),
          title: param('title'),
          scopes: columnParam(table.scopes, 'scopes'),
          allowedIps: columnParam(table.allowedIps, 'allowedIps'),
          last4: param('last4'),
          createdBy: param('createdBy'),
          createdAt: columnParam(table.createdAt, 'createdAt'),
          expiresAt: columnParam(table.expiresAt, 'expiresAt'),
        },
        sql`where (${total}) < ${maxPlatformKeys} returning id`,
      ),
    ),
  ),
  remove: lazy(() =>
    typed(fields, (select) =>
      db
        .delete(table)
        .where(eq(table.id, param('id')))
        .returning(select),
    ),
  ),
}

/** Keys of the operator's programs. Mounted under `/admin/keys`. */
export const platformKeyRoutes = new Hono<Env>()
  .get('/', query(pageQuery), async (c) => {
    const { items, next } = await readPage(c.var.database, statements.list, 'platform keys', {}, c.req.valid('query'))
    if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
    return c.json(items.map(toView), 200)
  })
  .post('/', requireAssertion, jsonBody(rules), idempotent, async (c) => {
    const { title, scopes, expiresAt, allowedIps } = create.parse(fieldsOf(c.req.valid('json')))
    const key = createPlatformKey()
    const row = {
      id: createId('key'),
      title,
      scopes,
      allowedIps: allowedIps ?? null,
      last4: key.slice(-4),
      createdBy: c.var.actor ?? 'operator',
      createdAt: nowInSeconds(),
      expiresAt: expiresAt ?? null,
      lastUsedAt: null,
    }
    const shown: z.output<typeof fullView> = { ...toView(row), key }
    const response = c.json(shown, 201)
    const values = { ...row, hash: await hashKey(key) }
    const [rows] = await commit(
      getActor(c),
      { response },
      [[statements.insert(), values]],
      requireCurrentActor(c),
    ).catch((error: unknown) => rejectFormerActor(c, error))
    if (rows.length === 0) throw new ApiError('too_many', `There are at most ${maxPlatformKeys} platform keys.`)
    log(c.env, 'platform key created', { key: row.id, by: row.createdBy })
    return response
  })
  .delete('/:keyId', async (c) => {
    const id = c.req.param('keyId')
    const [[removed]] = await commit(getActor(c), {}, [[statements.remove(), { id }]])
    if (!removed) throw notFound()
    log(c.env, 'platform key revoked', { key: id, by: c.var.actor ?? 'operator' })
    return c.json({ id, object: toView(removed), message: 'Key deleted', deleted: true as const }, 200)
  })
