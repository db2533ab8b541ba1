import type { Bindings } from '../env.ts'
import { log } from '../lib/log.ts'
import { requireSent } from '../lib/time.ts'
import type { DeliveryMessage } from '../messages.ts'

/** A delivery that needs a message. */
export interface PendingDelivery {
  /** `seq` of the webhook. */
  webhook: number
  event: string
  /** Use the slow queue. */
  slow: boolean
  /** Number of the attempt. Default: 1. */
  n?: number
  /** The message also releases the next wave of the webhook's backlog. */
  wave?: DeliveryMessage['wave']
}

/** Maximum number of messages in one `sendBatch`. */
const batchSize = 100
/** Maximum number of batches that are sent at the same time. An invocation has six connections. */
const maxSending = 5
/** Maximum delay of a message, in seconds. The scheduled task enqueues deliveries that are due later. */
export const maxDelaySeconds = 43_200

type Queues = Pick<Bindings, 'DELIVERIES' | 'DELIVERIES_SLOW' | 'REQUEST_ID'>

/**
 * Enqueues a message for each delivery of one merchant, `delaySeconds` from now. Logs a failure and resolves: the scheduled task
 * enqueues overdue deliveries.
 */
export const enqueueMerchantDeliveries = (
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

/** Enqueues messages for deliveries of several merchants, in as few batches as possible. */
export async function enqueueDeliveries(
  env: Queues,
  deliveries: readonly (PendingDelivery & { merchant: string })[],
  delaySeconds = 0,
): Promise<void> {
  if (delaySeconds > maxDelaySeconds) return
  const queues = [
    [env.DELIVERIES, deliveries.filter(({ slow }) => !slow)],
    [env.DELIVERIES_SLOW, deliveries.filter(({ slow }) => slow)],
  ] as const
  const batches = queues.flatMap(([queue, pending]) =>
    Array.from({ length: Math.ceil(pending.length / batchSize) }, (_, index) => ({
      queue,
      pending: pending.slice(index * batchSize, (index + 1) * batchSize),
    })),
  )
  // All senders take the next batch of one iterator.
  const next = batches.values()
  const send = async () => {
    for (const { queue, pending } of next) {
      const messages = pending.map(({ merchant, webhook, event, n = 1, wave }) => ({
        body: { merchant, webhook, event, n, ...(wave && { wave }) },
        delaySeconds,
      }))
      try {
        await requireSent(queue.sendBatch(messages))
      } catch (error) {
        log(env, 'deliveries not enqueued', { count: messages.length, error: String(error) })
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(maxSending, batches.length) }, send))
}
