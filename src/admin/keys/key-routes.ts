import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { merge } from '../../catalogue/resource/merge-patch.ts'
import { isWithin } from '../../platform/auth/allowed-addresses.ts'
import { defaultScopes } from '../../platform/auth/api-keys.ts'
import { requireAssertion } from '../../platform/auth/assertion.ts'
import { requireRights } from '../../platform/auth/authenticate.ts'
import { requireCurrentActor, revokeInvitations } from '../../platform/auth/current-actor.ts'
import { createKey, getKeyPrefix } from '../../platform/auth/key-format.ts'
import { clearCredentialCaches } from '../../platform/auth/sessions.ts'
import { readRows } from '../../platform/db/damaged-rows.ts'
import type { Values } from '../../platform/db/database.ts'
import { ConstraintError } from '../../platform/db/database-errors.ts'
import { withRawRows } from '../../platform/db/query.ts'
import { createAuditEntry, type Write } from '../../platform/db/transaction.ts'
import { ApiError, type Issue, invalid, notFound } from '../../platform/errors.ts'
import { type Env, getMerchantId } from '../../platform/http/context.ts'
import { idempotent } from '../../platform/http/idempotency.ts'
import { readPage } from '../../platform/http/keyset-list.ts'
import { nextLink, pageQuery } from '../../platform/http/pagination.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import { query } from '../../platform/http/validation.ts'
import { hashKey } from '../../platform/lib/encoding/sha256.ts'
import { createId } from '../../platform/lib/ids.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { commitAsOperator, getOperator } from '../merchant-routes.ts'
import { findOwnExpiry } from '../own-expiry.ts'
import { findMerchant } from '../stored-merchant.ts'
import { createRules, type fullView, rollFields, rollOverlap, rollRules, type view } from './key-schemas.ts'
import { type StoredKey, keyStatements as statements } from './key-statements.ts'

/** Fields that the successor of a rolled key inherits. */
const inheritedFields = z.object({
  testMode: z.boolean(),
  title: z.optional(z.string()),
  scopes: z.optional(z.array(z.string())),
  allowedIps: z.optional(z.array(z.string())),
  expiresAt: z.optional(z.int()),
})
type InheritedFields = z.output<typeof inheritedFields>

const toView = ({
  testMode,
  scopes: granted = [...defaultScopes],
  ...key
}: Omit<StoredKey, 'lastUsedAt'> & Partial<Pick<StoredKey, 'lastUsedAt'>>): z.output<typeof view> => ({
  ...key,
  mode: testMode ? 'test' : 'live',
  prefix: getKeyPrefix(testMode),
  scopes: granted,
})

/** Creates a key: the row to store, and the response that shows the key once. */
async function createKeyRow(
  merchantId: string,
  inherited: InheritedFields,
): Promise<{ row: Values; shown: z.output<typeof fullView> }> {
  const key = createKey(inherited.testMode)
  const { testMode, title, scopes: granted, allowedIps, expiresAt } = inherited
  const id = createId('key')
  const rights = { testMode, title, scopes: granted, allowedIps, expiresAt }
  const created = { ...rights, id, last4: key.slice(-4), createdAt: nowInSeconds() }
  return { row: { ...created, merchantId, hash: await hashKey(key) }, shown: { ...toView(created), key } }
}

