import { asc, eq, lte, ne, sql } from 'drizzle-orm'
import { allOf, compile, type Database, lazy, param, type Values } from '../../platform/db/database.ts'
import { bytesOf } from '../../platform/db/page-budget.ts'
import { columnParam, db, typed } from '../../platform/db/query.ts'
import { deliveryTable, eventTable } from '../../platform/db/schema/events.ts'
import { webhookTable } from '../../platform/db/schema/resources/webhooks.ts'
import type { Scope } from '../../platform/db/scope.ts'
import { maxValueBytes } from '../../platform/lib/encoding/value-size.ts'
import type { DeliveryMessage } from '../../platform/messages.ts'
import { circuitBreaker } from '../../platform/outbox/circuit-breaker.ts'
import { limitRetryAfter } from '../retry-schedule.ts'
import { hasState, isDelivery, isSubscriber, isUnleased, literal } from '../rows/conditions.ts'
import { pendingFields } from '../rows/stored-delivery.ts'
import { isEventInScope, type StoredEvent } from '../rows/stored-event.ts'
import type { CallOutcome } from '../send.ts'
import { appendToLog, toLogEntry } from './attempt-log.ts'

/** Webhooks whose endpoint is broken. */
export const isBroken = sql`${webhookTable.failures} >= ${literal(circuitBreaker.failures)}`
/** SQL for the time of the call after the next to a broken endpoint. */
export const nextProbeAt = sql`${param('now')} + ${literal(circuitBreaker.pause)}`

/** The webhook has not changed since the call. After a change, the outcome says nothing about the new address or activation. */
const isAsCalled = sql`${webhookTable.version} = ${param('webhookVersion')}`
/** SQL for the number of failures, including this one if it counts. */
const newFailures = sql`${webhookTable.failures} + (${isAsCalled})`

/** The endpoint rejects all further calls, and the webhook has not changed since the call. The delivery has failed permanently. */
const isLast = sql`${param('gone')} and exists (select 1 from ${webhookTable} where ${allOf(isSubscriber, isAsCalled)})`
/** A delivery that was cancelled during the attempt stays cancelled, unless the endpoint has accepted it. */
const newState = sql`case when ${param('delivered')} then ${literal('delivered')}
  when ${hasState('pending')} then iif(${isLast}, ${literal('failed')}, ${param('state')}) else ${deliveryTable.state} end`
/** Parameters of `newState` if the state does not depend on the webhook. */
const asIs = { gone: false, webhookVersion: null } as const

export const attemptStatements = {
  finish: lazy(() =>
    compile(
      db
        .update(deliveryTable)
        .set({
          state: newState,
          dueAt: columnParam(deliveryTable.dueAt, 'dueAt'),
          leasedUntil: 0,
          slow: columnParam(deliveryTable.slow, 'slow'),
          attempts: appendToLog,
        })
        .where(allOf(isDelivery, eq(deliveryTable.attempt, param('n')))),
    ),
  ),
  /** Must precede `countFailure`. Returns a row for the one failure that breaks the endpoint or finds no next call scheduled. */
  scheduleProbe: lazy(() =>
    typed({ seq: webhookTable.seq }, (select) =>
      db
        .update(webhookTable)
        .set({ probeAt: nextProbeAt })
        .where(
          allOf(
            isSubscriber,
            sql`${newFailures} >= ${literal(circuitBreaker.failures)}`,
            sql`coalesce(${webhookTable.probeAt}, 0) <= ${param('now')}`,
          ),
        )
        .returning(select),
    ),
  ),
  /** `Retry-After` of a broken endpoint postpones its next call. */
  countFailure: lazy(() =>
    typed(
      {
        failures: webhookTable.failures,
        failingSince: webhookTable.failingSince,
        probeAt: webhookTable.probeAt,
      },
      (select) =>
        db
          .update(webhookTable)
          .set({
            failures: newFailures,
            failingSince: sql`coalesce(${webhookTable.failingSince}, iif(${isAsCalled}, ${param('now')}, null))`,
            probeAt: sql`iif(${isAsCalled} and ${newFailures} >= ${literal(circuitBreaker.failures)} and ${param('retryAfter')} > 0,
              max(coalesce(${webhookTable.probeAt}, 0), ${param('now')} + ${param('retryAfter')}), ${webhookTable.probeAt})`,
          })
          .where(isSubscriber)
          .returning(select),
    ),
  ),
  /** The delivery that the next call to a broken endpoint is for. */
  findNext: lazy(() =>
    typed({ event: deliveryTable.event, attempt: deliveryTable.attempt, dueAt: deliveryTable.dueAt }, (select) =>
      db
        .select(select)
        .from(sql`${deliveryTable} indexed by deliveries_due`)
        .where(allOf(hasState('pending'), eq(deliveryTable.webhook, param('webhook')), isUnleased))
        .orderBy(asc(deliveryTable.dueAt))
        .limit(1),
    ),
  ),
  /** Must follow `finish`. The delivery about the same object that no longer waits for this one. */
  findReleased: lazy(() =>
    typed(pendingFields, (select) =>
      db
        .select(select)
        .from(sql`${deliveryTable} indexed by deliveries_subject`)
        .where(
          allOf(
            eq(deliveryTable.webhook, param('webhook')),
            eq(deliveryTable.subject, param('subject')),
            hasState('pending'),
            ne(deliveryTable.event, param('event')),
            lte(deliveryTable.dueAt, param('now')),
            isUnleased,
          ),
        )
        .orderBy(asc(deliveryTable.sequence))
        .limit(1),
    ),
  ),
  /** Must precede `resetFailures`. Returns a row if the endpoint is broken. */
  findBroken: lazy(() =>
    typed({ seq: webhookTable.seq }, (select) =>
      db.select(select).from(webhookTable).where(allOf(isSubscriber, isBroken)),
    ),
  ),
  /** Writes no row if the endpoint has not failed. */
  resetFailures: lazy(() =>
    compile(
      db
        .update(webhookTable)
        .set({ failures: 0, failingSince: null, probeAt: null })
        .where(allOf(isSubscriber, sql`${webhookTable.failures} > 0`)),
    ),
  ),
  /**
   * Stores the body, so that later attempts send the same bytes, even after a deployment. Does not store it if the customer of the event was erased
   * during the attempt. A body that does not fit into the row is rendered for each attempt.
   */
  storePayload: lazy(() =>
    compile(
      db
        .update(eventTable)
        .set({ payload: columnParam(eventTable.payload, 'payload') })
        .where(
          allOf(
            isEventInScope,
            eq(eventTable.id, param('event')),
            sql`${eventTable.payload} is null and ${eventTable.erasedAt} is null`,
            sql`${bytesOf([eventTable.row, eventTable.previous, eventTable.kept].map((column) => sql`${column}`))}
              + octet_length(${param('payload')}) <= ${sql.raw(String(maxValueBytes))}`,
          ),
        ),
    ),
  ),
}

