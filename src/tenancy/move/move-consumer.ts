import type { Database } from '../../platform/db/database.ts'
import type { Bindings } from '../../platform/env.ts'
import { log } from '../../platform/lib/log.ts'
import { moveMessage } from '../../platform/messages.ts'
import { moveStatements as statements } from './move-statements.ts'
import { runMove } from './run-move.ts'

/** Delay before a failed step is repeated, in seconds. */
const retrySeconds = 5
/** Time without a step after which a move gets another message, in seconds. */
export const idleSeconds = 60
/** Maximum number of moves that one run of the cron enqueues. */
const maxEnqueued = 100

/** Handles the messages of the queue of moves. A move that has further steps gets another message. */
export async function consumeMoves(batch: MessageBatch<unknown>, env: Bindings): Promise<void> {
  for (const message of batch.messages) {
    const { success, data } = moveMessage.safeParse(message.body)
    if (!success) {
      log(env, 'malformed move message', { id: message.id })
      message.ack()
      continue
    }
    try {
      const delaySeconds = await runMove(env, data.merchant)
      if (delaySeconds !== undefined) await env.MOVES.send(data, { delaySeconds })
      message.ack()
    } catch (error) {
      log(env, 'move step failed', { merchant: data.merchant, error: String(error) })
      message.retry({ delaySeconds: retrySeconds })
    }
  }
}

/** Enqueues moves without progress, because their message was lost. */
export async function enqueueIdleMoves(env: Bindings, directory: Database, now: number): Promise<void> {
  const [idle] = await directory.run([statements.findIdle(), { before: now - idleSeconds, limit: maxEnqueued }])
  if (idle.length > 0) await env.MOVES.sendBatch(idle.map(({ merchantId }) => ({ body: { merchant: merchantId } })))
}
