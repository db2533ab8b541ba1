import { type Caller, createAuditedValues } from '../../catalogue/resource/caller.ts'
import { invalid } from '../../platform/errors.ts'
import { limits } from '../../platform/http/fields.ts'
import { hashKey } from '../../platform/lib/encoding/sha256.ts'
import { toRequested } from '../redemptions/redemption-request.ts'
import { shortenHash } from '../stock/recorded-changes.ts'
import { sortChanges } from '../stock/stock-request.ts'
import { type EffectsRequest, toEffectsMeaning, toRedemptionRequests } from './effects-request.ts'

/** An order to publish. `data` is its JSON text. */
export interface Order {
  type: string
  data: string | undefined
  effects: EffectsRequest
  /** The `Idempotency-Key` of the request: the default of the stock's reference. */
  idempotencyKey: string | undefined
}

/** The reference of the stock's adjustment. Null if the order takes no stock. */
function getReference({ effects: { stock }, idempotencyKey }: Order): string | null {
  if (!stock) return null
  const reference = stock.reference ?? idempotencyKey
  const pointer = '/effects/stock/reference'
  if (reference === undefined) throw invalid([{ pointer, code: 'required', message: 'must be given' }])
  if (reference.length <= limits.callerReference) return reference
  const message = `must be given: the Idempotency-Key has more than ${limits.callerReference} characters`
  throw invalid([{ pointer, code: 'too_long', message }])
}

/** The reference of an order, and the columns that record it. `stockReference` is that of its stock. */
function createOrderValues({ effects, idempotencyKey }: Order, stockReference: string | null, keyId?: string) {
  const ofRedemptions = new Set(effects.redemptions?.map(({ order }) => order))
  const [only, ...others] = ofRedemptions
  const key =
    idempotencyKey !== undefined && idempotencyKey.length <= limits.callerReference ? idempotencyKey : undefined
  const reference = effects.reference ?? stockReference ?? key ?? (others.length === 0 ? only : undefined)
  if (reference === undefined) {
    throw invalid([{ pointer: '/effects/reference', code: 'required', message: 'must be given' }])
  }
  const otherKey = idempotencyKey === undefined || idempotencyKey === reference ? undefined : keyId
  const isOfStock = stockReference === reference
  // Only an adjustment records the key.
  const isOfRedemptions = stockReference === null && only !== undefined && otherKey === undefined
  const isFound = (isOfStock || isOfRedemptions) && [...ofRedemptions].every((order) => order === reference)
  return { order: reference, orderReference: reference, orderKey: otherKey, hasOrderRow: !isFound }
}

/** The redemptions that an order requests, and the values of all its statements. */
export async function prepareOrder(caller: Caller, order: Order) {
  const { stock, redemptions, reference: orderReference } = order.effects
  const requests = toRedemptionRequests(order.effects)
  const reference = getReference(order)
  const changes = JSON.stringify(stock?.changes ?? [])
  const [reason, oversell] = [stock?.reason ?? 'sale', stock?.oversell === true]
  const given = await hashKey(JSON.stringify([reference, reason, oversell, changes, requests]))
  const { redemptions: ofMeaning = [] } = toEffectsMeaning(order.effects)
  const sorted = JSON.stringify(sortChanges(stock?.changes ?? []))
  // Hashes of orders without a reference of their own do not change between releases.
  const named = orderReference ? [orderReference] : []
  const hash = await hashKey(JSON.stringify([reference, reason, oversell, sorted, ofMeaning, ...named]))
  const common = createAuditedValues(caller)
  const values = {
    ...common,
    ...createOrderValues(order, reference, caller.idempotency?.id),
    type: order.type,
    row: order.data,
    reference,
    reason,
    oversell,
    changes,
    requestHash: shortenHash(hash),
    redemptions: JSON.stringify(requests.map(toRequested)),
    orderEvent: common.event,
    orderHash: hash,
  }
  // Earlier releases stored the whole hash of an adjustment, the first ones that of the effects as they were given.
  const hashes = [values.requestHash, hash, ...(orderReference ? [] : [given])]
  return { requests, showsRedemptions: Boolean(redemptions), values, hashes }
}
export type PreparedOrder = Awaited<ReturnType<typeof prepareOrder>>
