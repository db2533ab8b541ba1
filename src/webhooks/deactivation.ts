import { createSenders } from '../catalogue/resource/caller.ts'
import { createStore } from '../catalogue/resource/store/store.ts'
import { updateObject } from '../catalogue/resource/store/update.ts'
import { webhooks } from '../catalogue/resources/webhooks.ts'
import type { Database } from '../platform/db/database.ts'
import type { Bindings } from '../platform/env.ts'
import { ApiError } from '../platform/errors.ts'
import { daySeconds } from '../platform/lib/day.ts'
import { maxAttempts } from '../platform/outbox/retry-delays.ts'
import type { StoredEvent } from './rows/stored-event.ts'

/** Days without a success, and failed attempts in a row, after which a webhook is deactivated: as many as one delivery gets. Both must be reached. */
export const deactivationThreshold = { days: 5, failures: maxAttempts } as const

const store = createStore(webhooks)

/** The webhook that was called, with its version at that time. */
type Target = Pick<StoredEvent, 'merchantId' | 'testMode' | 'baseUrl'> & { webhookId: string; webhookVersion: number }

/** A failed attempt: whether the endpoint returned 410, and the failures since the last success. */
interface Failing {
  gone: boolean
  failures: number
  failingSeconds: number
}

export const deactivation = {
  /** Returns why a webhook must be deactivated; undefined if it stays active. */
  getReason({ gone, failures, failingSeconds }: Failing): string | undefined {
    const { days, failures: minFailures } = deactivationThreshold
    if (gone) return 'The endpoint returned 410 Gone.'
    if (failures < minFailures || failingSeconds < days * daySeconds) return undefined
    return `The endpoint accepted no delivery for ${days} days, in ${failures} attempts.`
  },

  /**
   * Deactivates a webhook as its owner would: cancels its pending deliveries and inserts `webhook.updated`. Returns false, and changes
   * nothing, if the webhook was changed since the call: the response says nothing about a new address or activation.
   */
  async deactivate(env: Bindings, database: Database, target: Target, disabledReason: string): Promise<boolean> {
    const { merchantId, testMode, webhookId, webhookVersion } = target
    const caller = {
      database,
      scope: { merchantId, testMode },
      actor: 'system',
      // The URL does not change, so it is not validated again.
      validationContext: { allowInsecureWebhooks: true, ownHosts: [] },
      renderContext: { baseUrl: target.baseUrl ?? undefined },
      ...createSenders(env, merchantId, (sending) => void sending),
    }
    const body = { patch: { active: false, disabledReason }, issues: [] }
    const condition = { states: [{ version: webhookVersion }], wanted: true }
    try {
      await updateObject(store, caller, { id: webhookId, body, condition })
      return true
    } catch (error) {
      if (error instanceof ApiError && error.code === 'precondition_failed') return false
      throw error
    }
  },
}
