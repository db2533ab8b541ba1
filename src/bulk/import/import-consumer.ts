import type { Bindings } from '../../platform/env.ts'
import { isMisconfigured } from '../../platform/http/public-url.ts'
import { log } from '../../platform/lib/log.ts'
import {
  importMessage,
  type PruningMessage,
  pruningMessage,
  type UndoMessage,
  undoMessage,
} from '../../platform/messages.ts'
import { enqueueUndo } from '../changes/undo/overdue-undos.ts'
import { enqueueImport } from './enqueue-import.ts'
import { runImport } from './process/run-import.ts'

/** Delay before a failed message is delivered again, in seconds. */
const retrySeconds = 5

/** Takes deleted objects of a merchant out of the objects that name them. */
async function prune(env: Bindings, message: Message<unknown>, body: PruningMessage): Promise<void> {
  try {
    const { consumePruning } = await import('../pruning.ts')
    await consumePruning(env, body)
    message.ack()
  } catch (error) {
    log(env, 'pruning failed', { ...body, error: String(error) })
    message.retry({ delaySeconds: retrySeconds })
  }
}

/** Makes the next steps of an undo. */
async function undo(
  env: Bindings,
  context: Pick<ExecutionContext, 'waitUntil'>,
  message: Message<unknown>,
  body: UndoMessage,
): Promise<void> {
  try {
    const { runUndo } = await import('../changes/undo/undo-steps.ts')
    if (await runUndo(env, context, body)) await enqueueUndo(env, body)
    message.ack()
  } catch (error) {
    log(env, 'undo step failed', { ...body, error: String(error) })
    message.retry({ delaySeconds: retrySeconds })
  }
}

/**
 * Handles the messages of the queue of imports. An import with further steps gets another message at the end of the queue, so that a large file does
 * not delay other merchants.
 */
export async function consumeImports(
  batch: MessageBatch<unknown>,
  env: Bindings,
  context: Pick<ExecutionContext, 'waitUntil'>,
): Promise<void> {
  // The scheduled task enqueues the imports again once the configuration is valid.
  if (isMisconfigured(env)) return batch.ackAll()
  for (const message of batch.messages) {
    const pruning = pruningMessage.safeParse(message.body).data
    if (pruning) {
      await prune(env, message, pruning)
      continue
    }
    const undone = undoMessage.safeParse(message.body).data
    if (undone) {
      await undo(env, context, message, undone)
      continue
    }
    const { success, data: body } = importMessage.safeParse(message.body)
    if (!success) {
      log(env, 'malformed import message', { id: message.id })
      message.ack()
      continue
    }
    try {
      if (await runImport(env, context, body)) await enqueueImport(env, body)
      message.ack()
    } catch (error) {
      log(env, 'import step failed', { ...body, error: String(error) })
      message.retry({ delaySeconds: retrySeconds })
    }
  }
}
