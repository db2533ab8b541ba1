import { and, asc, eq, isNotNull, like, type SQL, sql } from 'drizzle-orm'
import { erasedEventName } from '../../catalogue/events/event-types.ts'
import { allOf, compile, lazy, param } from '../../platform/db/database.ts'
import { columnParam, db, insertSelect, listed, selectList, typed } from '../../platform/db/query.ts'
import { auditTable } from '../../platform/db/schema/audit.ts'
import { redemptionTable } from '../../platform/db/schema/checkout/redemptions.ts'
import { deliveryTable, eventTable as events } from '../../platform/db/schema/events.ts'
import { externalIdOf } from '../../platform/db/schema/external-ids.ts'
import { idempotencyKeyTable } from '../../platform/db/schema/idempotency-keys.ts'
import { customerTable } from '../../platform/db/schema/resources/customers.ts'
import { webhookTable } from '../../platform/db/schema/resources/webhooks.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { selectLastSeq } from '../../platform/outbox/insert-event.ts'
import { platformHooks } from '../../platform/outbox/platform-hooks.ts'
import { isEventInScope } from '../../webhooks/rows/stored-event.ts'
import { isCandidate, isInWindow, isOfPerson, redactedRow, unlessOfCustomer } from './person-events.ts'

const isCustomer = and(isInScope(customerTable), eq(customerTable.id, param('id')))
const ofCustomer = sql`${auditTable} indexed by audit_object`
const isNamed = allOf(
  isInScope(auditTable),
  eq(auditTable.object, param('id')),
  like(auditTable.operation, 'customers.%'),
  isNotNull(auditTable.title),
)
const named = { titled: sql<number>`exists (select 1 from ${ofCustomer} where ${isNamed})` }
const isWebhookOfScope = isInScope(webhookTable)
/** Maximum number of events of a person that are read at once. */
export const maxPersonEvents = 500
const isListed = sql`${events.id} in ${listed('events')}`
const isNew = sql`${events.seq} > ${param('seen')}`

const redact = (condition: SQL) =>
  compile(
    db
      .update(events)
      .set({
        row: redactedRow,
        previous: unlessOfCustomer(sql`${events.previous}`, sql`'{}'`),
        externalId: unlessOfCustomer(sql`${events.externalId}`, sql`null`),
        payload: null,
        kept: null,
        erasedAt: columnParam(events.erasedAt, 'now'),
      })
      .where(condition),
  )

export const personStatements = {
  customer: lazy(() =>
    compile(
      sql`select ${customerTable}.*, ${externalIdOf(customerTable)} as external_id from ${customerTable} where ${isCustomer}`,
    ),
  ),
  /** The numbers of the first and the last event of the merchant and mode. */
  bounds: lazy(() =>
    typed(
      { first: sql<number>`first`, last: sql<number>`last` },
      () =>
        sql`select coalesce(min(${events.seq}), 0) as first, ${selectLastSeq()} as last from ${events} where ${isEventInScope}`,
    ),
  ),
  /** The next events of the person in a window, ordered by number. */
  events: lazy(() =>
    typed(
      {
        id: events.id,
        seq: events.seq,
        row: events.row,
        previous: events.previous,
        externalId: events.externalId,
        erasedAt: events.erasedAt,
      },
      (select) =>
        db
          .select(select)
          .from(events)
          .where(allOf(isInWindow, isOfPerson))
          .orderBy(asc(events.seq))
          .limit(maxPersonEvents),
    ),
  ),
  /** Undoes the transaction if the customer has another version than `:version`. */
  guard: lazy(() =>
    compile(
      db
        .update(customerTable)
        .set({ version: sql`null` })
        .where(and(isCustomer, sql`${customerTable.version} <> ${param('version')}`)),
    ),
  ),
  /** Redacts the events `:events`, a JSON list of ids. */
  redactEvents: lazy(() => redact(allOf(isEventInScope, isListed))),
  /** Redacts the events of the person that were inserted after `:seen`. */
  redactNewEvents: lazy(() => redact(allOf(isOfPerson, isNew))),
  /** Undoes the transaction if orders that may contain the person were inserted after `:seen`. */
  guardOrders: lazy(() => compile(db.update(events).set({ version: sql`null` }).where(allOf(isCandidate, isNew)))),
  /** Removes the responses of endpoints to the redacted events. */
  redactResponses: lazy(() => {
    const erased = sql`(select ${events.id} from ${events} where ${isEventInScope} and ${events.erasedAt} is not null)`
    const webhooks = sql`(select ${webhookTable.seq} from ${webhookTable} where ${isWebhookOfScope} union all select seq from ${platformHooks})`
    return compile(
      db
        .update(deliveryTable)
        .set({
          attempts: sql`(select json_group_array(json_remove(value, '$.response')) from json_each(${deliveryTable.attempts}))`,
        })
        .where(
          sql`${deliveryTable.webhook} in ${webhooks} and ${deliveryTable.event} in ${erased} and instr(${deliveryTable.attempts}, '"response"') > 0`,
        ),
    )
  }),
  redactRedemptions: lazy(() =>
    compile(
      db
        .update(redemptionTable)
        .set({ customer: null })
        .where(and(isInScope(redemptionTable), eq(redemptionTable.customer, param('id')))),
    ),
  ),
  /** Empties stored responses, so that a repeated request is rejected. */
  redactStoredResponses: lazy(() =>
    compile(
      db
        .update(idempotencyKeyTable)
        .set({ answer: '', computed: null, subjects: null })
        .where(
          and(
            eq(idempotencyKeyTable.merchantId, param('merchantId')),
            // Must be the expression of the index.
            sql`coalesce(${idempotencyKeyTable.subjects}, ${idempotencyKeyTable.computed}) is not null`,
            sql`instr(coalesce(${idempotencyKeyTable.subjects}, ${idempotencyKeyTable.computed}), ${param('id')}) > 0`,
          ),
        ),
    ),
  ),
  /** Removes the name of the customer from the audit log. */
  redactAudit: lazy(() => compile(sql`update ${ofCustomer} set ${sql.identifier('title')} = null where ${isNamed}`)),
  /** Whether the audit log has the name of the customer, which it keeps longer than events. */
  audited: lazy(() => typed(named, () => sql`select ${selectList(named)}`)),
  remove: lazy(() => compile(db.delete(customerTable).where(isCustomer))),
  insertEvent: lazy(() =>
    compile(
      insertSelect(
        events,
        {
          merchantId: param('merchantId'),
          testMode: param('testMode'),
          id: param('event'),
          seq: sql`${selectLastSeq()} + 1`,
          type: sql.raw(`'${erasedEventName}'`),
          version: sql`${param('version')} + 1`,
          at: param('atMs'),
          row: sql`json_object('id', ${param('id')})`,
        },
        sql``,
      ),
    ),
  ),
}
