import { computed } from '@preact/signals'
import { type BaseClient, createBaseClient, createOperator, type Operator } from '../../packages/client/src/client.ts'
import { sendSigned, session } from './session.ts'

const client = computed(() => {
  const merchantId = session.value?.merchant.id
  if (merchantId === undefined) return undefined
  return createBaseClient({ merchantId, origin: location.origin, fetch: sendSigned, retries: 1 })
})

/** The client of the session. The sign-in form does not load it. Throws while nobody is signed in. */
export function api(): BaseClient {
  if (!client.value) throw new Error('Nobody is signed in.')
  return client.value
}

const operatorClient = createOperator({ origin: location.origin, fetch: sendSigned, retries: 1 })
/** The client of the operator. */
export const operatorApi = (): Operator => operatorClient
