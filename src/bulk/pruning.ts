import { continuePruning, createPruning } from '../catalogue/resource/pruning/continue-pruning.ts'
import { enqueuePruning } from '../catalogue/resource/pruning/enqueue-pruning.ts'
import { resourceList } from '../catalogue/resources/registry.ts'
import type { Database } from '../platform/db/database.ts'
import { merchantDatabase } from '../platform/db/home/merchant-connection.ts'
import type { Bindings } from '../platform/env.ts'
import { readPublicUrl } from '../platform/http/public-url.ts'
import type { PruningMessage } from '../platform/messages.ts'

const pruning = createPruning(resourceList)

/** Seconds without progress after which pruning gets another message. */
export const overduePruningSeconds = 60
/** Maximum number of merchants of one resource that one run of the scheduled task enqueues. */
const maxEnqueued = 100

/** Handles a message: takes deleted objects out of objects that name them, and enqueues what is left. */
export async function consumePruning(env: Bindings, message: PruningMessage): Promise<void> {
  const { merchant: merchantId } = message
  const database = merchantDatabase(env, { merchantId, home: undefined })
  database.usePrimary()
  const run = { env, database, merchantId, baseUrl: readPublicUrl(env).origin }
  if (await continuePruning(run, pruning())) await enqueuePruning(env, message)
}

/** Enqueues merchants whose deleted objects make no progress, because their message was lost. */
export async function enqueueOverduePruning(env: Bindings, database: Database, now: number): Promise<number> {
  const values = { before: now - overduePruningSeconds, limit: maxEnqueued }
  const merchants = new Set<string>()
  for (const { findOverdue } of pruning()) {
    const [found] = await database.run([findOverdue, values])
    for (const { merchantId } of found) merchants.add(merchantId)
  }
  await Promise.all(Array.from(merchants, (merchant) => enqueuePruning(env, { merchant, pruning: true })))
  return merchants.size
}

/** Statements that return the time of the last progress of each deleted object whose pruning is not done, the oldest first. */
export const oldestPruning = () => pruning().map(({ oldest }) => oldest)
