import { Hono } from 'hono'
import * as z from 'zod/mini'
import { orderEventNames } from '../catalogue/events/event-types.ts'
import { type Caller, createCaller, createEventValues } from '../catalogue/resource/caller.ts'
import {
  type EffectsResult,
  effectsRequest,
  listMisplacedEffects,
  toEffectsMeaning,
} from '../checkout/effects/effects-request.ts'
import { requireScopes } from '../platform/auth/authenticate.ts'
import { commit } from '../platform/db/transaction.ts'
import { invalid, notFound } from '../platform/errors.ts'
import type { Env } from '../platform/http/context.ts'
import { jsonResponse } from '../platform/http/headers.ts'
import { idempotent, parseIdempotencyKey, renderOnce } from '../platform/http/idempotency.ts'
import { exactBody } from '../platform/http/request-body.ts'
import type { ParsedBody } from '../platform/http/validation.ts'
import { canonicalizeJson } from '../platform/lib/encoding/canonical-json.ts'
import { fanOut, toPendingDeliveries } from '../platform/outbox/fan-out.ts'
import { publish } from '../platform/outbox/publish-event.ts'
import { eventFeed } from './events/event-feed.ts'

/** Body of a published event. Only the service raises all other types. */
export const publishedEvent = z.strictObject({
  type: z.enum(orderEventNames, { error: `must be one of ${orderEventNames.join(', ')}` }),
  data: z.record(z.string(), z.unknown()),
  effects: z
    .nullish(effectsRequest)
    .check(
      z.describe(
        'Changes of stock and coupons that the order makes. They are written in one transaction with the event.',
      ),
    ),
})
export const publicationRules = {
  schema: publishedEvent,
  partial: z.partial(publishedEvent),
  readOnly: new Set(['id', 'timestamp', 'merchantId', 'testMode', 'version', 'sequence']),
  hasOpenParts: true,
  toMeaning({ patch: { type, effects }, texts }: ParsedBody) {
    const read = effectsRequest.safeParse(effects).data
    return { type, data: canonicalizeJson(texts?.get('data') ?? '{}'), effects: read && toEffectsMeaning(read) }
  },
}

/** A published event: its id and the changes of its effects. */
export interface Published {
  id: string
  effects?: EffectsResult
}

/**
 * Inserts a published event, its effects and its deliveries in one transaction. The text of `data` is stored and sent unchanged, except for white
 * space between its parts.
 */
export async function publishEvent(
  caller: Caller,
  { patch, issues, texts }: ParsedBody,
  createResponse?: (published: Published) => Response,
  idempotencyKey?: string,
): Promise<Published> {
  if (issues.length > 0) throw invalid(issues)
  const type = publishedEvent.shape.type.parse(patch['type'])
  const effects = patch['effects'] ? effectsRequest.parse(patch['effects']) : undefined
  const misplaced = listMisplacedEffects(type, effects)
  if (misplaced.length > 0) throw invalid(misplaced)
  if (effects?.undo) {
    const { cancelOrder } = await import('../checkout/effects/cancel-order.ts')
    const order = { type, data: texts?.get('data'), reference: effects.undo }
    return cancelOrder(caller, order, (cancelled) => createResponse?.(cancelled) ?? Response.json(cancelled))
  }
  if (effects?.replace) {
    const { replaceOrder } = await import('../checkout/effects/replace-order.ts')
    const change = { type, data: texts?.get('data'), reference: effects.replace, effects }
    return replaceOrder(caller, change, (changed) => createResponse?.(changed) ?? Response.json(changed))
  }
  if (effects?.reference || effects?.stock || effects?.redemptions?.length) {
    const { takeOrder } = await import('../checkout/effects/take-order.ts')
    const order = { type, data: texts?.get('data'), effects, idempotencyKey }
    return takeOrder(caller, order, (taken) => createResponse?.(taken) ?? Response.json(taken))
  }
  const values = { ...createEventValues(caller), type, row: texts?.get('data') }
  // The audit log gets no entry, because the event itself is the record.
  const published = { id: values.event }
  const operation = { response: caller.idempotency && createResponse?.(published) }
  const [written = [], pending = []] = await commit(caller, operation, [[publish(), values]], [[fanOut(), values]])
  if (written.length === 0) throw notFound()
  const deliveries = toPendingDeliveries(pending)
  if (deliveries.length > 0) caller.enqueue(deliveries)
  return published
}

/** Publishes events, and lists the events of the last days. */
export const eventRoutes = new Hono<Env>()
  .post('/', exactBody(publicationRules), idempotent, async (c) => {
    const createResponse = renderOnce((published: Published) =>
      jsonResponse<Published, 202>(c, JSON.stringify(published), undefined, 202),
    )
    const body = c.req.valid('json')
    const { effects } = body.patch
    const { stock, redemptions } = (effects ? effectsRequest.safeParse(effects).data : undefined) ?? {}
    requireScopes(c.var.grantedScopes, [
      ...(stock ? (['stock:write'] as const) : []),
      ...(redemptions ? (['redemptions:write'] as const) : []),
    ])
    const key = c.req.header('idempotency-key')
    return createResponse(await publishEvent(createCaller(c), body, createResponse, key && parseIdempotencyKey(key)))
  })
  .route('/', eventFeed)
