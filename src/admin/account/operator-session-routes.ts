import { Hono } from 'hono'
import * as z from 'zod/mini'
import { createUnauthenticatedError } from '../../platform/auth/authenticate.ts'
import { hasAccess } from '../../platform/auth/operator/access.ts'
import {
  endOperatorSession,
  isOperatorToken,
  listOperatorSessions,
  operatorCookieName,
  startOperatorSession,
} from '../../platform/auth/operator/operator-sessions.ts'
import { getOperatorTokens, requireDistinctTokens } from '../../platform/auth/operator/operator-tokens.ts'
import { getExpiry, requireSameOrigin, sessionSeconds } from '../../platform/auth/sessions.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import * as field from '../../platform/http/fields.ts'
import { emptyQuery } from '../../platform/http/pagination.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import { query } from '../../platform/http/validation.ts'
import { log } from '../../platform/lib/log.ts'
import { readUserAgent, setCookie } from './session-routes.ts'
import { sessionView } from './session-views.ts'

export const operatorSignInFields = z.strictObject({
  token: z
    .nullish(field.exactText({ min: 1, max: 1_024 }))
    .check(z.describe('The secret of the operator. Absent: the request has passed Cloudflare Access.')),
})
const rules = { schema: operatorSignInFields, partial: z.partial(operatorSignInFields), readOnly: new Set<string>() }

/** A session of the operator in responses. */
export const operatorSessionView = z.omit(sessionView, { key: true, user: true })

type StoredSession = Awaited<ReturnType<typeof listOperatorSessions>>[number]
const toView = (
  { userAgent, ...session }: StoredSession,
  current: string | undefined,
): z.output<typeof operatorSessionView> => ({
  ...session,
  userAgent: userAgent ?? undefined,
  expiresAt: getExpiry(session.createdAt, session.lastUsedAt, null),
  current: session.id === current,
})

/** Sign-in of the operator in the console. */
export const operatorSignInRoutes = new Hono<Env>().post('/', requireSameOrigin, jsonBody(rules), async (c) => {
  if (getOperatorTokens(c.env).length === 0) throw notFound()
  const { patch, issues } = c.req.valid('json')
  if (issues.length > 0) throw invalid(issues)
  const { token: secret } = operatorSignInFields.parse(patch)
  if (!(await (secret ? isOperatorToken(c.env, secret) : hasAccess(c)))) throw await createUnauthenticatedError(c)
  requireDistinctTokens(c.env)
  const { token, session } = await startOperatorSession(c, readUserAgent(c), secret || undefined)
  log(c.env, 'operator signed in', { session: session.id })
  setCookie(c, operatorCookieName, token, sessionSeconds.total)
  return c.json(toView(session, session.id), 201)
})

/** Sessions of the operator. Mounted under `/admin/sessions`. */
export const operatorSessionRoutes = new Hono<Env>()
  .get('/', query(emptyQuery), async (c) => {
    const sessions = await listOperatorSessions(c.env)
    return c.json(
      sessions.map((session) => toView(session, c.var.sessionId)),
      200,
    )
  })
  .delete('/:sessionId', async (c) => {
    const id = c.req.param('sessionId')
    const ended = await endOperatorSession(c.env, id)
    if (!ended) throw notFound()
    log(c.env, 'operator session ended', { session: id })
    if (id === c.var.sessionId) setCookie(c, operatorCookieName, '', 0)
    return c.json(
      { id, object: toView(ended, c.var.sessionId), message: 'Session deleted', deleted: true as const },
      200,
    )
  })