/** Ends a delivery whose event or webhook cannot be read. Retries would not help, and the endpoint's failures are not counted. */
export async function recordUnreadable(database: Database, message: DeliveryMessage, startedAt: number): Promise<void> {
  const outcome = { durationMs: 0, error: 'not called: the event or the webhook cannot be read' }
  const entry = toLogEntry(message.n, startedAt, outcome)
  const end = { ...asIs, state: 'failed', delivered: false, dueAt: startedAt, slow: false }
  // The mode may be unreadable, but only a response needs it.
  await database.run([
    attemptStatements.finish(),
    { ...message, merchantId: message.merchant, testMode: null, ...end, entry },
  ])
}

/** An attempt that was made. Times are in seconds. */
export interface MadeAttempt {
  database: Database
  message: DeliveryMessage
  scope: Scope
  startedAt: number
  finishedAt: number
  outcome: CallOutcome
  /** The object of the event, if the webhook gets the events of an object in order. */
  subject: string | null
}

/** The values that the statements of an attempt use. */
export const toAttemptValues = ({ message, scope, startedAt, finishedAt, outcome }: MadeAttempt): Values => ({
  ...message,
  ...scope,
  now: finishedAt,
  entry: toLogEntry(message.n, startedAt, outcome),
})

/** The statement that finds the delivery that waited for this one. Endpoints without an order run none. */
const listReleases = ({ subject }: MadeAttempt, values: Values) =>
  subject === null ? [] : [[attemptStatements.findReleased(), { ...values, subject }] as const]

/**
 * Records a success, which ends a series of failures, even one that started during the call. Returns whether the endpoint was broken, and the
 * deliveries that waited for this one.
 */
export async function recordSuccess(attempt: MadeAttempt) {
  const values = toAttemptValues(attempt)
  const end = { ...asIs, state: 'delivered', delivered: true, dueAt: attempt.finishedAt, slow: false }
  const [, broken, , released = []] = await attempt.database.run(
    [attemptStatements.finish(), { ...values, ...end }],
    [attemptStatements.findBroken(), values],
    [attemptStatements.resetFailures(), values],
    ...listReleases(attempt, values),
  )
  return { wasBroken: broken.length > 0, released }
}

/** A failure to record. `delay` is in seconds. Without it, the delivery has failed permanently. */
interface Failure {
  delay: number | undefined
  slow: boolean
  payload: string
  /** Version of the webhook that was called. */
  webhookVersion: number
  event: StoredEvent
}

const utf8 = new TextEncoder()
/** Whether the row of an event can contain its body as well. */
export const hasRoom = ({ row, previous }: StoredEvent, payload: string) =>
  utf8.encode(`${row}${previous ?? ''}${payload}`).length <= maxValueBytes

/**
 * Records a failure. Returns the webhook's failures, the delivery to send next, whether this failure scheduled a probe, and the deliveries that waited
 * for this one.
 */
export async function recordFailure(attempt: MadeAttempt, { delay, slow, payload, webhookVersion, event }: Failure) {
  const retryAfter = limitRetryAfter(attempt.outcome.retryAfter)
  const values = { ...toAttemptValues(attempt), webhookVersion, retryAfter }
  const gone = attempt.outcome.status === 410
  const end = { state: delay === undefined ? 'failed' : 'pending', delivered: false, gone, slow }
  const payloads = hasRoom(event, payload)
    ? [[attemptStatements.storePayload(), { ...event, event: event.id, payload }] as const]
    : []
  const releases = delay === undefined ? listReleases(attempt, values) : []
  const [, scheduled, [webhook], [next], ...others] = await attempt.database.run(
    [attemptStatements.finish(), { ...values, ...end, dueAt: attempt.finishedAt + (delay ?? 0) }],
    [attemptStatements.scheduleProbe(), values],
    [attemptStatements.countFailure(), values],
    [attemptStatements.findNext(), values],
    ...releases,
    ...payloads,
  )
  return {
    webhook,
    next,
    isProbeScheduled: scheduled.length > 0,
    released: releases.flatMap(([statement], index) => (others[index] ?? []).map(statement.read)),
  }
}
