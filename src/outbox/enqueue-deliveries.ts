import type { Bindings } from '../env.ts'
import { log } from '../lib/log.ts'
import { timedOut, withTimeout } from '../lib/timeout.ts'
import type { Rung } from './outbox.ts'

/** A delivery that needs a message for its attempt `n`, by default the first. */
export interface PendingDelivery extends Rung {
  n?: number
  more?: boolean | undefined
}

/** Most messages that a queue takes at once. */
const batchSize = 100
/** How long a queue may take to accept messages. */
const queueTimeoutMs = 5_000
/** Most seconds that a queue holds a message back; what is due later is rung by the sweep. */
export const maxDelaySeconds = 43_200

type Queues = Pick<Bindings, 'DELIVERIES' | 'DELIVERIES_SLOW' | 'REQUEST_ID'>

/** Rings for an attempt of each delivery, `delaySeconds` from now. Failing is no loss: the sweep rings for whatever is overdue. */
export const ring = (
  env: Queues,
  merchant: string,
  deliveries: readonly PendingDelivery[],
  delaySeconds = 0,
): Promise<void> =>
  enqueueDeliveries(
    env,
    deliveries.map((delivery) => ({ ...delivery, merchant })),
    delaySeconds,
  )

/** The same for deliveries of several merchants, in as few sends as possible. */
export async function enqueueDeliveries(
  env: Queues,
  deliveries: readonly (PendingDelivery & { merchant: string })[],
  delaySeconds = 0,
): Promise<void> {
  if (delaySeconds > maxDelaySeconds) return
  const lanes = [
    [env.DELIVERIES, deliveries.filter(({ slow }) => !slow)],
    [env.DELIVERIES_SLOW, deliveries.filter(({ slow }) => slow)],
  ] as const
  for (const [queue, pending] of lanes) {
    for (let start = 0; start < pending.length; start += batchSize) {
      const messages = pending.slice(start, start + batchSize).map(({ merchant, webhook, event, n = 1, more }) => ({
        body: { merchant, webhook, event, n, ...(more && { more }) },
        delaySeconds,
      }))
      try {
        if ((await withTimeout(queueTimeoutMs, queue.sendBatch(messages))) === timedOut)
          throw new Error('no answer in time')
      } catch (error) {
        log(env, 'doorbell not rung', { count: messages.length, error: String(error) })
      }
    }
  }
}
