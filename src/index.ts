import { serve } from './app/app.ts'
import type { Bindings } from './platform/env.ts'

export { MerchantHome } from './app/home/merchant-home.ts'
export { Publisher } from './webhooks/rpc.ts'

/** Handles the messages of a queue. The name of a queue says which module reads it. */
async function consume(batch: MessageBatch<unknown>, env: Bindings, context: ExecutionContext): Promise<void> {
  const { queue } = batch
  if (queue.endsWith('-dead')) return (await import('./webhooks/consumer.ts')).logDeadLetters(batch, env)
  if (queue.startsWith('scans'))
    return (await import('./storefront/tags/scans/scan-consumer.ts')).consumeScans(batch, env)
  if (queue === 'backups') return (await import('./tenancy/backup/nightly.ts')).consumeBackups(batch, env)
  if (queue === 'moves') return (await import('./tenancy/move/move-consumer.ts')).consumeMoves(batch, env)
  if (queue === 'imports') return (await import('./bulk/import/import-consumer.ts')).consumeImports(batch, env, context)
  return (await import('./webhooks/consumer.ts')).consumeDeliveries(batch, env, context)
}

export default {
  fetch: serve,
  queue: consume,
  async scheduled(_controller, env) {
    const { runScheduled } = await import('./app/maintenance/maintenance.ts')
    await runScheduled(env)
  },
} satisfies ExportedHandler<Bindings>