/** Issues of ranges of addresses that are not within those of the key of the request. */
const listWider = ({ var: { allowedIps: own } }: Context<Env>, ranges: readonly string[] = []): Issue[] =>
  ranges.flatMap((range, index): Issue[] => {
    if (!own || isWithin(own, range)) return []
    const message = 'must be within the addresses of the key of the request'
    return [{ pointer: `/allowedIps/${index}`, code: 'invalid_value', message }]
  })

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
  .post('/', requireAssertion, jsonBody(createRules), idempotent, async (c) => {
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const body = merge({}, patch)
    const merchantId = getMerchantId(c)
    const rights = inheritedFields.parse({ ...body, testMode: body['mode'] === 'test' })
    requireRights(c, rights)
    const last = await findOwnExpiry(c)
    const { expiresAt = Number.isFinite(last) ? last : undefined } = rights
    if (expiresAt !== undefined && expiresAt > last) {
      const message = `must be at most ${last}, the expiry of the key of the request`
      throw invalid([{ pointer: '/expiresAt', code: 'too_large', message }])
    }
    const { allowedIps = c.var.allowedIps && [...c.var.allowedIps] } = rights
    const wider = listWider(c, allowedIps)
    if (wider.length > 0) throw invalid(wider)
    const { row, shown } = await createKeyRow(merchantId, { ...rights, allowedIps, expiresAt })
    const response = c.json(shown, 201)
    const operation = { operation: 'keys.create', object: shown.id, response }
    const writes: Write = [[statements.insert(), row]]
    await commitAsOperator(c, merchantId, operation, writes, requireCurrentActor(c)).catch((error: unknown) => {
      if (error instanceof ConstraintError && error.kind === 'foreign_key') throw notFound()
      throw error
    })
    return response
  })
  .delete('/:keyId', async (c) => {
    const [merchantId, id] = [getMerchantId(c), c.req.param('keyId')]
    const operation = { operation: 'keys.delete', object: id }
    const remove = statements.remove()
    // A test key cannot revoke live keys. The operator is not limited to a mode.
    const target = { merchantId, id, testMode: c.var.scope !== undefined && !c.var.grantsLive }
    const [rows = []] = await commitAsOperator(
      c,
      merchantId,
      operation,
      [[withRawRows(remove), target]],
      [[revokeInvitations(), { merchantId, creator: id }]],
    )
    if (rows.length === 0) throw notFound()
    clearCredentialCaches()
    const [object] = readRows(c.var.database, rows, (row) => toView(remove.read(row)))
    return c.json({ id, object: object ?? { id }, message: 'Key deleted', deleted: true as const }, 200)
  })
  .post('/:keyId/roll', requireAssertion, jsonBody(rollRules), idempotent, async (c) => {
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const [merchantId, id, now] = [getMerchantId(c), c.req.param('keyId'), nowInSeconds()]
    c.var.database.usePrimary()
    const find = statements.find()
    const [[found] = []] = await c.var.database.run([withRawRows(find), { merchantId, id }])
    if (!found) throw notFound()
    const old = find.read(found)
    requireRights(c, old)
    const { expiresAt = Number.POSITIVE_INFINITY } = old
    if (expiresAt <= now) throw new ApiError('conflict', 'The key has expired. Create a new key.')
    if (expiresAt > (await findOwnExpiry(c))) {
      throw new ApiError('forbidden', 'The key of the request expires before the one to roll.')
    }
    if (c.var.allowedIps && (!old.allowedIps || listWider(c, old.allowedIps).length > 0)) {
      throw new ApiError('forbidden', 'The key of the request is limited to fewer addresses than the one to roll.')
    }
    const { row, shown } = await createKeyRow(merchantId, old)
    const overlap = rollFields.parse(patch).overlap ?? rollOverlap.default
    const response = c.json(shown, 201)
    const operator = getOperator(c, merchantId)
    // Precedes the change, because a key can roll itself, which can end it immediately.
    const guard = requireCurrentActor(c)
    const results = await commitAsOperator(
      c,
      merchantId,
      { operation: 'keys.roll', object: id, response },
      [
        ...guard,
        [statements.expire(), { merchantId, id, expiresAt: Math.min(expiresAt, now + overlap) }],
        [statements.insertSuccessor(), row],
      ],
      [createAuditEntry(operator, 'keys.create', shown.id)],
    )
    if (results[guard.length + 1]?.length === 0) throw notFound()
    clearCredentialCaches()
    return response
  })
