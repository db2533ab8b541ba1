import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { createUnauthenticatedError } from '../../platform/auth/authenticate.ts'
import { getExpiry, sessionSeconds } from '../../platform/auth/console-session.ts'
import {
  endOperatorSession,
  listOperatorSessions,
  operatorCookieName,
  type SessionStart,
  startOperatorSession,
} from '../../platform/auth/operator/operator-sessions.ts'
import { operatorRoles } from '../../platform/db/schema/directory/operators.ts'
import { notFound } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { emptyQuery } from '../../platform/http/pagination.ts'
import { query } from '../../platform/http/validation.ts'
import { log } from '../../platform/lib/log.ts'
import { setCookie } from './session-routes.ts'
import { sessionView } from './session-views.ts'

/** A session of the operator in responses. */
export const operatorSessionView = z.extend(z.omit(sessionView, { key: true, user: true, support: true }), {
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
const toSessionView = (
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
