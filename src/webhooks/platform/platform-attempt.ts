import { and, eq, exists, or, type SQLWrapper, sql } from 'drizzle-orm'
import { DamagedError } from '../../platform/db/damaged-rows.ts'
import { allOf, compile, type Database, lazy, param } from '../../platform/db/database.ts'
import { directoryDatabase } from '../../platform/db/home/d1-connection.ts'
import { isHere } from '../../platform/db/home/home.ts'
import { merchantDatabase } from '../../platform/db/home/merchant-connection.ts'
import { columnParam, db, typed } from '../../platform/db/query.ts'
import { deliveryTable, eventTable, parkedUntil } from '../../platform/db/schema/events.ts'
import { isServed, merchantTable } from '../../platform/db/schema/merchants.ts'
import type { Bindings } from '../../platform/env.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import type { DeliveryMessage } from '../../platform/messages.ts'
import type { Attempt } from '../attempts/claim-attempt.ts'
import { attemptLeaseSeconds } from '../attempts/claim-attempt.ts'
import { recordUnreadable } from '../attempts/record-attempt.ts'
import { hasState, isDelivery, isUnleased, literal } from '../rows/conditions.ts'
import { eventFields, readEvent } from '../rows/stored-event.ts'
import { endpointStatements, findEndpoint, isEndpointBroken, type PlatformEndpoint, toNumber } from './endpoints.ts'

const claimFields = {
  base: deliveryTable.base,
  most: deliveryTable.most,
  shape: deliveryTable.shape,
  subject: deliveryTable.subject,
}
const isMessage = allOf(isDelivery, hasState('pending'), sql`${deliveryTable.attempt} = ${param('n')} - 1`, isUnleased)
const parked = literal(parkedUntil)
const isServedMerchant = (merchantId: SQLWrapper) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(merchantTable)
      .where(and(sql`${merchantTable.id} = ${merchantId}`, isServed)),
  )

const statements = {
  /** Starts attempt `:n`. Returns a row to one caller only, and not before the attempt is due. A suspended merchant's deliveries wait. */
  claim: lazy(() => {
    const isDue = or(sql`${deliveryTable.dueAt} <= ${param('now')} + 1`, sql`${deliveryTable.dueAt} = ${parked}`)
    return typed(claimFields, (select) =>
      db
        .update(deliveryTable)
        .set({
          attempt: columnParam(deliveryTable.attempt, 'n'),
          leasedUntil: sql`${param('now')} + ${literal(attemptLeaseSeconds)}`,
          // If the consumer ends before it records the outcome, the sweep finds the delivery.
          dueAt: sql`min(${deliveryTable.dueAt}, ${param('now')})`,
        })
        .where(allOf(isMessage, isDue, isServedMerchant(sql`${param('merchant')}`)))
        .returning(select),
    )
  }),
  event: lazy(() =>
    typed(eventFields, (select) =>
      db
        .select(select)
        .from(eventTable)
        .where(
          and(
            eq(eventTable.merchantId, param('merchant')),
            sql`${eventTable.testMode} in (0, 1)`,
            eq(eventTable.id, param('event')),
          ),
        ),
    ),
  ),
  /** Holds a delivery back until its endpoint recovers. */
  park: lazy(() =>
    compile(
      db
        .update(deliveryTable)
        .set({ dueAt: sql`${parked}` })
        .where(isMessage),
    ),
  ),
  cancel: lazy(() =>
    compile(
      db
        .update(deliveryTable)
        .set({ state: 'cancelled', leasedUntil: 0 })
        .where(allOf(isDelivery, hasState('pending'))),
    ),
  ),
  /** The delivery of this database that the next call to a broken endpoint is for. */
  findNext: lazy(() =>
    typed(
      { event: deliveryTable.event, attempt: deliveryTable.attempt, merchantId: deliveryTable.merchantId },
      (select) =>
        db
          .select(select)
          .from(sql`${deliveryTable} indexed by deliveries_due`)
          .where(
            allOf(
              hasState('pending'),
              eq(deliveryTable.webhook, param('webhook')),
              isUnleased,
              isHere(deliveryTable.merchantId),
              isServedMerchant(deliveryTable.merchantId),
            ),
          )
          .orderBy(deliveryTable.dueAt)
          .limit(1),
    ),
  ),
}

/** An attempt that this consumer has claimed. */
export interface PlatformAttempt extends Attempt {
  directory: Database
  endpoint: PlatformEndpoint
}

/** Records that the merchant of a message has lost or parked deliveries. */
export const recordBacklog = (directory: Database, { webhook, merchant }: DeliveryMessage, parked: 0 | 1) =>
  directory.run([endpointStatements.recordBacklog(), { number: toNumber(webhook), merchant, parked }])

/** Claims an attempt for a platform webhook. Returns undefined if it was made, is in progress, or must not be made. */
export async function claimPlatformAttempt(
  env: Bindings,
  message: DeliveryMessage,
): Promise<PlatformAttempt | undefined> {
  const directory = directoryDatabase(env)
  const database = merchantDatabase(env, { merchantId: message.merchant, home: undefined })
  const startedAt = nowInSeconds()
  const values = { ...message, now: startedAt }
  const number = toNumber(message.webhook)
  const endpoint = await findEndpoint(directory, number)
  if (!endpoint?.active) {
    if (endpoint) await recordBacklog(directory, message, 0)
    await database.run([statements.cancel(), values])
    return undefined
  }
  const isProbe = isEndpointBroken(endpoint)
  if (isProbe) {
    const [claimed] = await directory.run(
      [endpointStatements.claimProbe(), { number, now: startedAt }],
      [endpointStatements.recordBacklog(), { number, merchant: message.merchant, parked: 1 }],
    )
    if (claimed.length === 0) {
      await database.run([statements.park(), values])
      return undefined
    }
  }
  const [[claim], [event]] = await database.run([statements.claim(), values], [statements.event(), values])
  if (!claim) return undefined
  try {
    if (!event) throw new DamagedError({ table: 'events', id: message.event, merchantId: message.merchant, fields: [] })
    const subject = { ...readEvent(event), ...endpoint }
    return { database, directory, message, startedAt, claim, subject, isProbe, endpoint }
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error
    // The event was purged or cannot be read.
    await recordUnreadable(database, message, startedAt)
    return undefined
  }
}

/** The delivery of a database that a call to a broken endpoint can be for. */
export async function findProbe(database: Database, webhook: number, now: number) {
  const [[next]] = await database.run([statements.findNext(), { webhook, now }])
  return next
}
