import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { checkRights, createUnauthenticatedError } from '../platform/auth/authenticate.ts'
import { requireOperatorRight } from '../platform/auth/operator/operator-rights.ts'
import { getOperatorTokens, requireDistinctTokens } from '../platform/auth/operator/operator-tokens.ts'
import { identifyOperator } from '../platform/auth/operator/operators.ts'
import { clearCredentialCaches } from '../platform/auth/sessions.ts'
import { directoryDatabase } from '../platform/db/home/d1-connection.ts'
import { ApiError, invalid, notFound } from '../platform/errors.ts'
import type { Env } from '../platform/http/context.ts'
import { idempotent } from '../platform/http/idempotency.ts'
import { requireConfiguration } from '../platform/http/public-url.ts'
import { jsonBody } from '../platform/http/request-body.ts'
import { requireDecodablePath } from '../platform/http/validation.ts'
import { daySeconds } from '../platform/lib/day.ts'
import { requireNoRestore } from '../tenancy/backup/restore/open-restore.ts'
import { platformDeliveryRoutes } from '../webhooks/platform/platform-delivery-routes.ts'
import { platformFilterRoutes } from '../webhooks/platform/platform-filter-routes.ts'
import { platformWebhookRoutes } from '../webhooks/platform/platform-webhook-routes.ts'
import { operatorRoutes } from './account/operators/operator-routes.ts'
import { platformKeyRoutes } from './account/operators/platform-key-routes.ts'
import { supportRoutes } from './account/operators/support-routes.ts'
import { keyRoutes } from './keys/key-routes.ts'
import { merchantRoutes, updateMerchant } from './merchant-routes.ts'
import { closeFields, closeRules, graceDays, type Merchant } from './merchant-schemas.ts'
import { codeClashRoutes } from './operator/code-clash-routes.ts'
import { failingWebhookRoutes } from './operator/failing-webhook-routes.ts'
import { moveRoutes } from './operator/move-routes.ts'
import { usageRoutes } from './operator/usage-routes.ts'

/** Changes the state of the merchant in the path. A request without effect is not an error, so that it can be repeated. */
async function changeState(c: Context<Env>, name: string, change: (before: Merchant, now: number) => object) {
  const response = await updateMerchant(c, c.req.param('merchantId') ?? '', `merchants.${name}`, change)
  clearCredentialCaches()
  return response
}

const requireGrace = ({ deletesAt = Number.POSITIVE_INFINITY }: Merchant, now: number) => {
  if (deletesAt <= now)
    throw new ApiError('conflict', 'The grace period is over. The data of the merchant is being deleted.')
}

/** Requires an operator whose role, or a platform key whose scopes, allow the request. */
async function authorize(c: Context<Env>): Promise<void> {
  const operator = await identifyOperator(c)
  if (!operator) throw await createUnauthenticatedError(c)
  requireDistinctTokens(c.env)
  requireOperatorRight(operator, c.req.method, c.req.path)
  c.set('actor', operator.id)
  c.set('operator', operator)
  c.set('sessionId', operator.sessionId)
}

/** A restore suspends the merchant until its end, and then sets the previous state. */
const requireRestored: MiddlewareHandler<Env> = async (c, next) => {
  await requireNoRestore(c.var.database, c.req.param('merchantId') ?? '')
  await next()
}

/** Routes that suspend and close merchants. Mounted under `/admin/merchants`. */
const merchantStateRoutes = new Hono<Env>()
  .post('/:merchantId/suspend', requireRestored, idempotent, (c) =>
    changeState(c, 'suspend', (before, now) => ({ suspendedAt: now, ...before })),
  )
  .post('/:merchantId/resume', requireRestored, idempotent, (c) =>
    changeState(c, 'resume', ({ suspendedAt: _, ...before }) => before),
  )
  .post('/:merchantId/close', jsonBody(closeRules), idempotent, (c) => {
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const days = closeFields.parse(patch).graceDays ?? graceDays.default
    return changeState(c, 'close', (before, now) => {
      requireGrace(before, now)
      const { closedAt = now } = before
      return { ...before, closedAt, deletesAt: closedAt + days * daySeconds }
    })
  })
  .post('/:merchantId/reopen', idempotent, (c) =>
    changeState(c, 'reopen', (before, now) => {
      requireGrace(before, now)
      const { closedAt: _, deletesAt: __, ...open } = before
      return open
    }),
  )

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
      if (getOperatorTokens(c.env).length === 0) throw notFound()
      await checkRights(c, authorize)
      requireDecodablePath(c)
      const database = directoryDatabase(c.env, c.req.header('d1-bookmark'))
      c.set('database', database)
      await next()
      if (database.bookmark) c.res.headers.set('D1-Bookmark', database.bookmark)
    })
    .use(requireConfiguration)
    .route('/maintenance', routes.maintenance)
    .route('/merchants', merchantRoutes)
    .route('/merchants', merchantStateRoutes)
    .route('/merchants/:merchantId/keys', keyRoutes)
    .route('/merchants/:merchantId/support', supportRoutes)
    .route('/merchants/:merchantId/usage', usageRoutes)
    .route('/merchants/:merchantId/code-clashes', codeClashRoutes)
    .route('/sessions', routes.sessions)
    .route('/operators', operatorRoutes)
    .route('/keys', platformKeyRoutes)
    .route('/webhooks', platformWebhookRoutes)
    .route('/webhooks', platformDeliveryRoutes)
    .route('/webhooks', platformFilterRoutes)
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
