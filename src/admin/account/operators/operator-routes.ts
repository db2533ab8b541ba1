import { type Context, Hono } from 'hono'
import type * as z from 'zod/mini'
import { confirmSession, requireAssertion } from '../../../platform/auth/assertion.ts'
import { tokenBits } from '../../../platform/auth/console-session.ts'
import { rejectFormerActor, requireCurrentActor } from '../../../platform/auth/current-actor.ts'
import { ConstraintError } from '../../../platform/db/database-errors.ts'
import { commit, type Write } from '../../../platform/db/transaction.ts'
import { ApiError, notFound } from '../../../platform/errors.ts'
import { type Env, getActor } from '../../../platform/http/context.ts'
import { idempotent } from '../../../platform/http/idempotency.ts'
import { readPage } from '../../../platform/http/keyset-list.ts'
import { nextLink, pageQuery } from '../../../platform/http/pagination.ts'
import { jsonBody } from '../../../platform/http/request-body.ts'
import { query } from '../../../platform/http/validation.ts'
import { randomBase32 } from '../../../platform/lib/encoding/base32.ts'
import { hashKey } from '../../../platform/lib/encoding/sha256.ts'
import { createId } from '../../../platform/lib/ids.ts'
import { log } from '../../../platform/lib/log.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import { operatorIdPrefix } from '../../../platform/names.ts'
import { invitationSeconds } from '../members/invitation-statements.ts'
import { fieldsOf } from '../passkeys/passkey-routes.ts'
import { getRelyingParty } from '../passkeys/relying-party.ts'
import { operatorBodies, operatorRules, type operatorView } from './operator-schemas.ts'
import { maxOperators, type StoredOperator, operatorStatements as statements } from './operator-statements.ts'

const toView = ({ email, invitedUntil, lastUsedAt, ...operator }: StoredOperator): z.output<typeof operatorView> => ({
  ...operator,
  email: email ?? undefined,
  invitedUntil: invitedUntil ?? undefined,
  lastUsedAt: lastUsedAt ?? undefined,
})

async function findOperator(c: Context<Env>, id: string): Promise<StoredOperator> {
  c.var.database.usePrimary()
  const [[operator]] = await c.var.database.run([statements.find(), { id }])
  if (!operator) throw notFound()
  return operator
}

/** Reason why a change of a recently read operator had no effect. */
async function explain(c: Context<Env>, { id, role }: StoredOperator): Promise<ApiError> {
  const now = await findOperator(c, id)
  return now.role === role
    ? new ApiError(
        'conflict',
        'The last admin cannot be removed, demoted or locked out. Make another person an admin first.',
      )
    : new ApiError('conflict', 'The role was changed by another request. Read the operator again.')
}

function rejectKnownEmail(c: Context<Env>, error: unknown): Promise<never> {
  if (error instanceof ConstraintError && /^operators\.email/.test(error.subject))
    throw new ApiError('conflict', 'Another operator has this e-mail address.')
  return rejectFormerActor(c, error)
}

/** A new invitation: its link, and the parameters of the statements that store it. */
async function createInvitation(c: Context<Env>) {
  const [token, now] = [randomBase32(tokenBits), nowInSeconds()]
  const values = { now, invitation: await hashKey(token), invitedUntil: now + invitationSeconds }
  // Browsers do not send the fragment, so logs never contain the token.
  return { values, url: `${getRelyingParty(c.env).origin}/console/join/operator#${token}` }
}

