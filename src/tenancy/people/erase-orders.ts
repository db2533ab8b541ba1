import { asc, eq, sql } from 'drizzle-orm'
import { allOf, type Database, lazy, param } from '../../platform/db/database.ts'
import { columnParam, db, typed } from '../../platform/db/query.ts'
import { eventTable as events } from '../../platform/db/schema/events.ts'
import { maxValueBytes } from '../../platform/lib/encoding/value-size.ts'
import { isEventInScope } from '../../webhooks/rows/stored-event.ts'
import { forEachWindow, type StoredPerson } from './find-person.ts'
import { findOthers, type Others } from './other-customers.ts'
import { createMentioned, mentionOrder, redactOrder } from './person/order.ts'
import { isCandidate, isInWindow } from './person-events.ts'

/** Limits of one read of orders: their number, and their bytes without the last one. */
export const orderPage = { rows: 200, bytes: 1024 * 1024 } as const

const bytes = sql<number>`octet_length(${events.row})`
const updated = { id: events.id }
const statements = {
  /** The next orders in a window that may contain the person. */
  candidates: lazy(() => {
    const next = db
      .select({ id: events.id, seq: events.seq, size: bytes.as('size') })
      .from(events)
      .where(allOf(isInWindow, isCandidate))
      .orderBy(asc(events.seq))
      .limit(orderPage.rows)
      .as('next')
    const total = sql`sum(${next.size}) over (order by ${next.seq})`.as('total')
    const found = db.select({ id: next.id, seq: next.seq, size: next.size, total }).from(next).as('found')
    const isInPage = sql`${found.total} - ${found.size} < ${param('bytes')}`
    // A cross join keeps this order of the tables: SQLite would read all events in the order of their numbers.
    return typed({ id: events.id, seq: events.seq, row: events.row, bytes }, (select) =>
      db
        .select(select)
        .from(found)
        .crossJoin(events)
        .where(allOf(isEventInScope, eq(events.id, found.id), isInPage))
        .orderBy(asc(found.seq)),
    )
  }),
  /** Replaces the row of an order, unless another erasure has changed it: each erasure makes it shorter. */
  replace: lazy(() =>
    typed(updated, (select) =>
      db
        .update(events)
        .set({
          row: columnParam(events.row, 'row'),
          payload: null,
          erasedAt: columnParam(events.erasedAt, 'now'),
        })
        .where(allOf(isEventInScope, eq(events.id, param('event')), sql`${bytes} = ${param('bytes')}`))
        .returning(select),
    ),
  ),
  /** Replaces the rows of `:orders`, a JSON list with the id, the previous bytes and the new row of each. */
  replaceAll: lazy(() => {
    const order = sql`(select value from json_each(${param('orders')}) where value ->> 0 = ${events.id})`
    return typed(updated, (select) =>
      db
        .update(events)
        .set({ row: sql`${order} ->> 2`, payload: null, erasedAt: columnParam(events.erasedAt, 'now') })
        .where(
          allOf(
            isEventInScope,
            sql`${events.id} in (select value ->> 0 from json_each(${param('orders')}))`,
            sql`${bytes} = ${order} ->> 1`,
          ),
        )
        .returning(select),
    )
  }),
}

interface StoredOrder {
  id: string
  seq: number
  row: string
  bytes: number
}

/** Finds the values in orders that other customers have. */
export async function findOthersInOrders(
  database: Database,
  { values }: Pick<StoredPerson, 'values'>,
  rows: readonly string[],
): Promise<Others> {
  const mentioned = createMentioned()
  for (const row of rows) mentionOrder(mentioned, row)
  return findOthers(database, values, mentioned)
}

/** Writes redacted orders. Returns the number of orders that another erasure had already changed. */
async function replace(
  database: Database,
  values: StoredPerson['values'],
  orders: readonly StoredOrder[],
): Promise<number> {
  const list = JSON.stringify(orders.map(({ id, bytes, row }) => [id, bytes, row]))
  // A UTF-16 unit has at most three bytes.
  const writes =
    list.length * 3 <= maxValueBytes
      ? [[statements.replaceAll(), { ...values, orders: list }] as const]
      : orders.map(({ id, ...order }) => [statements.replace(), { ...values, ...order, event: id }] as const)
  const results = await database.run(...writes)
  return orders.length - results.flat().length
}

/**
 * Removes a person from the orders that belong to it, page by page. Takes the values of `findPerson`, and `:now` in seconds. Repeating it makes no
 * further changes.
 */
export async function redactOrders(database: Database, found: StoredPerson, now: number): Promise<void> {
  const values = { ...found.values, now }
  await forEachWindow(found, async (window) => {
    const [page] = await database.run([statements.candidates(), { ...values, ...window, bytes: orderPage.bytes }])
    if (page.length > 0) {
      const others = await findOthersInOrders(
        database,
        found,
        page.map(({ row }) => row),
      )
      const redacted = page.flatMap((order) => {
        const row = redactOrder(found.person, others, order.row)
        return row === undefined ? [] : [{ ...order, row }]
      })
      if (redacted.length > 0 && (await replace(database, values, redacted)) > 0) return window.after
    }
    const read = page.reduce((sum, order) => sum + order.bytes, 0)
    const isFull = page.length === orderPage.rows || read >= orderPage.bytes
    return isFull ? (page.at(-1)?.seq ?? window.until) : window.until
  })
}
