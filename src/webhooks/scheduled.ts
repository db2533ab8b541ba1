import { type Database, lazy } from '../platform/db/database.ts'
import { db, type RowOf, typed } from '../platform/db/query.ts'
import { deliveryTable } from '../platform/db/schema/events.ts'
import type { Bindings } from '../platform/env.ts'
import { circuitBreaker } from '../platform/outbox/circuit-breaker.ts'
import { enqueueDeliveries } from '../platform/outbox/enqueue-deliveries.ts'
import { isChosen, overdueSeconds, releaseStatement } from './backlog.ts'
import { findBacklogs, type WebhookBacklog } from './find-backlogs.ts'
import { type pendingFields, toPendingDelivery } from './rows/stored-delivery.ts'

/** Maximum number of messages that one pass sends. Webhooks with a backlog share it equally. */
const maxEnqueued = 2_000
/** Passes of one run, which continues while there is more than a pass can send: their number, and the time after which none begins. */
export const sweepBounds = { passes: 10, ms: 20_000 } as const
/** Rounds in which one pass distributes messages. Each later round distributes what some webhooks have left of their share. */
const maxRounds = 4

type PendingRow = RowOf<typeof pendingFields>

/** Cancels the overdue deliveries of deleted webhooks. */
const cancelStatement = lazy(() =>
  typed({ webhook: deliveryTable.webhook }, (select) =>
    db.update(deliveryTable).set({ state: 'cancelled' }).where(isChosen).returning(select),
  ),
)

/** Returns the items in random order. If there are too many webhooks, different ones get no messages in each run. */
const shuffle = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)

const toIdList = (backlogs: readonly WebhookBacklog[]) => JSON.stringify(backlogs.map(({ webhook }) => webhook))

/** Classifies backlogs: one probe for the webhook, a share of the messages, or no message. */
function sortBacklogs(backlogs: readonly WebhookBacklog[], before: number) {
  const isBroken = ({ failures }: WebhookBacklog) => (failures ?? 0) >= circuitBreaker.failures
  const owned = backlogs.filter(({ merchantId }) => merchantId !== null)
  return {
    /** Deleted webhooks. */
    orphans: backlogs.filter(({ merchantId }) => merchantId === null),
    /** Broken endpoints whose next call is overdue as well. */
    probes: owned.filter((backlog) => isBroken(backlog) && (backlog.probeAt ?? 0) <= before).slice(0, maxEnqueued / 2),
    waiting: owned.filter((backlog) => !isBroken(backlog)),
  }
}

/**
 * Enqueues overdue deliveries: their message was lost, or they were parked. The next run comes in a minute. Returns the number of
 * deliveries that were enqueued or cancelled.
 */
export async function enqueueOverdue(env: Bindings, database: Database, now: number): Promise<number> {
  const startMs = Date.now()
  let count = 0
  for (let pass = 0; pass < sweepBounds.passes; pass++) {
    const handled = await runPass(env, database, now, pass === 0)
    count += handled
    if (handled < maxEnqueued || Date.now() - startMs >= sweepBounds.ms) break
  }
  return count
}

/**
 * One pass of a run. Every webhook gets the same share of the messages, and what some do not need goes to the others. A broken endpoint
 * gets one message in a run, and none while its next call is scheduled. A duplicate message does no harm: an attempt is claimed once.
 */
async function runPass(env: Bindings, database: Database, now: number, isFirstPass: boolean): Promise<number> {
  const times = { now, before: now - overdueSeconds }
  const backlogs = shuffle(await findBacklogs(database, times))
  const merchants = new Map(backlogs.map(({ webhook, merchantId }) => [webhook, merchantId]))
  const { orphans, probes: allProbes, waiting: all } = sortBacklogs(backlogs, times.before)
  const probes = isFirstPass ? allProbes : []
  const enqueue = (rows: readonly PendingRow[]) =>
    enqueueDeliveries(
      env,
      rows.flatMap((row) => {
        const merchant = merchants.get(row.webhook) ?? undefined
        return merchant === undefined ? [] : [{ ...toPendingDelivery(row), merchant }]
      }),
    )
  let waiting = all
  let left = maxEnqueued - probes.length
  let count = 0
  for (let round = 0; round < maxRounds; round++) {
    const isFirst = round === 0
    const chosen = waiting.slice(0, left)
    const share = chosen.length === 0 ? 0 : Math.floor(left / chosen.length)
    if (chosen.length === 0 && !(isFirst && probes.length + orphans.length > 0)) break
    const release = [releaseStatement(), { ...times, webhooks: toIdList(chosen), limit: share }] as const
    const [rows, probeRows = [], cancelled = []] = isFirst
      ? await database.run(
          release,
          [releaseStatement(), { ...times, webhooks: toIdList(probes), limit: 1 }],
          [cancelStatement(), { ...times, webhooks: toIdList(orphans), limit: maxEnqueued }],
        )
      : await database.run(release)
    await enqueue([...rows, ...probeRows])
    count += rows.length + probeRows.length + cancelled.length
    left -= rows.length
    const counts = Map.groupBy(rows, ({ webhook }) => webhook)
    waiting = chosen.filter(({ webhook }) => counts.get(webhook)?.length === share)
  }
  return count
}
