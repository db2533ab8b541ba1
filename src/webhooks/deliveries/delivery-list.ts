import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { compile, lazy, param } from '../../platform/db/database.ts'
import { columnShare, readPageWithin, shareParameter, showPage, withinShare } from '../../platform/db/page-budget.ts'
import { db, listed, selectList, toSelectList, typed } from '../../platform/db/query.ts'
import type { Row } from '../../platform/db/row.ts'
import { deliveryStates, deliveryTable, eventTable } from '../../platform/db/schema/events.ts'
import { webhookTable } from '../../platform/db/schema/resources/webhooks.ts'
import { notFound } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { readKeyset } from '../../platform/http/keyset-list.ts'
import { nextLink, pageQuery } from '../../platform/http/pagination.ts'
import { query } from '../../platform/http/validation.ts'
import { attemptView } from '../attempts/attempt-log.ts'
import { isWebhook } from '../rows/conditions.ts'
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
})

export const deliveriesQuery = z.extend(pageQuery, {
  state: z.optional(z.enum(deliveryStates)).check(z.describe('Returns only deliveries in this state.')),
})

const smallFields = { ...smallDeliveryFields, type: eventTable.type }

const webhookSeq = db.select({ seq: webhookTable.seq }).from(webhookTable).where(isWebhook)
/** Deliveries of the webhook, each with its event while that is retained. */
const deliveriesOfWebhook = sql`${deliveryTable} left join ${eventTable} on ${isEventInScope}
  and ${eventTable.id} = ${deliveryTable.event} where ${deliveryTable.webhook} = ${webhookSeq}`

const createPage = (ascending: boolean, byState: boolean) =>
  lazy(() =>
    compile(sql`
      select ${sql.join([...toSelectList(smallFields), ...withinShare(largeDeliveryFields)], sql`, `)}
      from ${deliveriesOfWebhook} ${byState ? sql`and ${deliveryTable.state} = ${param('state')}` : sql``}
        and ${deliveryTable.event} ${ascending ? sql`>` : sql`<`} ${param('after')}
      order by ${deliveryTable.event} ${ascending ? sql`asc` : sql`desc`} limit ${param('rows')}`),
  )
const createPages = (byState: boolean) => ({ asc: createPage(true, byState), desc: createPage(false, byState) })

const statements = {
  webhook: lazy(() =>
    typed({ probeAt: webhookTable.probeAt }, (select) => db.select(select).from(webhookTable).where(isWebhook)),
  ),
  page: createPages(false),
  pageByState: createPages(true),
  /** Deliveries of `:events`, whatever their size. */
  findAll: lazy(() =>
    compile(sql`
      select ${selectList({ ...smallFields, ...largeDeliveryFields })}
      from ${deliveriesOfWebhook} and ${deliveryTable.event} in ${listed('events')}`),
  ),
}

/** A row as the log shows it. Deliveries to a broken endpoint are not attempted before `probeAt`. */
function toView(row: Row, merchantId: string, probeAt: number): z.output<typeof deliveryView> {
  const { event, state, createdAt, dueAt, attempts } = readDelivery(row, merchantId)
  const { type } = row
  // An event may be purged before its deliveries.
  if (type !== null && typeof type !== 'string') throw createDeliveryDamage(row, merchantId, ['type'])
  const view = { eventId: event, type: type ?? 'unknown', state, createdAt, attempts }
  return state === 'pending' ? { ...view, nextAttemptAt: Math.max(dueAt, probeAt) } : view
}

/** Lists the deliveries of a webhook with their attempts. */
export const deliveryListRoutes = new Hono<Env>().get('/:id/deliveries', query(deliveriesQuery), async (c) => {
  const { state, ...position } = c.req.valid('query')
  const { database, scope } = c.var
  const id = c.req.param('id')
  const list = `deliveries of ${id}${state ? `, ${state}` : ''}`
  const { direction, limit, values: pageValues, createNext } = readKeyset(list, scope, position)
  const pages = state === undefined ? statements.page : statements.pageByState
  const values = { ...scope, id, state, ...pageValues, [shareParameter]: columnShare(limit + 1, largeDeliveryFields) }
  const read = () => database.run([statements.webhook(), values], [pages[direction](), values])
  const [[webhook], rows] = await database.findNamed(read, ([[found]]) => found !== undefined)
  if (!webhook) throw notFound()
  const readWhole = async (events: readonly string[]) =>
    (await database.run([statements.findAll(), { ...values, events: JSON.stringify(events) }])).flat()
  const page = await readPageWithin(rows, limit, 'event', largeDeliveryFields, readWhole)
  const show = (row: Row) => toView(row, scope.merchantId, webhook.probeAt ?? 0)
  const { shown, end } = showPage(database, page, 'event', show)
  if (end !== undefined) c.header('Link', nextLink(c.req.url, createNext(end)))
  return c.json(shown, 200)
})
