import type { Context } from 'hono'
import { signHmac } from '../../platform/auth/hmac.ts'
import { type Actor, createCauseValues } from '../../platform/db/transaction.ts'
import type { Bindings } from '../../platform/env.ts'
import type { Env } from '../../platform/http/context.ts'
import { getActor } from '../../platform/http/context.ts'
import { getLocalOrigin, readPublicUrl, requirePublicUrl } from '../../platform/http/public-url.ts'
import { createId } from '../../platform/lib/ids.ts'
import { toSeconds } from '../../platform/lib/time.ts'
import { enqueueMerchantDeliveries, type PendingDelivery } from '../../platform/outbox/enqueue-deliveries.ts'
import { enqueueLateChecks } from '../../platform/outbox/enqueue-late-checks.ts'
import type { RenderContext, ValidationContext } from './definition.ts'
import { enqueuePruning } from './pruning/enqueue-pruning.ts'

/** The caller of a store: the actor with its merchant and mode, and the data that rendering and validation need. */
export interface Caller extends Actor {
  validationContext: ValidationContext
  renderContext: RenderContext
  /** Enqueues messages for the deliveries of a committed change. If that fails, the cron enqueues them. */
  enqueue(pending: readonly PendingDelivery[]): void
  /** Enqueues the removal of references to deleted objects. If that fails, the cron does it. */
  continuePruning(): void
  /** Enqueues a check of the copies of tags, because the response of the transaction with this event was lost. */
  checkTags(event: string): void
}

/**
 * Base URL and signature for rendering. Addresses in printed codes are configured. They are taken from the request only if none is
 * configured and the request was sent to this machine, because clients choose the `Host`.
 */
export function getRenderContext(c: Context<Env>): RenderContext {
  const sign = (text: string) => signHmac(c.env, text)
  const configured = requirePublicUrl(c.env)
  if (configured !== undefined) return { baseUrl: configured, sign }
  return { baseUrl: getLocalOrigin(c), sign }
}

/** Data for rules between fields, besides the object. */
function getValidationContext(c: Context<Env>): ValidationContext {
  requirePublicUrl(c.env)
  const { host } = readPublicUrl(c.env)
  return {
    allowInsecureWebhooks: Boolean(c.env.ALLOW_INSECURE_WEBHOOKS),
    endpoints: c.env,
    grantedScopes: c.get('grantedScopes'),
    // The URL of a request is in its normal form. A `URL` for each change would cost more.
    ownHosts: [c.req.url.split('/')[2] ?? '', ...(host === undefined ? [] : [host])],
  }
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

/** Functions that enqueue messages for changes of a merchant. `later` takes work that a response does not wait for. */
export const createSenders = (
  env: Bindings,
  merchantId: string,
  later: (sending: Promise<void>) => void,
): Pick<Caller, 'enqueue' | 'checkTags' | 'continuePruning'> => ({
  enqueue: (pending) => later(enqueueMerchantDeliveries(env, merchantId, pending)),
  continuePruning: () => later(enqueuePruning(env, { merchant: merchantId, pruning: true })),
  checkTags: (event) => later(enqueueLateChecks(env, { kind: 'transaction', merchant: merchantId, event })),
})

/** Parameters of the statements of a change with events. The ids of its events have the prefix of `event`. */
export const createEventValues = (caller: Actor & Pick<Caller, 'renderContext'>, atMs = Date.now()) => ({
  ...caller.scope,
  event: createId('evt'),
  atMs,
  now: toSeconds(atMs),
  baseUrl: caller.renderContext.baseUrl,
  ...createCauseValues(caller),
})

/** Parameters of a change whose own statements write its entry to the audit log. */
export const createAuditedValues = (caller: Caller) => ({
  ...createEventValues(caller),
  entry: createId('aud'),
  actor: caller.actor,
  requestId: caller.requestId,
})
