import { serve } from './app.ts'
import { bury, consume } from './delivery/consume.ts'
import type { Bindings } from './env.ts'
import { runScheduled } from './maintenance.ts'
import { consumeScans } from './scan/count.ts'

export { Publisher } from './delivery/publisher.ts'

export default {
  fetch: serve,
  async queue(batch, env, context) {
    if (batch.queue.endsWith('-dead')) bury(batch)
    else if (batch.queue.startsWith('scans')) await consumeScans(batch, env)
    else await consume(batch, env, context)
  },
  async scheduled(_controller, env) {
    await runScheduled(env)
  },
} satisfies ExportedHandler<Bindings>
