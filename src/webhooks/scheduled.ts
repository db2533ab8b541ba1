import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { compile, type Database, lazy, param, type Statement, type Values } from '../db/database.ts'
import type { Bindings } from '../env.ts'
import { circuitBreaker } from '../outbox/circuit-breaker.ts'
import { enqueueDeliveries } from '../outbox/enqueue-deliveries.ts'
import { overdueOfEach, overdueSeconds, releaseStatement, toPendingDelivery } from './backlog.ts'

/** Messages that one sweep sends at most; the next sweep comes in a minute. Shared equally by the webhooks that have a backlog. */
export const maxEnqueued = 2_000
/** Webhooks with pending deliveries that one sweep looks at, at most. */
export const mostWebhooks = 5_000
/** How often a sweep hands out what some webhooks have left of their share. */
const mostRounds = 4

const pending = sql`deliveries indexed by deliveries_due where state = 'pending'`

const statements = {
  /** Webhooks behind `:after` that have pending deliveries, found by one look into the index for each. */
  webhooks: lazy(() =>
    compile(sql`
      with recursive hook(seq, n) as (
        select (select min(webhook) from ${pending} and webhook > ${param('after')}), 1
        union all select (select min(webhook) from ${pending} and webhook > hook.seq), n + 1
          from hook where hook.seq is not null and n < ${param('most')}
      )
      select hook.seq as webhook, w.merchant_id, w.failures, w.probe_at, exists (
        select 1 from ${pending} and webhook = hook.seq and due_at <= ${param('before')} and leased_until <= ${param('now')}
      ) as overdue
      from hook left join webhooks as w on w.seq = hook.seq where hook.seq is not null`),
  ),
  last: lazy(() => compile(sql`select max(webhook) as webhook from ${pending}`)),
  orphaned: lazy(() =>
    compile(
      sql`update deliveries set state = 'cancelled' where (webhook, event) in (${overdueOfEach}) returning webhook`,
    ),
  ),
}

const found = z.object({
  webhook: z.number(),
  merchant_id: z.nullable(z.string()),
  failures: z.nullable(z.number()),
  probe_at: z.nullable(z.number()),
  overdue: z.number(),
})
type Found = z.output<typeof found>

interface Times {
  now: number
  before: number
}

/** Webhooks that have overdue deliveries. Where more have pending ones than a sweep can look at, it starts at a random one. */
async function findWebhooks(database: Database, times: Times): Promise<Found[]> {
  const values = { ...times, most: mostWebhooks }
  const [first = []] = await database.run([statements.webhooks(), { ...values, after: 0 }])
  let rows = first
  if (rows.length === mostWebhooks) {
    const [[last] = []] = await database.run([statements.last(), values])
    const after = Math.floor(Math.random() * Number(last?.['webhook'] ?? 0))
    const [others = []] = await database.run([statements.webhooks(), { ...values, after }])
    rows = others
  }
  return rows.map((row) => found.parse(row)).filter(({ overdue }) => overdue === 1)
}

/** In random order, so that those which get nothing where there are too many are others each time. */
const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)

const listOf = (webhooks: readonly Found[]) => JSON.stringify(webhooks.map(({ webhook }) => webhook))

/**
 * Sends messages for deliveries that are overdue: their message was lost, or they were parked. Every webhook gets the same share of the
 * messages, and what some do not need goes to the others. A broken endpoint gets one message, and none while its next call is due
 * anyway. A message too many does no harm: an attempt is claimed once.
 */
export async function enqueueOverdue(env: Bindings, database: Database, now: number): Promise<number> {
  const times = { now, before: now - overdueSeconds }
  const webhooks = shuffled(await findWebhooks(database, times))
  const merchants = new Map(webhooks.map(({ webhook, merchant_id }) => [webhook, merchant_id]))
  const orphans = webhooks.filter(({ merchant_id }) => merchant_id === null)
  const isBroken = ({ failures }: Found) => (failures ?? 0) >= circuitBreaker.failures
  const probes = webhooks
    .filter((webhook) => isBroken(webhook) && (webhook.probe_at ?? 0) <= times.before)
    .slice(0, maxEnqueued / 2)
  let waiting = webhooks.filter((webhook) => webhook.merchant_id !== null && !isBroken(webhook))
  let left = maxEnqueued - probes.length
  let count = 0
  for (let round = 0; round < mostRounds; round++) {
    const isFirst = round === 0
    const chosen = waiting.slice(0, left)
    const share = chosen.length === 0 ? 0 : Math.floor(left / chosen.length)
    if (chosen.length === 0 && !(isFirst && probes.length + orphans.length > 0)) break
    const firstRound: [Statement, Values][] = [
      [releaseStatement(), { ...times, webhooks: listOf(probes), most: 1 }],
      [statements.orphaned(), { ...times, webhooks: listOf(orphans), most: maxEnqueued }],
    ]
    const [rows = [], probing = [], orphaned = []] = await database.run(
      [releaseStatement(), { ...times, webhooks: listOf(chosen), most: share }],
      ...(isFirst ? firstRound : []),
    )
    const rung = [...rows, ...probing].map(toPendingDelivery)
    await enqueueDeliveries(
      env,
      rung.flatMap((delivery) => {
        const merchant = merchants.get(delivery.webhook) ?? undefined
        return merchant === undefined ? [] : [{ ...delivery, merchant }]
      }),
    )
    count += rung.length + orphaned.length
    left -= rows.length
    const counts = Map.groupBy(rows, ({ webhook }) => webhook)
    waiting = chosen.filter(({ webhook }) => counts.get(webhook)?.length === share)
  }
  return count
}
