import { and, asc, eq, gt, inArray, or, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Caller } from '../../catalogue/resource/caller.ts'
import { readableParts } from '../../catalogue/resource/definition.ts'
import { createRowMapping } from '../../catalogue/resource/row-mapping.ts'
import { customers } from '../../catalogue/resources/customers.ts'
import { redemptionFields, redemptionView, toRedemption } from '../../checkout/redemptions/redemption-view.ts'
import { readRows } from '../../platform/db/damaged-rows.ts'
import { allOf, type Database, lazy, param } from '../../platform/db/database.ts'
import { db, listed, typed, withRawRows } from '../../platform/db/query.ts'
import type { Row } from '../../platform/db/row.ts'
import { redemptionTable } from '../../platform/db/schema/checkout/redemptions.ts'
import { deliveryStates, deliveryTable, eventTable as events } from '../../platform/db/schema/events.ts'
import { webhookTable } from '../../platform/db/schema/resources/webhooks.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { renderPayload } from '../../webhooks/payload.ts'
import { eventFields, isEventInScope, readEvent } from '../../webhooks/rows/stored-event.ts'
import { findOthersInOrders } from './erase-orders.ts'
import type { StoredPerson } from './find-person.ts'
import { isOrderOf } from './person/order.ts'
import { isCandidate, isErasure, isInWindow, isOfPerson, isOrder, maxEventsRead } from './person-events.ts'

/** Maximum number of rows in one read of an export. An event has up to 1 MiB. */
export const exportPageRows = { events: 8, others: 500 } as const

/** A delivery in an export. */
const exportedDelivery = z.object({
  webhookId: z.string().check(z.describe('Id of the webhook.')),
  eventId: z.string().check(z.describe('Id of the event.')),
  state: z.enum(deliveryStates).check(z.describe('State of the delivery.')),
  createdAt: z.int().check(z.describe('Time of the event, in seconds since 1970-01-01 UTC.')),
  attempts: z.int().check(z.describe('Number of attempts so far.')),
})
/** An export, without the customer and the events. */
export const personView = z.object({
  id: z.string().check(z.describe('Id of the customer.')),
  exportedAt: z.int().check(z.describe('Time of the export, in seconds since 1970-01-01 UTC.')),
  redemptions: z.array(redemptionView).check(z.describe('Redemptions of coupons.')),
  deliveries: z.array(exportedDelivery).check(z.describe('Deliveries of the events to webhooks.')),
})

const isRedeemer = and(isInScope(redemptionTable), eq(redemptionTable.customer, param('id')))
const isOfScope = and(isInScope(webhookTable), eq(deliveryTable.webhook, webhookTable.seq))
const statements = {
  redemptions: lazy(() =>
    typed(redemptionFields, (select) =>
      db
        .select(select)
        .from(redemptionTable)
        .where(and(isRedeemer, gt(redemptionTable.id, param('after'))))
        .orderBy(asc(redemptionTable.id))
        .limit(exportPageRows.others),
    ),
  ),
  events: lazy(() =>
    typed({ ...eventFields, seq: events.seq, isOrder: sql<number>`${isOrder}` }, (select) =>
      db
        .select(select)
        .from(events)
        .where(allOf(isEventInScope, isInWindow, or(isOfPerson, isErasure, isCandidate)))
        .orderBy(asc(events.seq))
        .limit(exportPageRows.events),
    ),
  ),
  deliveries: lazy(() =>
    typed(
      {
        webhookId: webhookTable.id,
        eventId: deliveryTable.event,
        state: deliveryTable.state,
        createdAt: deliveryTable.createdAt,
        attempts: deliveryTable.attempt,
      },
      (select) =>
        db
          .select(select)
          .from(webhookTable)
          .crossJoin(deliveryTable)
          .where(and(isOfScope, inArray(deliveryTable.event, listed('events'))))
          .orderBy(deliveryTable.event, webhookTable.seq),
    ),
  ),
}

const mapping = createRowMapping(customers)

/** The customer as responses show it, or the readable fields of a damaged one. */
function renderCustomer(row: Row) {
  const { id, item, damaged, externalId } = mapping.readAsFarAsPossible(row)
  const shown = item ? customers.toView(item) : readableParts(customers, id, damaged.readable)
  return { ...shown, externalId }
}

async function* listRedemptions({ database }: Caller, values: Row): AsyncGenerator<string[], void> {
  const now = nowInSeconds()
  const statement = statements.redemptions()
  for (let after: string | undefined = ''; after !== undefined; ) {
    const [rows]: Row[][] = await database.run([withRawRows(statement), { ...values, after }])
    yield readRows(database, rows ?? [], (row) => JSON.stringify(toRedemption(statement.read(row), now)))
    after = rows?.length === exportPageRows.others ? String(rows.at(-1)?.['id']) : undefined
  }
}

/** Events, without orders that do not belong to the person. */
async function keepOwn(database: Database, found: StoredPerson, rows: readonly Row[]): Promise<Row[]> {
  const orders = rows.filter(({ isOrder }) => isOrder === 1).map(({ row }) => String(row))
  if (orders.length === 0) return [...rows]
  const others = await findOthersInOrders(database, found, orders)
  return rows.filter(({ isOrder, row }) => isOrder !== 1 || isOrderOf(found.person, others, String(row)))
}

/** The events of the person. Adds their ids to `ids`. */
async function* listEvents({ database }: Caller, found: StoredPerson, ids: string[]): AsyncGenerator<string[], void> {
  for (let after = found.first - 1; after < found.last; ) {
    const until = Math.min(found.last, after + maxEventsRead)
    const window = { ...found.values, after, until }
    const [rows = []]: Row[][] = await database.run([withRawRows(statements.events()), window])
    const own = await keepOwn(database, found, rows)
    ids.push(...own.map(({ id }) => String(id)))
    yield readRows(database, own, (row) => renderPayload(readEvent(row)))
    after = rows.length === exportPageRows.events ? Number(rows.at(-1)?.['seq']) : until
  }
}

async function* listDeliveries(
  { database }: Caller,
  values: Row,
  ids: readonly string[],
): AsyncGenerator<string[], void> {
  for (let start = 0; start < ids.length; start += exportPageRows.others) {
    const page = JSON.stringify(ids.slice(start, start + exportPageRows.others))
    const [rows] = await database.run([statements.deliveries(), { ...values, events: page }])
    yield rows.map((row) => JSON.stringify(row))
  }
}

/** The elements of a JSON array, page by page. */
async function* joinPages(pages: AsyncGenerator<string[], void>): AsyncGenerator<string, void, undefined> {
  let separator = ''
  for await (const texts of pages) {
    if (texts.length === 0) continue
    yield separator + texts.join()
    separator = ','
  }
}

/** All stored data about a customer, as the parts of one JSON document. Only one page is in memory at a time. */
export async function* exportCustomer(
  caller: Caller,
  id: string,
  found: StoredPerson,
): AsyncGenerator<string, void, undefined> {
  const { customer, values } = found
  const eventIds: string[] = []
  const head = {
    id,
    exportedAt: nowInSeconds(),
    ...(customer && { customer: renderCustomer(customer) }),
  }
  yield JSON.stringify(head).slice(0, -1)
  yield ',"redemptions":['
  yield* joinPages(listRedemptions(caller, values))
  yield '],"events":['
  yield* joinPages(listEvents(caller, found, eventIds))
  yield '],"deliveries":['
  yield* joinPages(listDeliveries(caller, values, eventIds))
  yield ']}'
}
