import { type Context, Hono } from 'hono'
import { createUnauthenticatedError } from '../../../platform/auth/authenticate.ts'
import { isOperatorToken } from '../../../platform/auth/operator/operator-sessions.ts'
import { getOperatorTokens, requireDistinctTokens } from '../../../platform/auth/operator/operator-tokens.ts'
import { findAccessOperator, tokenHolder } from '../../../platform/auth/operator/operators.ts'
import { requireSameOrigin } from '../../../platform/auth/sessions.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Env } from '../../../platform/http/context.ts'
import { jsonBody } from '../../../platform/http/request-body.ts'
import { respondWithOperatorSession } from '../operator-session-routes.ts'
import { fieldsOf } from '../passkeys/passkey-routes.ts'
import { readUserAgent } from '../session-routes.ts'
import { operatorBodies, operatorRules, operatorSignInFields } from './operator-schemas.ts'

/** Rejects requests of operators while there is no token. */
function requireOperators(c: Context<Env>): void {
  if (getOperatorTokens(c.env).length === 0) throw notFound()
}

/** Sign-in of operators in the console, with the token, a passkey or Cloudflare Access. */
export const operatorSignInRoutes = new Hono<Env>().post(
  '/',
  requireSameOrigin,
  jsonBody(operatorRules.signIn),
  async (c) => {
    requireOperators(c)
    const { token: secret, credential } = operatorSignInFields.parse(fieldsOf(c.req.valid('json')))
    const userAgent = readUserAgent(c)
    if (credential) return (await import('./operator-passkeys.ts')).signInOperator(c, credential)
    if (secret) {
      if (!(await isOperatorToken(c.env, secret))) throw await createUnauthenticatedError(c)
      requireDistinctTokens(c.env)
      return respondWithOperatorSession(c, { userAgent, sent: secret })
    }
    const person = await findAccessOperator(c)
    if (!person) throw await createUnauthenticatedError(c)
    requireDistinctTokens(c.env)
    return respondWithOperatorSession(c, { userAgent, operator: person === tokenHolder ? undefined : person.id })
  },
)

/** Invitations of operators in the console. Opening one does not use it. */
export const operatorInvitationRoutes = new Hono<Env>()
  .use(async (c, next) => {
    requireOperators(c)
    await next()
  })
  .post('/invitation', requireSameOrigin, jsonBody(operatorRules.token), async (c) => {
    const { token } = operatorBodies.token.parse(fieldsOf(c.req.valid('json')))
    const { requireOperatorInvitation } = await import('./operator-passkeys.ts')
    const { name, role, invitedUntil } = await requireOperatorInvitation(c, token)
    return c.json({ name, role, expiresAt: invitedUntil ?? 0 }, 200)
  })
  .post('/registration', requireSameOrigin, jsonBody(operatorRules.token), async (c) => {
    const { token } = operatorBodies.token.parse(fieldsOf(c.req.valid('json')))
    return (await import('./operator-passkeys.ts')).createOperatorOptions(c, token)
  })
  .post('/passkeys', requireSameOrigin, jsonBody(operatorRules.registration), async (c) => {
    const body = operatorBodies.registration.parse(fieldsOf(c.req.valid('json')))
    return (await import('./operator-passkeys.ts')).joinOperators(c, body)
  })
