import type { Bindings } from '../env.ts'
import { log } from '../lib/log.ts'
import { requireSent } from '../lib/timeout.ts'

/** Delay of the check, in seconds: a transaction whose answer was lost may not have ended yet. */
const delaySeconds = 15

/**
 * Enqueues the check of the tags that a transaction may have changed: its answer was lost. `event` is the id of one of its events, or has
 * their prefix. Logs a failure and resolves.
 */
export async function enqueueTagCheck(env: Bindings, merchant: string, event: string): Promise<void> {
  try {
    await requireSent(env.SCANS.send({ kind: 'transaction', merchant, event }, { delaySeconds }))
  } catch (error) {
    log(env, 'tag check not enqueued', { event, error: String(error) })
  }
}
