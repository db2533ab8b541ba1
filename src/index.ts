import { serve } from './app.ts'
import { purgeRecords } from './core/retention.ts'
import { bury, consume } from './delivery/consume.ts'
import { tick } from './delivery/sweep.ts'
import type { Bindings } from './env.ts'
import { consumeScans, purgeReceipts } from './scan/count.ts'

export { Publisher } from './delivery/publisher.ts'

export default {
  fetch: serve,
  async queue(batch, env, context) {
    if (batch.queue.endsWith('-dead')) bury(batch)
    else if (batch.queue.startsWith('scans')) await consumeScans(batch, env)
    else await consume(batch, env, context)
  },
  async scheduled({ scheduledTime }, env) {
    await tick(env, scheduledTime)
    if (new Date(scheduledTime).getUTCMinutes() === 0) {
      await purgeReceipts(env, Date.now())
      await purgeRecords(env, Date.now())
    }
  },
} satisfies ExportedHandler<Bindings>
