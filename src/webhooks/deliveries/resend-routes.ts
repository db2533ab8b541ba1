import { and, asc, eq, gte, lte, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { testEventType } from '../../catalogue/events/event-types.ts'
import { allOf, lazy, param } from '../../platform/db/database.ts'
import { rowCountMark } from '../../platform/db/idempotency-keys.ts'
import { columnParam, db, typed } from '../../platform/db/query.ts'
import { deliveryTable, eventTable, waitingUntil } from '../../platform/db/schema/events.ts'
import { webhookTable } from '../../platform/db/schema/resources/webhooks.ts'
import { commit } from '../../platform/db/transaction.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { type Env, getActor } from '../../platform/http/context.ts'
import * as field from '../../platform/http/fields.ts'
import { idempotent } from '../../platform/http/idempotency.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import { daySeconds } from '../../platform/lib/day.ts'
import { createIdAt } from '../../platform/lib/ids.ts'
import { withoutWaiting } from '../../platform/outbox/fan-out.ts'
import { retentionDays } from '../event-retention.ts'
import { hasState, isWebhook, literal } from '../rows/conditions.ts'
import { pendingFields } from '../rows/stored-delivery.ts'
import { isEventInScope } from '../rows/stored-event.ts'
import {
  createWebhookOperation,
  enqueue,
  getValues,
  isActiveWebhook,
  requestStatements,
  requireActive,
} from './delivery-request.ts'
import { requireReadable } from './require-readable.ts'

/** Maximum number of deliveries that one `recover` request sends again. */
export const maxRecovered = 1_000

const selectSeq = (where: typeof isWebhook) => db.select({ seq: webhookTable.seq }).from(webhookTable).where(where)

/** Values that make a delivery pending again and restart its schedule. */
const restart = {
  state: 'pending',
  dueAt: columnParam(deliveryTable.dueAt, 'now'),
  base: sql`${deliveryTable.attempt}`,
} as const

/** A delivery that waits, or that is final, leaves the order of its object: it is sent at once, and no other waits for it. */
const keptSubject = sql`iif(${hasState('pending')} and ${deliveryTable.dueAt} <> ${literal(waitingUntil)}, ${deliveryTable.subject}, null)`
const recoveredFields = { ...pendingFields, subject: deliveryTable.subject, sequence: deliveryTable.sequence }

const statements = {
  ...requestStatements,
  findDelivery: lazy(() =>
    typed({ event: deliveryTable.event }, (select) =>
      db
        .select(select)
        .from(deliveryTable)
        .where(and(eq(deliveryTable.webhook, selectSeq(isWebhook)), eq(deliveryTable.event, param('event')))),
    ),
  ),
  retry: lazy(() =>
    typed(pendingFields, (select) =>
      db
        .update(deliveryTable)
        .set({ ...restart, subject: keptSubject })
        .where(
          allOf(
            eq(deliveryTable.webhook, selectSeq(isActiveWebhook)),
            eq(deliveryTable.event, param('event')),
            lte(deliveryTable.leasedUntil, param('now')),
          ),
        )
        .returning(select),
    ),
  ),
  recover: lazy(() => {
    const type = db
      .select({ type: eventTable.type })
      .from(eventTable)
      .where(and(isEventInScope, eq(eventTable.id, deliveryTable.event)))
    const lost = db
      .select({ webhook: sql`${deliveryTable.webhook}`, event: sql`${deliveryTable.event}` })
      .from(sql`${deliveryTable} indexed by deliveries_lost`)
      .where(
        and(
          eq(deliveryTable.webhook, selectSeq(isActiveWebhook)),
          gte(deliveryTable.event, param('fromId')),
          hasState('failed', 'cancelled'),
          sql`${type} is not ${literal(testEventType)}`,
        ),
      )
      .orderBy(asc(deliveryTable.event))
      .limit(maxRecovered)
    return typed(recoveredFields, (select) =>
      db
        .update(deliveryTable)
        .set(restart)
        .where(sql`(${deliveryTable.webhook}, ${deliveryTable.event}) in ${lost}`)
        .returning(select),
    )
  }),
}

export const recoverFields = z.strictObject({ since: field.count })
const recoverRules = { schema: recoverFields, partial: z.partial(recoverFields), readOnly: new Set<string>() }

/** Makes deliveries pending again: one of them, or all failed and cancelled ones since a time. */
export const resendRoutes = new Hono<Env>()
  .post('/:id/deliveries/:eventId/retry', idempotent, async (c) => {
    const values = { ...getValues(c), event: c.req.param('eventId') }
    await requireReadable(c, { event: values.event })
    const response = c.json({ id: values.event }, 202)
    const [[webhook], [delivery], , pending] = await commit(getActor(c), createWebhookOperation(c, 'retry', response), [
      [statements.findWebhook(), values],
      [statements.findDelivery(), values],
      [statements.allowProbe(), values],
      [statements.retry(), values],
    ])
    if (!webhook || !delivery) throw notFound()
    enqueue(c, requireActive(webhook), pending)
    return response
  })
  .post('/:id/recover', jsonBody(recoverRules), idempotent, async (c) => {
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const { since } = recoverFields.parse(patch)
    const values = getValues(c)
    if (since < values.now - retentionDays * daySeconds) {
      const message = `must be within the last ${retentionDays} days`
      throw invalid([{ pointer: '/since', code: 'too_small', message }])
    }
    const fromId = createIdAt('evt', Math.min(since, values.now + 1) * 1000)
    await requireReadable(c, { fromId })
    // The number of rows is known only after the transaction.
    const stored = c.body(`{"recovered":${rowCountMark}}`, 202, { 'Content-Type': 'application/json' })
    const [[webhook], , recovered] = await commit(getActor(c), createWebhookOperation(c, 'recover', stored), [
      [statements.findWebhook(), values],
      [statements.allowProbe(), values],
      [statements.recover(), { ...values, fromId }],
    ])
    const first = withoutWaiting(recovered).map(({ subject: _, sequence: __, ...row }) => row)
    enqueue(c, requireActive(webhook), first)
    return c.json({ recovered: recovered.length }, 202)
  })
