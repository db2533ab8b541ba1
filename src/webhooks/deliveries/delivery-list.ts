import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { compile, lazy, param } from '../../platform/db/database.ts'
import { columnShare, readPageWithin, shareParameter, showPage, withinShare } from '../../platform/db/page-budget.ts'
import { db, listed, selectList, toSelectList, typed } from '../../platform/db/query.ts'
import type { Row } from '../../platform/db/row.ts'
import { deliveryStates, deliveryTable, eventTable, waitingUntil } from '../../platform/db/schema/events.ts'
import { webhookTable } from '../../platform/db/schema/resources/webhooks.ts'
import { notFound } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { createWindow, maxExaminedRows, readKeyset } from '../../platform/http/keyset-list.ts'
import { nextLink, pageQuery } from '../../platform/http/pagination.ts'
import { query } from '../../platform/http/validation.ts'
import { attemptView } from '../attempts/attempt-log.ts'
import { hasState, isWebhook } from '../rows/conditions.ts'
import {
  createDeliveryDamage,
  largeDeliveryFields,
  readDelivery,
  smallDeliveryFields,
} from '../rows/stored-delivery.ts'
import { isEventInScope } from '../rows/stored-event.ts'

/** A delivery of the log. */
export const deliveryView = z.object({
  eventId: z.string(),
  type: z.string(),
  state: z.enum(deliveryStates),
  createdAt: z.int(),
  attempts: z.array(attemptView),
  nextAttemptAt: z.optional(z.int()),
  waiting: z.optional(z.literal(true)),
})

export const deliveriesQuery = z.extend(pageQuery, {
  state: z
    .optional(z.enum(deliveryStates))
    .check(
      z.describe(
        `Returns only deliveries in this state. A page examines at most ${maxExaminedRows} deliveries, so it may be empty and have a next one.`,
      ),
    ),
})

const smallFields = { ...smallDeliveryFields, type: eventTable.type }

const webhookSeq = db.select({ seq: webhookTable.seq }).from(webhookTable).where(isWebhook)
const isOfWebhook = sql`${deliveryTable.webhook} = ${webhookSeq}`
const withEvents = sql`left join ${eventTable} on ${isEventInScope} and ${eventTable.id} = ${deliveryTable.event}`
/** Deliveries of the webhook, each with its event while that is retained. */
const deliveriesOfWebhook = sql`${deliveryTable} ${withEvents} where ${isOfWebhook}`
const columns = sql.join([...toSelectList(smallFields), ...withinShare(largeDeliveryFields)], sql`, `)

const createPage = (ascending: boolean) =>
  lazy(() =>
    compile(sql`
      select ${columns} from ${deliveriesOfWebhook} and ${deliveryTable.event} ${ascending ? sql`>` : sql`<`} ${param('after')}
      order by ${deliveryTable.event} ${ascending ? sql`asc` : sql`desc`} limit ${param('rows')}`),
  )

/** An index that has the deliveries in a state and few others in the order of the log. Delivered ones are most of all. */
const lost = { from: sql`${deliveryTable} indexed by deliveries_lost`, where: hasState('failed', 'cancelled') }
const sources = { delivered: { from: sql`${deliveryTable}`, where: sql`true` }, failed: lost, cancelled: lost } as const

/** Statements for a page of the deliveries in a state, among those that it examines, and for the last one examined. */
function createStatePage(state: keyof typeof sources, direction: 'asc' | 'desc') {
  const { from, where } = sources[state]
  const window = createWindow(deliveryTable.event, direction, sql`${isOfWebhook} and ${where}`, from)
  const page = sql`select ${columns} from ${from} ${withEvents} where ${window.where} and ${hasState(state)}
    order by ${deliveryTable.event} ${sql.raw(direction)} limit ${param('rows')}`
  return { page: lazy(() => compile(page)), last: window.last }
}

/**
 * Statements of a page of pending deliveries. Their index has a different order, so up to `maxExaminedRows` of them are read and sorted. With more, a
 * page examines deliveries in the order of the log.
 */
