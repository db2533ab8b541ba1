import { serve } from './app.ts'
import { consumeBackups } from './backup/nightly.ts'
import type { Bindings } from './env.ts'
import { consumeImports } from './import/import-consumer.ts'
import { runScheduled } from './maintenance.ts'
import { consumeScans } from './tags/scans/scan-consumer.ts'
import { consumeDeliveries, logDeadLetters } from './webhooks/consumer.ts'

export { MerchantHome } from './home/merchant-home.ts'
export { Publisher } from './webhooks/rpc.ts'

export default {
  fetch: serve,
  async queue(batch, env, context) {
    if (batch.queue.endsWith('-dead')) await logDeadLetters(batch, env)
    else if (batch.queue.startsWith('scans')) await consumeScans(batch, env)
    else if (batch.queue === 'backups') await consumeBackups(batch, env)
    else if (batch.queue === 'imports') await consumeImports(batch, env, context)
    else await consumeDeliveries(batch, env, context)
  },
  async scheduled(_controller, env) {
    await runScheduled(env)
  },
} satisfies ExportedHandler<Bindings>
