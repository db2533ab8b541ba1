import { sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { allOf, lazy, param } from '../../platform/db/database.ts'
import { columnParam, db, type RowOf, typed } from '../../platform/db/query.ts'
import { webhookTable } from '../../platform/db/schema/resources/webhooks.ts'
import type { Operation } from '../../platform/db/transaction.ts'
import { ApiError, notFound } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { circuitBreaker } from '../../platform/outbox/circuit-breaker.ts'
import { enqueueMerchantDeliveries } from '../../platform/outbox/enqueue-deliveries.ts'
import { isWebhook } from '../rows/conditions.ts'
import { type pendingFields, toPendingDelivery } from '../rows/stored-delivery.ts'

const webhookFields = { active: webhookTable.active, failures: webhookTable.failures }
type Webhook = RowOf<typeof webhookFields>

/** The webhook `:id` if it is active. */
export const isActiveWebhook = allOf(isWebhook, sql`${webhookTable.active} = 1`)

/** Statements that every request to send includes. */
export const requestStatements = {
  findWebhook: lazy(() => typed(webhookFields, (select) => db.select(select).from(webhookTable).where(isWebhook))),
  /** Allows the next call immediately, even to a broken endpoint, because the owner has requested it. */
  allowProbe: lazy(() =>
    typed({ seq: webhookTable.seq }, (select) =>
      db
        .update(webhookTable)
        .set({ probeAt: columnParam(webhookTable.probeAt, 'now') })
        .where(allOf(isActiveWebhook, sql`${webhookTable.probeAt} > ${param('now')}`))
        .returning(select),
    ),
  ),
}

/** The values that `requestStatements` take. */
export const getValues = (c: Context<Env>) => ({
  ...c.var.scope,
  id: c.req.param('id'),
  now: nowInSeconds(),
})

/** The operation of a request for a webhook, with its audit entry. */
export const createWebhookOperation = (c: Context<Env>, verb: string, response: Response): Operation => ({
  operation: `webhooks.${verb}`,
  object: c.req.param('id') ?? '',
  response,
})

/** Throws the problem of a request for a webhook that does not exist or is not active. */
export function requireActive(webhook: Webhook | undefined): Webhook {
  if (!webhook) throw notFound()
  if (!webhook.active) throw new ApiError('conflict', 'The webhook is not active. Set active to true first.')
  return webhook
}

/** Enqueues deliveries that have become pending, after the response. A broken endpoint gets one message. */
export function enqueue(c: Context<Env>, { failures }: Webhook, pending: readonly RowOf<typeof pendingFields>[]): void {
  const chosen = failures >= circuitBreaker.failures ? pending.slice(0, 1) : pending
  c.executionCtx.waitUntil(enqueueMerchantDeliveries(c.env, c.var.scope.merchantId, chosen.map(toPendingDelivery)))
}
