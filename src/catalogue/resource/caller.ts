import type { Context } from 'hono'
import type { Actor } from '../../platform/db/transaction.ts'
import type { Bindings } from '../../platform/env.ts'
import type { Env } from '../../platform/http/context.ts'
import { getActor } from '../../platform/http/context.ts'
import { createId } from '../../platform/lib/ids.ts'
import { toSeconds } from '../../platform/lib/now.ts'
import { enqueueMerchantDeliveries, type PendingDelivery } from '../../platform/outbox/enqueue-deliveries.ts'
import { enqueueLateChecks } from '../../platform/outbox/enqueue-late-checks.ts'
import type { RenderContext, ValidationContext } from './definition.ts'
import { getRenderContext, getValidationContext } from './request-context.ts'

/** On whose behalf a store reads and writes: the actor with its merchant and mode, and what rendering and validation need. */
export interface Caller extends Actor {
  validationContext: ValidationContext
  renderContext: RenderContext
  /** Enqueues messages for the deliveries of a change that is committed. If that fails, the cron enqueues them. */
  enqueue(pending: readonly PendingDelivery[]): void
  /** Has the copies of tags checked: the answer of the transaction with this event was lost. */
  checkTags(event: string): void
}

/** The caller of a request. */
export function createCaller(c: Context<Env>): Caller {
  const actor = getActor(c)
  return {
    ...actor,
    // Created when it is first read: only writes need it.
    get validationContext() {
      return getValidationContext(c)
    },
    renderContext: getRenderContext(c),
    ...createSenders(c.env, actor.scope.merchantId, (sending) => c.executionCtx.waitUntil(sending)),
  }
}

/** How the changes of a merchant reach the queues. `later` is called with the work that a response does not wait for. */
export const createSenders = (
  env: Bindings,
  merchantId: string,
  later: (sending: Promise<void>) => void,
): Pick<Caller, 'enqueue' | 'checkTags'> => ({
  enqueue: (pending) => later(enqueueMerchantDeliveries(env, merchantId, pending)),
  checkTags: (event) => later(enqueueLateChecks(env, { kind: 'transaction', merchant: merchantId, event })),
})

/** Values that the statements of a change with events take. The ids of its events begin as `event` does. */
export const createEventValues = ({ scope, renderContext }: Caller, atMs = Date.now()) => ({
  ...scope,
  event: createId('evt'),
  atMs,
  now: toSeconds(atMs),
  baseUrl: renderContext.baseUrl,
})

/** The same for a change whose own statements write its entry to the audit log. */
export const createAuditedValues = (caller: Caller) => ({
  ...createEventValues(caller),
  entry: createId('aud'),
  actor: caller.actor,
  requestId: caller.requestId,
})
