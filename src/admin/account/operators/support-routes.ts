import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { requireCurrentActor } from '../../../platform/auth/current-actor.ts'
import {
  createSupportToken,
  readSupportSession,
  supportSeconds,
} from '../../../platform/auth/operator/support-sessions.ts'
import { clearSessionCache, cookieName, requireSameOrigin } from '../../../platform/auth/sessions.ts'
import { ApiError, merchantSuspended } from '../../../platform/errors.ts'
import { type Env, getMerchantId } from '../../../platform/http/context.ts'
import * as field from '../../../platform/http/fields.ts'
import { jsonBody } from '../../../platform/http/request-body.ts'
import { log } from '../../../platform/lib/log.ts'
import { operatorIdPrefix } from '../../../platform/names.ts'
import { commitAsOperator } from '../../merchant-routes.ts'
import { findMerchant } from '../../stored-merchant.ts'
import { fieldsOf } from '../passkeys/passkey-routes.ts'
import { createSessionRow, setCookie } from '../session-routes.ts'
import { sessionStatements as statements } from '../session-statements.ts'
import { toOwnView } from '../session-views.ts'

export const supportFields = z.strictObject({
  reason: field
    .trimmedText({ min: 1, max: field.limits.label })
    .check(
      z.describe('Why you open the venue, such as a ticket. The venue sees it in its audit log and its sessions.'),
    ),
})
const rules = { schema: supportFields, partial: z.partial(supportFields), readOnly: new Set<string>() }

/** Audit logs of venues must name a person. */
function requirePerson({ var: { operator } }: Context<Env>): string {
  if (operator?.id.startsWith(operatorIdPrefix)) return operator.id
  throw new ApiError('forbidden', 'Sign in as an operator with a record of your own: the venue sees who opens it.')
}

/** Opens the console of a venue for an hour. Mounted under `/admin/merchants/:merchantId/support`. */
export const supportRoutes = new Hono<Env>().post('/', requireSameOrigin, jsonBody(rules), async (c) => {
  const { reason } = supportFields.parse(fieldsOf(c.req.valid('json')))
  const [merchantId, operatorId, { database }] = [getMerchantId(c), requirePerson(c), c.var]
  database.usePrimary()
  const { status } = await findMerchant(database, merchantId)
  if (status !== 'active') throw merchantSuspended()
  const { token, row } = await createSessionRow(c, merchantId, createSupportToken())
  const all = { ...row, operatorId, reason }
  const operation = { operation: 'support.open', object: row.id, title: reason }
  const [inserted = []] = await commitAsOperator(
    c,
    merchantId,
    operation,
    [[statements.insertOfOperator(), all]],
    [[statements.trimOfOperator(), all], [statements.endReplaced(), all], ...requireCurrentActor(c)],
  )
  const session = inserted.length > 0 ? await readSupportSession(database, row.hash, c) : undefined
  if (!session) throw new ApiError('forbidden', 'The venue has turned support off.')
  if (row.replaced !== null) clearSessionCache()
  log(c.env, 'support started', { operator: operatorId, merchant: merchantId, session: row.id })
  setCookie(c, cookieName, token, supportSeconds)
  return c.json(toOwnView(session, []), 201)
})
