import { serve } from './app.ts'
import type { Bindings } from './env.ts'

export { MerchantHome } from './home/merchant-home.ts'
export { Publisher } from './webhooks/rpc.ts'

/** Handles the messages of a queue. The name of a queue says which module reads it. */
async function consume(batch: MessageBatch<unknown>, env: Bindings, context: ExecutionContext): Promise<void> {
  const { queue } = batch
  if (queue.endsWith('-dead')) return (await import('./webhooks/consumer.ts')).logDeadLetters(batch, env)
  if (queue.startsWith('scans')) return (await import('./tags/scans/scan-consumer.ts')).consumeScans(batch, env)
  if (queue === 'backups') return (await import('./backup/nightly.ts')).consumeBackups(batch, env)
  if (queue === 'moves') return (await import('./move/move-consumer.ts')).consumeMoves(batch, env)
  if (queue === 'imports') return (await import('./import/import-consumer.ts')).consumeImports(batch, env, context)
  return (await import('./webhooks/consumer.ts')).consumeDeliveries(batch, env, context)
}

export default {
  fetch: serve,
  queue: consume,
  async scheduled(_controller, env) {
    const { runScheduled } = await import('./maintenance.ts')
    await runScheduled(env)
  },
} satisfies ExportedHandler<Bindings>
