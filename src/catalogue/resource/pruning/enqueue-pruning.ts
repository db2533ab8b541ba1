import type { Bindings } from '../../../platform/env.ts'
import { log } from '../../../platform/lib/log.ts'
import { requireSent } from '../../../platform/lib/time.ts'
import type { PruningMessage } from '../../../platform/messages.ts'

/** Enqueues the next steps of pruning. Logs a failure and resolves: the scheduled task enqueues what makes no progress. */
export async function enqueuePruning(env: Pick<Bindings, 'IMPORTS' | 'REQUEST_ID'>, message: PruningMessage) {
  try {
    await requireSent(env.IMPORTS.send(message))
  } catch (error) {
    log(env, 'pruning not enqueued', { ...message, error: String(error) })
  }
}
