import { and, eq, exists, getTableName, lte, or, sql } from 'drizzle-orm'
import { DamagedError } from '../../platform/db/damaged-rows.ts'
import { allOf, compile, type Database, lazy, param, type Statement } from '../../platform/db/database.ts'
import { merchantDatabase } from '../../platform/db/home/merchant-connection.ts'
import { columnParam, db, type RowOf, typed } from '../../platform/db/query.ts'
import type { Row } from '../../platform/db/row.ts'
import { deliveryTable, eventTable } from '../../platform/db/schema/events.ts'
import { isServed, merchantTable } from '../../platform/db/schema/merchants.ts'
import { webhookTable } from '../../platform/db/schema/resources/webhooks.ts'
import type { Bindings } from '../../platform/env.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import type { DeliveryMessage } from '../../platform/messages.ts'
import { circuitBreaker } from '../../platform/outbox/circuit-breaker.ts'
import { parseShapes, type Shapes } from '../filters/shapes.ts'
import { hasState, isDelivery, isSubscriber, isUnleased, literal } from '../rows/conditions.ts'
import { eventFields, requireTime, type StoredEvent } from '../rows/stored-event.ts'
import { parseSecrets, type Secrets } from '../secrets.ts'
import { isBroken, nextProbeAt, recordUnreadable } from './record-attempt.ts'

/** How long an attempt belongs to the consumer that claimed it, in seconds. It exceeds the timeout of a call. */
export const attemptLeaseSeconds = 45

const claimFields = {
  base: deliveryTable.base,
  most: deliveryTable.most,
  shape: deliveryTable.shape,
  subject: deliveryTable.subject,
}

const subjectFields = {
  ...eventFields,
  webhookId: webhookTable.id,
  webhookVersion: webhookTable.version,
  url: webhookTable.url,
  active: webhookTable.active,
  bearerToken: webhookTable.bearerToken,
  secrets: sql<string>`${webhookTable.secrets}`,
  failures: webhookTable.failures,
  filter: webhookTable.filter,
  shapes: webhookTable.shapes,
}

/** The event of a delivery and the webhook that receives it. */
export interface Subject extends StoredEvent {
  webhookId: string
  webhookVersion: number
  url: string
  active: boolean
  bearerToken: string
  secrets: Secrets
  failures: number
  filter: string | null
  shapes: Shapes
}

const webhooksName = getTableName(webhookTable)
const createWebhookDamage = ({ webhookId, merchantId }: Row, fields: readonly string[]) =>
  new DamagedError({ table: webhooksName, id: String(webhookId), merchantId: String(merchantId), fields })

/** Reads a row and adds the checks that column types do not express. Throws `DamagedError` if it does not fit. */
function readSubject(row: Row, decode: (row: Row) => RowOf<typeof subjectFields>): Subject {
  try {
    const decoded = decode(row)
    const secrets = parseSecrets(decoded.secrets)
    if (!secrets) throw createWebhookDamage(row, ['secrets'])
    const shapes = parseShapes(decoded.shapes)
    if (!shapes) throw createWebhookDamage(row, ['shapes'])
    return requireTime({ ...decoded, secrets, shapes })
  } catch (error) {
    if (!(error instanceof DamagedError) || error.damage.table !== webhooksName) throw error
    throw createWebhookDamage(row, error.damage.fields)
  }
}

const findSubject = lazy((): Statement<Subject> => {
  const statement = typed(subjectFields, (select) =>
    db
      .select(select)
      .from(webhookTable)
      .innerJoin(
        eventTable,
        and(eq(eventTable.merchantId, webhookTable.merchantId), eq(eventTable.testMode, webhookTable.testMode)),
      )
      .where(and(isSubscriber, eq(eventTable.id, param('event')))),
  )
  return { ...statement, read: (row) => readSubject(row, statement.read) }
})

const statements = {
  /**
   * Starts attempt `:n`. Returns a row to one caller only, and not before the attempt is due. Deliveries to a broken endpoint stay parked until its
   * next call is due. Those of a suspended merchant wait without a write.
   */
  claim: lazy(() => {
    const isCallable = or(
      sql`${webhookTable.failures} < ${literal(circuitBreaker.failures)}`,
      sql`coalesce(${webhookTable.probeAt}, 0) <= ${param('now')} + 1`,
    )
    const endpoint = db
      .select({ one: sql`1` })
      .from(webhookTable)
      .innerJoin(merchantTable, eq(merchantTable.id, webhookTable.merchantId))
      .where(allOf(isSubscriber, eq(webhookTable.active, true), isCallable, isServed))
    return typed(claimFields, (select) =>
      db
        .update(deliveryTable)
        .set({
          attempt: columnParam(deliveryTable.attempt, 'n'),
          leasedUntil: sql`${param('now')} + ${literal(attemptLeaseSeconds)}`,
        })
        .where(
          allOf(
            isDelivery,
            hasState('pending'),
            sql`${deliveryTable.attempt} = ${param('n')} - 1`,
            isUnleased,
            lte(deliveryTable.dueAt, sql`${param('now')} + 1`),
            exists(endpoint),
          ),
        )
        .returning(select),
    )
  }),
  /** Must follow `claim` in its batch. Postpones the next call to a broken endpoint that `claim` started an attempt for. */
  postponeProbe: lazy(() =>
    typed({ seq: webhookTable.seq }, (select) =>
      db
        .update(webhookTable)
        .set({ probeAt: nextProbeAt })
        .where(allOf(sql`changes() > 0`, isSubscriber, isBroken))
        .returning(select),
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
}

/** An attempt that this consumer has claimed. */
export interface Attempt {
  database: Database
  message: DeliveryMessage
  /** When it was claimed, in seconds. */
  startedAt: number
  claim: RowOf<typeof claimFields>
  subject: Subject
  /** The only current call to a broken endpoint. It enqueues the next one. */
  isProbe: boolean
}

/** Claims an attempt. Returns undefined if it was made, is in progress, or must not be made. */
export async function claimAttempt(env: Bindings, message: DeliveryMessage): Promise<Attempt | undefined> {
  const database = merchantDatabase(env, { merchantId: message.merchant, home: undefined })
  const startedAt = nowInSeconds()
  const values = { ...message, now: startedAt }
  const [[claim], probes, [subject]] = await database.run(
    [statements.claim(), values],
    [statements.postponeProbe(), values],
    [findSubject(), values],
  )
  // The database has reported the damaged row.
  if (!subject && claim) await recordUnreadable(database, message, startedAt)
  if (!subject) return undefined
  if (!subject.active) await database.run([statements.cancel(), values])
  if (!claim) return undefined
  return { database, message, startedAt, claim, subject, isProbe: probes.length > 0 }
}
