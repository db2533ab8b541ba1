import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { clearCredentialCaches } from '../platform/auth/sessions.ts'
import { ApiError, invalid } from '../platform/errors.ts'
import type { Env } from '../platform/http/context.ts'
import { idempotent } from '../platform/http/idempotency.ts'
import { jsonBody } from '../platform/http/request-body.ts'
import { daySeconds } from '../platform/lib/day.ts'
import { requireNoRestore } from '../tenancy/backup/restore/open-restore.ts'
import { updateMerchant } from './merchant-routes.ts'
import { closeFields, closeRules, graceDays, type Merchant } from './merchant-schemas.ts'

/** Changes the state of the merchant in the path. A request that changes nothing is not an error, so that it can be repeated. */
async function changeState(c: Context<Env>, name: string, change: (before: Merchant, now: number) => object) {
  const response = await updateMerchant(c, c.req.param('merchantId') ?? '', `merchants.${name}`, change)
  clearCredentialCaches()
  return response
}

const requireGrace = ({ deletesAt = Number.POSITIVE_INFINITY }: Merchant, now: number) => {
  if (deletesAt <= now)
    throw new ApiError('conflict', 'The grace period is over. The data of the merchant is being deleted.')
}

/** A restore suspends the merchant until its end, and sets what was before. */
const requireRestored: MiddlewareHandler<Env> = async (c, next) => {
  await requireNoRestore(c.var.database, c.req.param('merchantId') ?? '')
  await next()
}

/** Routes that suspend and close merchants. Mounted under `/admin/merchants`. */
export const merchantStateRoutes = new Hono<Env>()
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
