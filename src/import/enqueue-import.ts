import type { Bindings } from '../env.ts'
import { log } from '../lib/log.ts'
import { timedOut, withTimeout } from '../lib/timeout.ts'
import type { ImportMessage } from '../messages.ts'

/** Timeout of a message to the queue, in milliseconds. */
const queueTimeoutMs = 5_000

/** Enqueues the next steps of an import. Logs a failure and resolves: the scheduled task enqueues imports that make no progress. */
export async function enqueueImport(env: Pick<Bindings, 'IMPORTS' | 'REQUEST_ID'>, message: ImportMessage) {
  try {
    if ((await withTimeout(queueTimeoutMs, env.IMPORTS.send(message))) === timedOut) {
      throw new Error(`no response within ${queueTimeoutMs} ms`)
    }
  } catch (error) {
    log(env, 'import not enqueued', { ...message, error: String(error) })
  }
}
