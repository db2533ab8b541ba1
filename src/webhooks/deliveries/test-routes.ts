import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { testEventType } from '../../catalogue/events/event-types.ts'
import { compile, lazy, param } from '../../platform/db/database.ts'
import { insertSelect, selectList, typed } from '../../platform/db/query.ts'
import { deliveryTable, eventTable } from '../../platform/db/schema/events.ts'
import { webhookTable } from '../../platform/db/schema/resources/webhooks.ts'
import { commit } from '../../platform/db/transaction.ts'
import { type Env, getActor } from '../../platform/http/context.ts'
import { idempotent } from '../../platform/http/idempotency.ts'
import { createId } from '../../platform/lib/ids.ts'
import { selectLastSeq } from '../../platform/outbox/insert-event.ts'
import { literal } from '../rows/conditions.ts'
import { pendingFields } from '../rows/stored-delivery.ts'
import {
  createWebhookOperation,
  enqueue,
  getValues,
  isActiveWebhook,
  requestStatements,
  requireActive,
} from './delivery-request.ts'

const fromWebhook = sql`from ${webhookTable} where ${isActiveWebhook}`

const statements = {
  ...requestStatements,
  insertEvent: lazy(() =>
    compile(
      insertSelect(
        eventTable,
        {
          merchantId: webhookTable.merchantId,
          testMode: webhookTable.testMode,
          id: param('event'),
          seq: sql`${selectLastSeq()} + 1`,
          type: literal(testEventType),
          version: literal(1),
          at: param('nowMs'),
          row: sql`json_object('webhookId', ${webhookTable.id}, 'title', ${webhookTable.title})`,
        },
        fromWebhook,
      ),
    ),
  ),
  /** The delivery has one attempt, because a test is not retried. */
  insertDelivery: lazy(() =>
    typed(pendingFields, () =>
      insertSelect(
        deliveryTable,
        {
          webhook: webhookTable.seq,
          event: param('event'),
          state: literal('pending'),
          createdAt: param('now'),
          dueAt: param('now'),
          attempt: literal(0),
          base: literal(0),
          most: literal(1),
          slow: literal(0),
          leasedUntil: literal(0),
          attempts: literal('[]'),
        },
        sql`${fromWebhook} returning ${selectList(pendingFields)}`,
      ),
    ),
  ),
}

/** Sends a test event to a webhook. */
export const testRoutes = new Hono<Env>().post('/:id/test', idempotent, async (c) => {
  const id = createId('evt')
  const response = c.json({ id }, 202)
  const values = { ...getValues(c), event: id, nowMs: Date.now() }
  const [[webhook], , , pending] = await commit(getActor(c), createWebhookOperation(c, 'test', response), [
    [statements.findWebhook(), values],
    [statements.allowProbe(), values],
    [statements.insertEvent(), values],
    [statements.insertDelivery(), values],
  ])
  enqueue(c, requireActive(webhook), pending)
  return response
})
