import type { Bindings } from '../../platform/env.ts'
import { log } from '../../platform/lib/log.ts'
import { requireSent } from '../../platform/lib/time.ts'
import type { ImportMessage } from '../../platform/messages.ts'

/** Enqueues the next steps of an import. Logs a failure and resolves: the scheduled task enqueues imports that make no progress. */
export async function enqueueImport(env: Pick<Bindings, 'IMPORTS' | 'REQUEST_ID'>, message: ImportMessage) {
  try {
    await requireSent(env.IMPORTS.send(message))
  } catch (error) {
    log(env, 'import not enqueued', { ...message, error: String(error) })
  }
}
