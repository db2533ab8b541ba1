import type { Database } from '../db/database.ts'
import type { Bindings } from '../env.ts'
import { daySeconds } from '../lib/day.ts'
import { createSenders } from '../resource/caller.ts'
import { createStore } from '../resource/store/store.ts'
import * as resources from '../resources/registry.ts'
import type { StoredEvent } from './rows/stored-event.ts'

/** Days without a success and failed attempts after which a webhook is deactivated. Both must be reached. */
export const deactivationThreshold = { days: 5, failures: 10 } as const

const store = createStore(resources.webhooks, { all: Object.values(resources) })

type Target = Pick<StoredEvent, 'merchantId' | 'testMode' | 'baseUrl'> & { webhookId: string }

/** A failed attempt: whether the endpoint returned 410, and the failures since the last success. */
interface Failing {
  gone: boolean
  failures: number
  failingSeconds: number
}

export const deactivation = {
  /** Returns why a webhook must be deactivated; undefined where it stays active. */
  getReason({ gone, failures, failingSeconds }: Failing): string | undefined {
    const { days, failures: minFailures } = deactivationThreshold
    if (gone) return 'The endpoint returned 410 Gone.'
    if (failures < minFailures || failingSeconds < days * daySeconds) return undefined
    return `The endpoint accepted no delivery for ${days} days, in ${failures} attempts.`
  },

  /** Deactivates a webhook as its owner would: cancels its pending deliveries and inserts `webhook.updated`. */
  async deactivate(env: Bindings, database: Database, event: Target, disabledReason: string): Promise<void> {
    const { merchantId, testMode } = event
    const caller = {
      database,
      scope: { merchantId, testMode },
      actor: 'system',
      // The URL does not change, so it is not validated again.
      validationContext: { allowInsecureWebhooks: true, ownHosts: [] },
      renderContext: { baseUrl: event.baseUrl ?? undefined },
      ...createSenders(env, merchantId, (sending) => void sending),
    }
    await store.update(caller, event.webhookId, { patch: { active: false, disabledReason }, issues: [] })
  },
}
