import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { compile, lazy, param, type Statement } from '../db/database.ts'
import type { Row } from '../db/row.ts'
import { deliveryTable } from '../db/schema/deliveries.ts'
import { eventTable } from '../db/schema/events.ts'
import { subscriptionTable } from '../db/schema/subscriptions.ts'
import { idPrefixLength } from './insert-event.ts'

/** What the outbox needs to know of the table of webhooks. */
export type SubscriberTable = SQLiteTable & Record<'seq' | 'failures' | 'probeAt', SQLiteColumn>

/** A delivery that has just come to be, for the doorbell. */
export interface Rung {
  webhook: number
  event: string
  slow: boolean
}

/** Attempts of an event that is sent for real; see the schedule. */
export const maxAttempts = 10
/** Failures in a row after which a webhook's deliveries take the slow lane, where they are in nobody's way. */
export const failuresUntilSlow = 3
/**
 * Failures in a row after which an endpoint counts as broken. It then gets one call every `pause` seconds. Its other deliveries are
 * parked: they stay pending without a message until a call succeeds.
 */
export const circuitBreaker = { failures: 10, pause: 30 } as const

/** The part of a transaction that says what happened in it, and to whom that has to be told. */
export function createOutbox(subscribers: SubscriberTable) {
  const ofScope = sql`merchant_id = ${param('merchantId')} and test_mode = ${param('testMode')}`
  return {
    /**
     * Writes a delivery for each active webhook that listens to an event raised in this transaction, and returns it. One for a broken
     * endpoint is due with the endpoint's next call, and is parked until then.
     */
    fanOut: lazy(() => {
      const from = sql`substr(${param('event')}, 1, ${sql.raw(String(idPrefixLength))})`
      const raised = sql`e.test_mode in (0, 1) and e.id >= ${from} and e.id < ${from} || char(126)`
      return compile(sql`
        insert into ${deliveryTable} (webhook, event, state, created_at, due_at, attempt, base, most, slow, leased_until, attempts)
        select w.seq, e.id, 'pending', ${param('now')}, max(${param('now')}, coalesce(w.probe_at, 0)), 0, 0, ${sql.raw(String(maxAttempts))}, w.failures >= ${sql.raw(String(failuresUntilSlow))}, 0, '[]'
        from ${eventTable} as e cross join ${subscriptionTable} as s cross join ${subscribers} as w
        where e.merchant_id = ${param('merchantId')} and ${raised} and w.seq = s.webhook
          and s.merchant_id = e.merchant_id and s.test_mode = e.test_mode and s.type in (e.type, '*')
        on conflict do nothing
        returning webhook, event, slow, due_at > created_at as parked`)
    }),
    /** Writes an event that somebody else publishes. */
    publish: lazy(() => {
      const next = sql`select coalesce(max(seq), 0) + 1 from events where ${ofScope}`
      return compile(sql`
        insert into events (merchant_id, test_mode, id, seq, type, version, at, row)
        select id, ${param('testMode')}, ${param('event')}, (${next}), ${param('type')}, 1, ${param('atMs')}, ${param('row')}
        from merchants where id = ${param('merchantId')} returning id`)
    }),
  }
}
export type Outbox = ReturnType<typeof createOutbox>

/** Calls off whatever is pending for one webhook; takes what `seq` needs. */
export const cancelDeliveries = (seq: SQL): Statement =>
  compile(
    sql`update ${deliveryTable} indexed by deliveries_due set state = 'cancelled' where state = 'pending' and webhook = ${seq}`,
  )

/** The deliveries that a `fanOut` returned and that need a message. */
export const toPendingDeliveries = (rows: readonly Row[]): Rung[] =>
  rows
    .filter(({ parked }) => parked !== 1)
    .map(({ webhook, event, slow }) => ({ webhook: Number(webhook), event: String(event), slow: slow === 1 }))
