import type { Bindings } from '../env.ts'
import { log } from '../lib/log.ts'
import { requireSent } from '../lib/timeout.ts'
import type { ScanMessage } from '../messages.ts'

/** Delays of the checks after a lost answer, in seconds: the transaction has ended by now, or goes on for as long as D1 lets it, 30 seconds. */
const lostAnswerDelays = [3, 35] as const

/** Enqueues a check that follows a lost answer: soon, and when the transaction has ended. Logs a failure and resolves. */
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
