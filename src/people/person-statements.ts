import { and, eq, exists, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { compile, lazy, param } from '../db/database.ts'
import { columnParam, db, insertSelect, typed } from '../db/query.ts'
import { redemptionTable } from '../db/schema/checkout/redemptions.ts'
import { deliveryTable } from '../db/schema/deliveries.ts'
import { eventTable as events } from '../db/schema/events.ts'
import { externalIdOf, externalIdTable } from '../db/schema/external-ids.ts'
import { idempotencyKeyTable } from '../db/schema/idempotency-keys.ts'
import { importChunkTable as chunks } from '../db/schema/imports/import-chunks.ts'
import { importIssueTable as issues } from '../db/schema/imports/import-issues.ts'
import { importTable } from '../db/schema/imports/imports.ts'
import { customerTable } from '../db/schema/resources/customers.ts'
import { webhookTable } from '../db/schema/resources/webhooks.ts'
import { isInScope } from '../db/scope.ts'
import { erasedEventName } from '../names.ts'
import { selectLastSeq } from '../outbox/insert-event.ts'
import { isInNamespace } from '../resource/external-ids.ts'
import { customers } from '../resources/customers.ts'
import { isEventInScope } from '../webhooks/rows/stored-event.ts'
import { isAboutPerson, isOfCustomer, redactedRow, unlessOfCustomer } from './person-events.ts'

/** Most events of a customer whose values are read to be found in orders and imports. */
const maxVersions = 100

const isCustomer = and(isInScope(customerTable), eq(customerTable.id, param('id')))
const isWebhookOfScope = isInScope(webhookTable)
const isCustomerChunk = and(
  eq(chunks.resource, sql`'customers'`),
  sql`${chunks.importId} in (select ${importTable.id} from ${importTable}
    where ${isInScope(importTable)})`,
)
/** SQL for "the row `entry` of a chunk contains one of `:texts`". */
const isPersonsRow = sql`exists (select 1 from json_each(${param('texts')}) as text where instr(entry.value, text.value) > 0)`
/** SQL for "the key `item` is the external id of the customer". */
const isNamedByItem = sql`${customerTable.seq} = (select ${externalIdTable.object} from ${externalIdTable}
  where ${isInNamespace(customers)} and ${externalIdTable.externalId} = item.key)`

export const personStatements = {
  customer: lazy(() =>
    compile(
      sql`select ${customerTable}.*, ${externalIdOf(customerTable)} as external_id from ${customerTable} where ${isCustomer}`,
    ),
  ),
  /** The rows that events of the customer recorded, newest first. */
  versions: lazy(() =>
    typed({ row: events.row, previous: events.previous, erasedAt: events.erasedAt }, (select) =>
      db.select(select).from(events).where(isOfCustomer).orderBy(sql`${events.seq} desc`).limit(maxVersions),
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
  redactEvents: lazy(() =>
    compile(
      db
        .update(events)
        .set({
          row: redactedRow,
          previous: unlessOfCustomer(sql`${events.previous}`, sql`'{}'`),
          externalId: unlessOfCustomer(sql`${events.externalId}`, sql`null`),
          payload: null,
          erasedAt: columnParam(events.erasedAt, 'now'),
        })
        .where(isAboutPerson),
    ),
  ),
  /** Removes what endpoints responded to the redacted events. */
  redactResponses: lazy(() => {
    const erased = sql`(select ${events.id} from ${events} where ${isEventInScope} and ${events.erasedAt} is not null)`
    const webhooks = sql`(select ${webhookTable.seq} from ${webhookTable} where ${isWebhookOfScope})`
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
  /** Must precede `redactRows`. */
  redactIssues: lazy(() => {
    const row = db
      .select({ one: sql`1` })
      .from(sql`${chunks}, json_each(${chunks.rows}) as entry`)
      .where(
        and(
          isCustomerChunk,
          eq(chunks.importId, issues.importId),
          sql`entry.value ->> '$.row' = ${issues.row}`,
          isPersonsRow,
        ),
      )
    return compile(
      db
        .update(issues)
        .set({ value: null })
        .where(
          and(
            sql`${issues.importId} in (select ${importTable.id} from ${importTable}
          where ${isInScope(importTable)})`,
            exists(row),
          ),
        ),
    )
  }),
  /**
   * Empties the rows of imported files that contain the person, and removes their ids from the keys of the file. Ids of other customers
   * stay: an import with `delete=missing` would delete them.
   */
  redactRows: lazy(() => {
    const empty = sql`json_remove(json_set(entry.value, '$.raw',
      json(iif(json_type(entry.value, '$.raw') = 'array', '[]', '""'))), '$.issue.value')`
    const rows = sql`(select json_group_array(json(iif(${isPersonsRow}, ${empty}, entry.value)))
      from json_each(${chunks.rows}) as entry)`
    const contains = sql`exists (select 1 from json_each(${chunks.rows}) as entry where ${isPersonsRow})`
    const persons = sql`(select entry.value ->> '$.row' from json_each(${chunks.rows}) as entry where ${isPersonsRow})`
    const filter = (keys: SQLWrapper, isRemoved: SQL) =>
      sql`(select json_group_object(item.key, item.value) from json_each(${keys}) as item where not (${isRemoved}))`
    const unlessOfOther = (isOther: SQL) => sql`item.value in ${persons} and not exists (select 1 from ${customerTable}
      where ${isInScope(customerTable)} and ${customerTable.id} <> ${param('id')} and ${isOther})`
    return compile(
      db
        .update(chunks)
        .set({
          rows,
          fileIds: filter(chunks.fileIds, unlessOfOther(sql`${customerTable.id} = item.key`)),
          externalIds: filter(chunks.externalIds, unlessOfOther(isNamedByItem)),
          objectIds: filter(chunks.objectIds, sql`item.value = ${param('id')}`),
        })
        .where(and(isCustomerChunk, contains)),
    )
  }),
  /** Empties stored responses: a repeated request is rejected. */
  redactStoredResponses: lazy(() =>
    compile(
      db
        .update(idempotencyKeyTable)
        .set({ answer: '', computed: null, subjects: null })
        .where(
          and(
            eq(idempotencyKeyTable.merchantId, param('merchantId')),
            // The same expression as in the index.
            sql`coalesce(${idempotencyKeyTable.subjects}, ${idempotencyKeyTable.computed}) is not null`,
            sql`instr(coalesce(${idempotencyKeyTable.subjects}, ${idempotencyKeyTable.computed}), ${param('id')}) > 0`,
          ),
        ),
    ),
  ),
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
