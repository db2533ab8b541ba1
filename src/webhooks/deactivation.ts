import { merchantDatabase } from '../db/database.ts'
import type { Bindings } from '../env.ts'
import { enqueueMerchantDeliveries, type PendingDelivery } from '../outbox/enqueue-deliveries.ts'
import { createStore } from '../resource/store.ts'
import * as resources from '../resources/registry.ts'
import type { StoredEvent } from './payload.ts'

/** A webhook is switched off after this long without a success, in seconds, given this many failures. */
export const deactivationThreshold = { seconds: 432_000, failures: 10 } as const

const store = createStore(resources.webhooks, { all: Object.values(resources) })

export const deactivation = {
  /** Why a webhook is to be switched off; undefined while it is not. */
  reason({
    gone,
    failures,
    failingSeconds,
  }: {
    gone: boolean
    failures: number
    failingSeconds: number
  }): string | undefined {
    if (gone) return 'The endpoint answered 410 Gone.'
    if (failures < deactivationThreshold.failures || failingSeconds < deactivationThreshold.seconds) return undefined
    return `The endpoint has not accepted anything for five days, in ${failures} attempts.`
  },

  /** Switches a webhook off, as its owner could: what is pending is called off, and `webhook.updated` is raised. */
  async webhook(env: Bindings, event: StoredEvent & { webhook_id: string }, disabledReason: string): Promise<void> {
    const scope = { merchantId: event.merchant_id, testMode: event.test_mode }
    const session = {
      database: merchantDatabase(env, scope.merchantId),
      scope,
      actor: 'system',
      // Nothing is checked again: the address stays as it is.
      validationContext: { allowInsecureWebhooks: true, ownHosts: [] },
      renderContext: { baseUrl: event.base_url ?? undefined },
      enqueue: (pending: readonly PendingDelivery[]) => void enqueueMerchantDeliveries(env, scope.merchantId, pending),
    }
    await store.update(session, event.webhook_id, { patch: { active: false, disabledReason }, issues: [] })
  },
}
