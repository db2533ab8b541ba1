import type { Bindings } from '../env.ts'
import { log } from '../lib/log.ts'
import { requireSent } from '../lib/timeout.ts'
import type { ScanMessage } from '../messages.ts'

/** Delays of the checks, in seconds. Most transactions have ended at the first one; at the second one all have, because D1 ends them after 30. */
const lostAnswerDelays = [3, 35] as const

/** Enqueues two checks of what a transaction may have changed whose answer was lost. Logs a failure and resolves. */
export async function enqueueLateChecks(
  env: Bindings,
  check: Extract<ScanMessage, { kind: 'transaction' | 'merchant' }>,
): Promise<void> {
  try {
    const messages = lostAnswerDelays.map((delaySeconds) => ({ body: check, delaySeconds }))
    await requireSent(env.SCANS.sendBatch(messages))
  } catch (error) {
    log(env, 'KV checks not enqueued', { kind: check.kind, error: String(error) })
  }
}