/** Operators: people with roles. Mounted under `/admin/operators`. */
export const operatorRoutes = new Hono<Env>()
  .get('/', query(pageQuery), async (c) => {
    const { items, next } = await readPage(c.var.database, statements.list, 'operators', {}, c.req.valid('query'))
    if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
    return c.json(items.map(toView), 200)
  })
  .post('/', requireAssertion, jsonBody(operatorRules.create), idempotent, async (c) => {
    const { role, name, email: given } = operatorBodies.create.parse(fieldsOf(c.req.valid('json')))
    const { url, values } = await createInvitation(c)
    const { now: createdAt, invitedUntil } = values
    const email = given?.toLowerCase() ?? null
    const createdBy = c.var.actor ?? 'operator'
    const fields = { id: createId(operatorIdPrefix), role, name, email, createdBy, createdAt, lastUsedAt: null }
    const response = c.json({ ...toView({ ...fields, passkeys: 0, invitedUntil }), url }, 201)
    const insert = [statements.insert(), { ...fields, ...values }] as const
    const [rows] = await commit(getActor(c), { response }, [insert], requireCurrentActor(c)).catch((error: unknown) =>
      rejectKnownEmail(c, error),
    )
    if (rows.length === 0) throw new ApiError('too_many', `There are at most ${maxOperators} operators.`)
    log(c.env, 'operator changed', { operator: fields.id, by: createdBy, role })
    return response
  })
  .get('/:operatorId', async (c) => c.json(toView(await findOperator(c, c.req.param('operatorId'))), 200))
  .post('/:operatorId', requireAssertion, jsonBody(operatorRules.update), idempotent, async (c) => {
    const patch = fieldsOf(c.req.valid('json'))
    const stored = await findOperator(c, c.req.param('operatorId'))
    const body = operatorBodies.update.parse(patch)
    const changed = {
      ...stored,
      role: body.role ?? stored.role,
      name: body.name ?? stored.name,
      email: 'email' in patch ? (body.email?.toLowerCase() ?? null) : stored.email,
    }
    const response = c.json(toView(changed), 200)
    const values = { ...changed, expected: stored.role }
    // Precedes the change, because admins can give up their own role.
    const guard = requireCurrentActor(c)
    const isDemoted = stored.role === 'admin' && changed.role !== 'admin'
    const revoked: Write = isDemoted ? [[statements.revokeInvitations(), values]] : []
    const results = await commit(getActor(c), { response }, [...guard, [statements.update(), values]], revoked).catch(
      (error: unknown) => rejectKnownEmail(c, error),
    )
    if (results[guard.length]?.length === 0) throw await explain(c, stored)
    log(c.env, 'operator changed', { operator: stored.id, by: c.var.actor ?? 'operator', role: changed.role })
    return response
  })
  .post('/:operatorId/invitation', requireAssertion, jsonBody(operatorRules.empty), idempotent, async (c) => {
    fieldsOf(c.req.valid('json'))
    const stored = await findOperator(c, c.req.param('operatorId'))
    const { url, values } = await createInvitation(c)
    const response = c.json({ ...toView({ ...stored, invitedUntil: values.invitedUntil }), url }, 201)
    const all = { ...values, id: stored.id }
    const [rows] = await commit(getActor(c), { response }, [[statements.invite(), all]], requireCurrentActor(c)).catch(
      (error: unknown) => rejectFormerActor(c, error),
    )
    if (rows.length === 0) throw notFound()
    log(c.env, 'operator invited', { operator: stored.id, by: c.var.actor ?? 'operator' })
    return response
  })
  .delete('/:operatorId', async (c) => {
    await confirmSession(c)
    const stored = await findOperator(c, c.req.param('operatorId'))
    const { id, role } = stored
    const values = { id, expected: role, person: null }
    // Precedes the removal, because admins can remove themselves.
    const guard = requireCurrentActor(c)
    const results = await commit(getActor(c), {}, [
      ...guard,
      [statements.removePasskeys(), values],
      [statements.remove(), values],
      [statements.endSessions(), values],
      [statements.endSupport(), values],
      ...(role === 'admin' ? [[statements.revokeInvitations(), values] as const] : []),
    ]).catch((error: unknown) => rejectFormerActor(c, error))
    if (results[guard.length + 1]?.length === 0) throw await explain(c, stored)
    log(c.env, 'operator removed', { operator: id, by: c.var.actor ?? 'operator' })
    return c.json({ id, object: toView(stored), message: 'Operator deleted', deleted: true as const }, 200)
  })
