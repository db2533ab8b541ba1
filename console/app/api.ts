import { computed } from '@preact/signals'
import { type BaseClient, createBaseClient, createOperator, type Operator } from '../../packages/client/src/client.ts'
import { Transport } from '../../packages/client/src/transport.ts'
import { drafting, isDrafted } from './frame/prepared.ts'
import { sendOnce } from './send-once.ts'
import { session } from './session.ts'

const client = computed(() => {
  const merchantId = session.value?.merchant.id
  if (merchantId === undefined) return undefined
  return createBaseClient({ merchantId, origin: location.origin, fetch: sendOnce, retries: 1 })
})

let latest: BaseClient | undefined

/**
 * The client of the session, or of the session that has just ended: requests that are still running then get a `401`. The sign-in form does not load
 * it.
 */
export function liveApi(): BaseClient {
  latest = client.value ?? latest
  if (!latest) throw new Error('Nobody is signed in.')
  return latest
}

/** The client of a screen: while changes are being prepared, those of products, modifiers and menus go into the release. */
export function api(): BaseClient {
  const live = liveApi()
  return drafting.value && isDrafted() ? drafting.value(live) : live
}

/** Requests for data of the person, such as passkeys. */
export const personApi = new Transport({ origin: location.origin, fetch: sendOnce, retries: 1 })

const operatorClient = createOperator({ origin: location.origin, fetch: sendOnce, retries: 1 })
/** The client of the operator. */
export const operatorApi = (): Operator => operatorClient
