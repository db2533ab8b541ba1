import { type Context, Hono } from 'hono'
import type * as z from 'zod/mini'
import { confirmSession } from '../../../platform/auth/assertion.ts'
import { requireRights } from '../../../platform/auth/authenticate.ts'
import { rejectFormerActor, requireCurrentActor, revokeInvitations } from '../../../platform/auth/current-actor.ts'
import { type Role, roleScopes } from '../../../platform/auth/roles.ts'
import { clearSessionCache } from '../../../platform/auth/sessions.ts'
import { commit } from '../../../platform/db/transaction.ts'
import { ApiError, invalid, notFound } from '../../../platform/errors.ts'
import { type Env, getMerchantId } from '../../../platform/http/context.ts'
import { idempotent } from '../../../platform/http/idempotency.ts'
import { readPage } from '../../../platform/http/keyset-list.ts'
import { nextLink, pageQuery } from '../../../platform/http/pagination.ts'
import { jsonBody } from '../../../platform/http/request-body.ts'
import { query } from '../../../platform/http/validation.ts'
import { getOperator } from '../../merchant-routes.ts'
import { requireNoExpiry } from '../../own-expiry.ts'
import { type StoredMember, memberStatements as statements } from './member-statements.ts'
import { memberRules, type memberView, peopleSchemas } from './people-schemas.ts'

const toView = ({ merchantId: _, lastUsedAt, ...member }: StoredMember): z.output<typeof memberView> => ({
  ...member,
  lastUsedAt: lastUsedAt ?? undefined,
})

/** Rejects a role with more rights than the request has. */
export const requireRole = (c: Context<Env>, role: Role) =>
  requireRights(c, { testMode: false, scopes: roleScopes[role] })

async function findMember(c: Context<Env>, id: string): Promise<StoredMember> {
  const values = { merchantId: getMerchantId(c), id }
  const { database } = c.var
  const member = await database.findNamed(async () => (await database.run([statements.find(), values]))[0][0])
  if (!member) throw notFound()
  return member
}

/** Reason why a change of a recently read member had no effect. */
async function explain(c: Context<Env>, { id, role }: StoredMember): Promise<ApiError> {
  const now = await findMember(c, id)
  return now.role === role
    ? new ApiError('conflict', 'The last owner cannot be removed or demoted. Make another member an owner first.')
    : new ApiError('conflict', 'The role was changed by another request. Read the member again.')
}

/** The members of the merchant. They are in the directory. */
export const memberRoutes = new Hono<Env>()
  .get('/', query(pageQuery), async (c) => {
    const values = { merchantId: getMerchantId(c) }
    const { items, next } = await readPage(c.var.database, statements.list, 'members', values, c.req.valid('query'))
    if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
    return c.json(items.map(toView), 200)
  })
  .get('/:memberId', async (c) => c.json(toView(await findMember(c, c.req.param('memberId'))), 200))
  .post('/:memberId', jsonBody(memberRules), idempotent, async (c) => {
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const merchantId = getMerchantId(c)
    const member = await findMember(c, c.req.param('memberId'))
    const body = peopleSchemas.memberUpdate.parse(patch)
    const changed = { ...member, role: body.role ?? member.role, name: body.name ?? member.name }
    for (const role of [member.role, changed.role]) requireRole(c, role)
    const response = c.json(toView(changed), 200)
    if (changed.role === member.role && changed.name === member.name) return response
    if (changed.role !== member.role) {
      await confirmSession(c)
      await requireNoExpiry(c)
    }
    const operation = { operation: 'members.update', object: member.id, response }
    const values = { merchantId, id: member.id, expected: member.role, role: changed.role, name: changed.name }
    // The new role may lack the rights of invitations that the member created.
    const revoked =
      changed.role === member.role ? [] : [[revokeInvitations(), { ...values, creator: member.id }] as const]
    // Precedes the change, because members can give up their own role.
    const guard = requireCurrentActor(c)
    const results = await commit(
      getOperator(c, merchantId),
      operation,
      [...guard, [statements.update(), values]],
      revoked,
    ).catch((error: unknown) => rejectFormerActor(c, error))
    if (results[guard.length]?.length === 0) throw await explain(c, member)
    clearSessionCache()
    return response
  })
  .delete('/:memberId', async (c) => {
    const merchantId = getMerchantId(c)
    const member = await findMember(c, c.req.param('memberId'))
    requireRole(c, member.role)
    // Deletes all passkeys of a member, who can then no longer sign in.
    await confirmSession(c)
    const { id, role } = member
    const values = { merchantId, id, expected: role, creator: id }
    // Precedes the removal, because members can remove themselves.
    const guard = requireCurrentActor(c)
    const results = await commit(
      getOperator(c, merchantId),
      { operation: 'members.delete', object: id },
      [...guard, [statements.removePasskeys(), values], [statements.remove(), values]],
      [[revokeInvitations(), values]],
    ).catch((error: unknown) => rejectFormerActor(c, error))
    if (results[guard.length + 1]?.length === 0) throw await explain(c, member)
    clearSessionCache()
    return c.json({ id, object: toView(member), message: 'Member deleted', deleted: true as const }, 200)
  })
