import type { Bindings } from '../env.ts'
import { log } from '../lib/log.ts'
import { requireSent } from '../lib/timeout.ts'
import type { ImportMessage } from '../messages.ts'

/** Enqueues the next steps of an import. Logs a failure and resolves: the scheduled task enqueues imports that make no progress. */
export async function enqueueImport(env: Pick<Bindings, 'IMPORTS' | 'REQUEST_ID'>, message: ImportMessage) {
  try {
    await requireSent(env.IMPORTS.send(message))
  } catch (error) {
    log(env, 'import not enqueued', { ...message, error: String(error) })
  }
}
