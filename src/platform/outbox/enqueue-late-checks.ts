import type { Bindings } from '../env.ts'
import { log } from '../lib/log.ts'
import { requireSent } from '../lib/time.ts'
import type { ScanMessage } from '../messages.ts'

/**
 * Delays of the checks, in seconds. At the first check, most transactions have ended. At the second check, all have: D1 ends them after 30 seconds.
 */
const lostAnswerDelays = [3, 35] as const

/** Enqueues two checks of the changes of a transaction whose response was lost. Logs a failure and resolves. */
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
