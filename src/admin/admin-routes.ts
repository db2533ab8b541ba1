import { type Context, Hono } from 'hono'
import { hasAccess } from '../platform/auth/access.ts'
import { createUnauthenticatedError, getBearerToken } from '../platform/auth/authenticate.ts'
import { findOperatorSession, isOperatorToken } from '../platform/auth/operator-sessions.ts'
import { directoryDatabase } from '../platform/db/home/connect.ts'
import { notFound } from '../platform/errors.ts'
import type { Env } from '../platform/http/context.ts'
import { requireDecodablePath } from '../platform/http/paths.ts'
import { requireConfiguration } from '../platform/http/public-url.ts'
import { keyRoutes } from './key-routes.ts'
import { merchantRoutes } from './merchant-routes.ts'
import { merchantStateRoutes } from './merchant-state-routes.ts'
import { failingWebhookRoutes } from './operator/failing-webhook-routes.ts'
import { moveRoutes } from './operator/move-routes.ts'
import { usageRoutes } from './operator/usage-routes.ts'

/** Whether the request is the operator's. Only without `Authorization`, the cookie of a session and Cloudflare Access count. */
async function isOperator(c: Context<Env>): Promise<boolean> {
  if (c.req.header('authorization') !== undefined) return isOperatorToken(c.env, getBearerToken(c))
  const session = await findOperatorSession(c)
  c.set('sessionId', session)
  return session !== undefined || hasAccess(c)
}

/** The operator API. Without `ADMIN_TOKEN`, every path is `not_found`. */
export const createAdminRoutes = <
  Maintenance extends Hono<Env>,
  Metrics extends Hono<Env>,
  Rebuild extends Hono<Env>,
  Damaged extends Hono<Env>,
  Backups extends Hono<Env>,
  Restores extends Hono<Env>,
  Sessions extends Hono<Env>,
  Recoveries extends Hono<Env>,
  Invitations extends Hono<Env>,
>(routes: {
  tags: Hono<Env>
  maintenance: Maintenance
  metrics: Metrics
  tagRebuild: Rebuild
  damagedRows: Damaged
  backups: Backups
  restores: Restores
  sessions: Sessions
  recoveries: Recoveries
  invitations: Invitations
}) =>
  new Hono<Env>()
    .use(async (c, next) => {
      if (!c.env.ADMIN_TOKEN) throw notFound()
      if (!(await isOperator(c))) throw await createUnauthenticatedError(c)
      requireDecodablePath(c)
      const database = directoryDatabase(c.env, c.req.header('d1-bookmark'))
      c.set('actor', 'operator')
      c.set('database', database)
      await next()
      if (database.bookmark) c.res.headers.set('D1-Bookmark', database.bookmark)
    })
    .use(requireConfiguration)
    .route('/maintenance', routes.maintenance)
    .route('/merchants', merchantRoutes)
    .route('/merchants', merchantStateRoutes)
    .route('/merchants/:merchantId/keys', keyRoutes)
    .route('/merchants/:merchantId/usage', usageRoutes)
    .route('/sessions', routes.sessions)
    .route('/merchants/:merchantId/move', moveRoutes)
    .route('/metrics', routes.metrics)
    .route('/failing-webhooks', failingWebhookRoutes)
    .route('/merchants/:merchantId/tags', routes.tags)
    .route('/rebuild-tags', routes.tagRebuild)
    .route('/merchants/:merchantId/damaged', routes.damagedRows)
    .route('/merchants/:merchantId/backups', routes.backups)
    .route('/merchants/:merchantId/restore', routes.restores)
    .route('/merchants/:merchantId/recover', routes.recoveries)
    .route('/merchants/:merchantId/invitations', routes.invitations)
