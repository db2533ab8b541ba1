import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { createUnauthenticatedError } from '../../platform/auth/authenticate.ts'
import {
  endOperatorSession,
  isOperatorToken,
  listOperatorSessions,
  operatorCookieName,
  type SessionStart,
  startOperatorSession,
} from '../../platform/auth/operator/operator-sessions.ts'
import { getOperatorTokens, requireDistinctTokens } from '../../platform/auth/operator/operator-tokens.ts'
import { findAccessOperator, tokenHolder } from '../../platform/auth/operator/operators.ts'
import { getExpiry, requireSameOrigin, sessionSeconds } from '../../platform/auth/sessions.ts'
import { operatorRoles } from '../../platform/db/schema/directory/operators.ts'
import { notFound } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { emptyQuery } from '../../platform/http/pagination.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import { query } from '../../platform/http/validation.ts'
import { log } from '../../platform/lib/log.ts'
import { operatorBodies, operatorRules, operatorSignInFields } from './operators/operator-schemas.ts'
import { fieldsOf } from './passkeys/passkey-routes.ts'
import { readUserAgent, setCookie } from './session-routes.ts'
import { sessionView } from './session-views.ts'

/** A session of the operator in responses. */
export const operatorSessionView = z.extend(z.omit(sessionView, { key: true, user: true }), {
  operator: z
    .optional(
      z.object({
        id: z.string().check(z.describe('Id of the operator.')),
        name: z.string().check(z.describe('Name of the operator.')),
        role: z.enum(operatorRoles).check(z.describe('Role of the operator.')),
      }),
    )
    .check(z.describe('The person who signed in. Absent: the session is of the token.')),
})

type StoredSession = Awaited<ReturnType<typeof listOperatorSessions>>[number]
export const toSessionView = (
  { userAgent, operatorId, role, name, ...session }: StoredSession,
  current: string | undefined,
): z.output<typeof operatorSessionView> => ({
  ...session,
  userAgent: userAgent ?? undefined,
  expiresAt: getExpiry(session.createdAt, session.lastUsedAt, null),
  current: session.id === current,
  operator: operatorId && role && name ? { id: operatorId, name, role } : undefined,
})

/** Responds to a sign-in of an operator. */
export async function respondWithOperatorSession(c: Context<Env>, start: SessionStart) {
  const { token, session } = await startOperatorSession(c, start)
  if (!session) throw await createUnauthenticatedError(c)
  log(c.env, 'operator signed in', { session: session.id, ...(start.operator && { operator: start.operator }) })
  setCookie(c, operatorCookieName, token, sessionSeconds.total)
  return c.json(toSessionView(session, session.id), 201)
}

/** Rejects requests of operators while there is no token. */
export function requireOperators(c: Context<Env>): void {
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
    if (credential) return (await import('./operators/operator-passkeys.ts')).signInOperator(c, credential)
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
    const { requireOperatorInvitation } = await import('./operators/operator-passkeys.ts')
    const { name, role, invitedUntil } = await requireOperatorInvitation(c, token)
    return c.json({ name, role, expiresAt: invitedUntil ?? 0 }, 200)
  })
  .post('/registration', requireSameOrigin, jsonBody(operatorRules.token), async (c) => {
    const { token } = operatorBodies.token.parse(fieldsOf(c.req.valid('json')))
    return (await import('./operators/operator-passkeys.ts')).createOperatorOptions(c, token)
  })
  .post('/passkeys', requireSameOrigin, jsonBody(operatorRules.registration), async (c) => {
    const body = operatorBodies.registration.parse(fieldsOf(c.req.valid('json')))
    return (await import('./operators/operator-passkeys.ts')).joinOperators(c, body)
  })

/** Whose sessions a request may see: null for those of everybody. */
const getVisible = (c: Context<Env>) => (c.var.operator?.role === 'admin' ? null : (c.var.operator?.id ?? ''))

/** Sessions of operators. Mounted under `/admin/sessions`. */
export const operatorSessionRoutes = new Hono<Env>()
  .get('/', query(emptyQuery), async (c) => {
    const sessions = await listOperatorSessions(c.env, getVisible(c))
    return c.json(
      sessions.map((session) => toSessionView(session, c.var.sessionId)),
      200,
    )
  })
  .delete('/:sessionId', async (c) => {
    const id = c.req.param('sessionId')
    const ended = await endOperatorSession(c.env, id, getVisible(c))
    if (!ended) throw notFound()
    log(c.env, 'operator session ended', { session: id })
    if (id === c.var.sessionId) setCookie(c, operatorCookieName, '', 0)
    return c.json(
      { id, object: toSessionView(ended, c.var.sessionId), message: 'Session deleted', deleted: true as const },
      200,
    )
  })
