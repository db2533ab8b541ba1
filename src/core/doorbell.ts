import type { Bindings } from '../env.ts'
import { log } from './log.ts'
import type { Rung } from './outbox.ts'
import { late, within } from './patience.ts'

/** "There is something to deliver": which attempt of which delivery. It may get lost or come twice; D1 knows better. */
export interface Doorbell {
  merchant: string
  webhook: number
  event: string
  n: number
}

/** Most messages that a queue takes at once. */
const batchSize = 100
/** How long a queue may take to accept messages. */
const patienceMs = 5_000
/** Most seconds that a queue holds a message back; what is due later is rung by the sweep. */
export const mostDelay = 43_200

/** Rings for an attempt of each delivery, `delaySeconds` from now. Failing is no loss: the sweep rings for whatever is overdue. */
export async function ring(
  env: Pick<Bindings, 'DELIVERIES' | 'DELIVERIES_SLOW' | 'REQUEST_ID'>,
  merchant: string,
  deliveries: readonly (Rung & { n?: number })[],
  delaySeconds = 0,
): Promise<void> {
  if (delaySeconds > mostDelay) return
  const lanes = [
    [env.DELIVERIES, deliveries.filter(({ slow }) => !slow)],
    [env.DELIVERIES_SLOW, deliveries.filter(({ slow }) => slow)],
  ] as const
  for (const [queue, rung] of lanes) {
    for (let start = 0; start < rung.length; start += batchSize) {
      const messages = rung
        .slice(start, start + batchSize)
        .map(({ webhook, event, n = 1 }) => ({ body: { merchant, webhook, event, n }, delaySeconds }))
      try {
        if ((await within(patienceMs, queue.sendBatch(messages))) === late) throw new Error('no answer in time')
      } catch (error) {
        log(env, 'doorbell not rung', { merchant, count: messages.length, error: String(error) })
      }
    }
  }
}