function createPendingPage(direction: 'asc' | 'desc') {
  const due = sql`${deliveryTable} indexed by deliveries_due where ${isOfWebhook} and ${hasState('pending')}`
  const areMany = sql`(select count(*) from (select 1 from ${due} limit ${maxExaminedRows + 1})) > ${maxExaminedRows}`
  const window = createWindow(deliveryTable.event, direction, isOfWebhook, sql`${deliveryTable}`, areMany)
  const isBehind = sql`${deliveryTable.event} ${direction === 'asc' ? sql`>` : sql`<`} ${param('after')}`
  const order = sql`order by ${deliveryTable.event} ${sql.raw(direction)}`
  const few = sql`select ${deliveryTable.event} as event from ${due} and ${isBehind} limit iif(${areMany}, 0, ${maxExaminedRows})`
  const many = sql`select ${deliveryTable.event} from ${deliveryTable} where ${window.where} and ${hasState('pending')}
    ${order} limit iif(${areMany}, ${param('rows')}, 0)`
  const page = sql`select ${columns} from (select * from (${few}) union all select * from (${many})) as found
    cross join ${deliveryTable} on ${deliveryTable.event} = found.event ${withEvents}
    where ${isOfWebhook} ${order} limit ${param('rows')}`
  return { page: lazy(() => compile(page)), last: window.last }
}

const perDirection = <Value>(create: (direction: 'asc' | 'desc') => Value) => ({
  asc: create('asc'),
  desc: create('desc'),
})

const statements = {
  webhook: lazy(() =>
    typed({ probeAt: webhookTable.probeAt }, (select) => db.select(select).from(webhookTable).where(isWebhook)),
  ),
  page: { asc: createPage(true), desc: createPage(false) },
  pageByState: {
    pending: perDirection(createPendingPage),
    delivered: perDirection((direction) => createStatePage('delivered', direction)),
    failed: perDirection((direction) => createStatePage('failed', direction)),
    cancelled: perDirection((direction) => createStatePage('cancelled', direction)),
  },
  /** Deliveries of `:events`, of any size. */
  findAll: lazy(() =>
    compile(sql`
      select ${selectList({ ...smallFields, ...largeDeliveryFields })}
      from ${deliveriesOfWebhook} and ${deliveryTable.event} in ${listed('events')}`),
  ),
}

/** A delivery as the log shows it. Deliveries to a broken endpoint are not attempted before `probeAt`. */
function toView(row: Row, merchantId: string, probeAt: number): z.output<typeof deliveryView> {
  const { event, state, createdAt, dueAt, attempts } = readDelivery(row, merchantId)
  const { type } = row
  // An event may be purged before its deliveries.
  if (type !== null && typeof type !== 'string') throw createDeliveryDamage(row, merchantId, ['type'])
  const view = { eventId: event, type: type ?? 'unknown', state, createdAt, attempts }
  if (state !== 'pending') return view
  return dueAt === waitingUntil ? { ...view, waiting: true } : { ...view, nextAttemptAt: Math.max(dueAt, probeAt) }
}

/** Lists the deliveries of a webhook with their attempts. */
export const deliveryListRoutes = new Hono<Env>().get('/:id/deliveries', query(deliveriesQuery), async (c) => {
  const { state, ...position } = c.req.valid('query')
  const { database, scope } = c.var
  const id = c.req.param('id')
  const list = `deliveries of ${id}${state ? `, ${state}` : ''}`
  const { direction, limit, values: pageValues, createNext } = readKeyset(list, scope, position)
  const byState = state === undefined ? undefined : statements.pageByState[state][direction]
  const values = { ...scope, id, ...pageValues, [shareParameter]: columnShare(limit + 1, largeDeliveryFields) }
  const read = () =>
    database.run(
      [statements.webhook(), values],
      [(byState?.page ?? statements.page[direction])(), values],
      ...(byState ? [[byState.last(), values] as const] : []),
    )
  const [[webhook], rows, [examined] = []] = await database.findNamed(read, ([[found]]) => found !== undefined)
  if (!webhook) throw notFound()
  const readWhole = async (events: readonly string[]) =>
    (await database.run([statements.findAll(), { ...values, events: JSON.stringify(events) }])).flat()
  const page = await readPageWithin(rows, limit, 'event', largeDeliveryFields, readWhole)
  const show = (row: Row) => toView(row, scope.merchantId, webhook.probeAt ?? 0)
  const { shown, end } = showPage(database, page, 'event', show)
  const next = end ?? (examined && String(examined['key']))
  if (next !== undefined) c.header('Link', nextLink(c.req.url, createNext(next)))
  return c.json(shown, 200)
})
