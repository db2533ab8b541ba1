import { app } from './app.ts'
import { bury, consume } from './delivery/consume.ts'
import { tick } from './delivery/sweep.ts'
import type { Bindings } from './env.ts'

export { Publisher } from './delivery/publisher.ts'

export default {
  fetch: app.fetch,
  queue: async (batch, env, context) => (batch.queue.endsWith('-dead') ? bury(batch) : consume(batch, env, context)),
  scheduled: ({ scheduledTime }, env) => tick(env, scheduledTime),
} satisfies ExportedHandler<Bindings>
