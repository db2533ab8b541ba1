import { Hono } from 'hono'
import type * as z from 'zod/mini'
import { requireAssertion } from '../../../platform/auth/assertion.ts'
import { requireRights } from '../../../platform/auth/authenticate.ts'
import { tokenBits } from '../../../platform/auth/console-session.ts'
import { rejectFormerActor, requireCurrentActor } from '../../../platform/auth/current-actor.ts'
import { commit } from '../../../platform/db/transaction.ts'
import { ApiError, invalid, notFound } from '../../../platform/errors.ts'
import { type Env, getMerchantId } from '../../../platform/http/context.ts'
import { idempotent } from '../../../platform/http/idempotency.ts'
import { readPage } from '../../../platform/http/keyset-list.ts'
import { nextLink, pageQuery } from '../../../platform/http/pagination.ts'
import { jsonBody } from '../../../platform/http/request-body.ts'
import { query } from '../../../platform/http/validation.ts'
import { randomBase32 } from '../../../platform/lib/encoding/base32.ts'
import { hashKey } from '../../../platform/lib/encoding/sha256.ts'
import { createId } from '../../../platform/lib/ids.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import { getOperator } from '../../merchant-routes.ts'
import { requireNoExpiry } from '../../own-expiry.ts'
import { findMerchant } from '../../stored-merchant.ts'
import { getRelyingParty } from '../passkeys/relying-party.ts'
import { maxInvitations, invitationStatements as statements, toInvitation } from './invitation-statements.ts'
import { requireRole } from './member-routes.ts'
import { type createdInvitationView, invitationRules, peopleSchemas, toLifetime } from './people-schemas.ts'

/** Invitations of new members; mounted for the operator, who invites the first owner, and for the merchant. */
export const invitationRoutes = new Hono<Env>()
  .get('/', query(pageQuery), async (c) => {
    const merchantId = getMerchantId(c)
    if (!c.var.scope) await findMerchant(c.var.database, merchantId)
    const values = { merchantId, now: nowInSeconds() }
    const { items, next } = await readPage(c.var.database, statements.list, 'invitations', values, c.req.valid('query'))
    if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
    return c.json(items.map(toInvitation), 200)
  })
  .post('/', requireAssertion, jsonBody(invitationRules), idempotent, async (c) => {
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const { role, days, name } = peopleSchemas.invitationCreate.parse(patch)
    requireRole(c, role)
    await requireNoExpiry(c)
    const merchantId = getMerchantId(c)
    if (!c.var.scope) await findMerchant(c.var.database, merchantId)
    const [id, token, now] = [createId('inv'), randomBase32(tokenBits), nowInSeconds()]
    const shown: z.output<typeof createdInvitationView> = {
      id,
      role,
      ...(name && { name }),
      createdBy: c.var.actor ?? 'system',
      createdAt: now,
      expiresAt: now + toLifetime(days),
      // Browsers do not send the fragment, so logs never contain the token.
      url: `${getRelyingParty(c.env).origin}/console/join#${token}`,
    }
    const response = c.json(shown, 201)
    const values = { ...shown, name: name ?? null, merchantId, now, hash: await hashKey(token) }
    const operation = { operation: 'invitations.create', object: id, response }
    const [rows] = await commit(
      getOperator(c, merchantId),
      operation,
      [[statements.insert(), values]],
      requireCurrentActor(c),
    ).catch((error: unknown) => rejectFormerActor(c, error))
    if (rows.length === 0) throw new ApiError('too_many', `A merchant has at most ${maxInvitations} open invitations.`)
    return response
  })
  .delete('/:invitationId', async (c) => {
    // A test key must not change data of live mode.
    requireRights(c, { testMode: false, scopes: [] })
    const [merchantId, id] = [getMerchantId(c), c.req.param('invitationId')]
    const operation = { operation: 'invitations.delete', object: id }
    const values = { merchantId, id, now: nowInSeconds() }
    const [[object]] = await commit(getOperator(c, merchantId), operation, [[statements.remove(), values]])
    if (!object) throw notFound()
    return c.json({ id, object: toInvitation(object), message: 'Invitation deleted', deleted: true as const }, 200)
  })
