import type { Context } from 'hono'
import type { Actor } from '../db/transaction.ts'
import type { Env } from '../http/context.ts'
import { getActor } from '../http/context.ts'
import { enqueueMerchantDeliveries, type PendingDelivery } from '../outbox/enqueue-deliveries.ts'
import type { RenderContext, ValidationContext } from './definition.ts'
import { getRenderContext, getValidationContext } from './request-context.ts'

/** The context of a request that a store needs. */
export interface Session extends Actor {
  validationContext: ValidationContext
  renderContext: RenderContext
  /** Rings for the deliveries that a change gave rise to, when it is committed; they will be made even if it does not. */
  enqueue(pending: readonly PendingDelivery[]): void
}

/** What a request for a merchant asks a store with. */
export function createSession(c: Context<Env>): Session {
  const author = getActor(c)
  return {
    ...author,
    // Only changes look at it.
    get validationContext() {
      return getValidationContext(c)
    },
    renderContext: getRenderContext(c),
    enqueue: (pending) => c.executionCtx.waitUntil(enqueueMerchantDeliveries(c.env, author.scope.merchantId, pending)),
  }
}
