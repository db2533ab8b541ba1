import { and, asc, eq, gt, gte, lt, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { allOf, compile, type Database, lazy, param } from '../../platform/db/database.ts'
import { sharedDatabase } from '../../platform/db/home/d1-connection.ts'
import { isHere } from '../../platform/db/home/home.ts'
import { merchantDatabase } from '../../platform/db/home/merchant-connection.ts'
import { columnShare, readPageWithin, shareParameter, showPage, withinShare } from '../../platform/db/page-budget.ts'
import { columnParam, db, listed, selectList, toSelectList, typed } from '../../platform/db/query.ts'
import type { Row } from '../../platform/db/row.ts'
import { deliveryStates, deliveryTable, eventTable, parkedUntil } from '../../platform/db/schema/events.ts'
import { ApiError, invalid } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import * as field from '../../platform/http/fields.ts'
import { createWindow, maxExaminedRows, readKeyset } from '../../platform/http/keyset-list.ts'
import { nextLink, pageQuery } from '../../platform/http/pagination.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import { query } from '../../platform/http/validation.ts'
import { daySeconds } from '../../platform/lib/day.ts'
import { createIdAt } from '../../platform/lib/ids.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { enqueueDeliveries } from '../../platform/outbox/enqueue-deliveries.ts'
import { deliveryView } from '../deliveries/delivery-list.ts'
import { retentionDays } from '../event-retention.ts'
import { hasState } from '../rows/conditions.ts'
import { largeDeliveryFields, readDelivery, smallDeliveryFields, toPendingDelivery } from '../rows/stored-delivery.ts'
import { endpointStatements, toWebhook } from './endpoints.ts'
import { findPlatformWebhook } from './platform-webhook-store.ts'
import { platformPendingFields } from './release-parked.ts'

/** Maximum number of deliveries that one `recover` request sends again, and of merchants in objects that it visits. */
export const platformRecoverBounds = { deliveries: 1_000, merchants: 20 } as const

/** A delivery of the log. A parked one waits until its endpoint accepts a call again. */
export const platformDeliveryView = z.extend(z.omit(deliveryView, { waiting: true }), {
  merchantId: z.string().check(z.describe('Id of the merchant of the event.')),
  testMode: z.boolean().check(z.describe('Whether the event is one of test mode.')),
  parked: z
    .optional(z.literal(true))
    .check(z.describe('The endpoint is broken: the delivery follows when it accepts a call. Absent for others.')),
})

export const platformDeliveriesQuery = z.extend(pageQuery, {
  merchant: z
    .optional(z.string())
    .check(
      z.describe(
        'Returns only deliveries of this merchant, wherever its data is. Default: those of all merchants in the shared database.',
      ),
    ),
  mode: z
    .optional(z.enum(['live', 'test']))
    .check(z.describe('Returns only deliveries of this mode. Default: `live` with `merchant`, both modes without it.')),
  state: z
    .optional(z.enum(deliveryStates))
    .check(
      z.describe(
        `Returns only deliveries in this state. A page examines at most ${maxExaminedRows} deliveries, so it may be empty and have a next one.`,
      ),
    ),
})
export const platformRecoverFields = z.strictObject({ since: field.count })
const recoverRules = {
  schema: platformRecoverFields,
  partial: z.partial(platformRecoverFields),
  readOnly: new Set<string>(),
}

const smallFields = {
  ...smallDeliveryFields,
  merchantId: deliveryTable.merchantId,
  type: eventTable.type,
  testMode: eventTable.testMode,
}
const isOfWebhook = eq(deliveryTable.webhook, param('webhook'))
const isWanted = sql`(${param('state')} is null or ${deliveryTable.state} = ${param('state')})`
/** The mode of a delivery is that of its event. */
const isOfMode = sql`(${param('isTest')} is null or ${eventTable.testMode} = ${param('isTest')})`
const isOfDelivery = (merchantId: ReturnType<typeof sql>) =>
  sql`${eventTable.merchantId} = ${merchantId} and ${eventTable.testMode} in (0, 1) and ${eventTable.id} = ${deliveryTable.event}`
const columns = sql.join([...toSelectList(smallFields), ...withinShare(largeDeliveryFields)], sql`, `)

/** Statements for a page of all deliveries of a database in the order of the log, and for the last one examined. */
function createPages(direction: 'asc' | 'desc') {
  const order = sql.raw(direction)
  const all = createWindow(deliveryTable.event, direction, sql`${isOfWebhook}`)
  const events = allOf(
    sql`${eventTable.merchantId} = ${param('merchant')} and ${eventTable.testMode} = coalesce(${param('isTest')}, 0)`,
    direction === 'asc' ? gt(eventTable.id, param('after')) : lt(eventTable.id, param('after')),
  )
  const examined = sql`(select ${eventTable.id} from ${eventTable} where ${events} order by ${eventTable.id} ${order} limit 1 offset ${maxExaminedRows - 1})`
  const isWithin =
    direction === 'asc'
      ? sql`${eventTable.id} <= coalesce(${examined}, '~')`
      : sql`${eventTable.id} >= coalesce(${examined}, '')`
  return {
    all: {
      page: lazy(() =>
        compile(sql`select ${columns} from ${deliveryTable} left join ${eventTable} on ${isOfDelivery(sql`${deliveryTable.merchantId}`)}
          where ${all.where} and ${isWanted} and ${isOfMode} order by ${deliveryTable.event} ${order} limit ${param('rows')}`),
      ),
      last: all.last,
    },
    /** The events of a merchant select its deliveries: no index has both. */
    ofMerchant: {
      page: lazy(() =>
        compile(sql`select ${columns} from ${eventTable} cross join ${deliveryTable} on ${deliveryTable.event} = ${eventTable.id}
          where ${events} and ${isWithin} and ${isOfWebhook} and ${isWanted} order by ${eventTable.id} ${order} limit ${param('rows')}`),
      ),
      last: lazy(() => compile(sql`select ${examined} as key where ${examined} is not null`)),
    },
  }
}
const pages = { asc: createPages('asc'), desc: createPages('desc') }

const statements = {
  findAll: lazy(() =>
    compile(sql`
      select ${selectList({ ...smallFields, ...largeDeliveryFields })}
      from ${deliveryTable} left join ${eventTable} on ${isOfDelivery(sql`${deliveryTable.merchantId}`)}
      where ${isOfWebhook} and ${deliveryTable.event} in ${listed('events')}`),
  ),
  recover: lazy(() => {
    const lost = db
      .select({ webhook: sql`${deliveryTable.webhook}`, event: sql`${deliveryTable.event}` })
      .from(sql`${deliveryTable} indexed by deliveries_lost`)
      .where(
        and(
          isOfWebhook,
          gte(deliveryTable.event, param('fromId')),
          hasState('failed', 'cancelled'),
          isHere(deliveryTable.merchantId),
        ),
      )
      .orderBy(asc(deliveryTable.event))
      .limit(param('limit'))
    return typed(platformPendingFields, (select) =>
      db
        .update(deliveryTable)
        .set({ state: 'pending', dueAt: columnParam(deliveryTable.dueAt, 'now'), base: sql`${deliveryTable.attempt}` })
        .where(sql`(${deliveryTable.webhook}, ${deliveryTable.event}) in ${lost}`)
        .returning(select),
    )
  }),
}

function toView(row: Row): z.output<typeof platformDeliveryView> {
  const { merchantId, type, testMode } = row
  const { event, state, createdAt, dueAt, attempts } = readDelivery(row, String(merchantId))
  const view = {
    eventId: event,
    merchantId: String(merchantId),
    type: typeof type === 'string' ? type : 'unknown',
    testMode: testMode === 1,
    state,
    createdAt,
    attempts,
  }
  if (state !== 'pending') return view
  return dueAt === parkedUntil ? { ...view, parked: true } : { ...view, nextAttemptAt: dueAt }
}

/** The log of a platform webhook, and the request that sends lost deliveries again. */
export const platformDeliveryRoutes = new Hono<Env>()
  .get('/:webhookId/deliveries', query(platformDeliveriesQuery), async (c) => {
    const { state, merchant, mode, ...position } = c.req.valid('query')
    const { id, seq } = await findPlatformWebhook(c, c.req.param('webhookId'))
    const list = `deliveries of ${id}${merchant ? ` of ${merchant}` : ''}${state ? `, ${state}` : ''}${mode ? `, ${mode}` : ''}`
    const isTest = mode === undefined ? null : Number(mode === 'test')
    const scope = { merchantId: merchant ?? '', testMode: mode === 'test' }
    const { direction, limit, values: pageValues, createNext } = readKeyset(list, scope, position)
    const { page: statement, last } = pages[direction][merchant === undefined ? 'all' : 'ofMerchant']
    const share = columnShare(limit + 1, largeDeliveryFields)
    const values = { merchant, state, isTest, webhook: toWebhook(seq), ...pageValues, [shareParameter]: share }
    const database =
      merchant === undefined
        ? sharedDatabase(c.env)
        : merchantDatabase(c.env, { merchantId: merchant, home: undefined })
    database.usePrimary()
    const [rows, [examined]] = await database.run([statement(), values], [last(), values])
    const readWhole = async (events: readonly string[]) =>
      (await database.run([statements.findAll(), { ...values, events: JSON.stringify(events) }])).flat()
    const page = await readPageWithin(rows, limit, 'event', largeDeliveryFields, readWhole)
    const { shown, end } = showPage(database, page, 'event', toView)
    const next = end ?? (examined && String(examined['key']))
    if (next !== undefined) c.header('Link', nextLink(c.req.url, createNext(next)))
    return c.json(shown, 200)
  })
  .post('/:webhookId/recover', jsonBody(recoverRules), async (c) => {
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const { since } = platformRecoverFields.parse(patch)
    const now = nowInSeconds()
    if (since < now - retentionDays * daySeconds) {
      const message = `must be within the last ${retentionDays} days`
      throw invalid([{ pointer: '/since', code: 'too_small', message }])
    }
    const { seq: number, active } = await findPlatformWebhook(c, c.req.param('webhookId'))
    if (!active) throw new ApiError('conflict', 'The webhook is not active.')
    const webhook = toWebhook(number)
    const fromId = createIdAt('evt', Math.min(since, now + 1) * 1000)
    let left: number = platformRecoverBounds.deliveries
    /** Returns whether the database may have more. */
    const recover = async (database: Database): Promise<boolean> => {
      const [rows] = await database.run([statements.recover(), { webhook, fromId, now, limit: left }])
      await enqueueDeliveries(
        c.env,
        rows.map(({ merchantId, ...row }) => ({ ...toPendingDelivery(row), merchant: merchantId ?? '' })),
      )
      left -= rows.length
      return left === 0
    }
    await recover(sharedDatabase(c.env))
    let after = ''
    let merchants = platformRecoverBounds.merchants
    while (left > 0 && merchants > 0) {
      const [found] = await c.var.database.run([endpointStatements.listBacklogs(), { number, after, limit: merchants }])
      for (const { merchantId } of found) {
        if (left <= 0) break
        const isMore = await recover(merchantDatabase(c.env, { merchantId, home: undefined }))
        if (!isMore) await c.var.database.run([endpointStatements.removeBacklog(), { number, merchant: merchantId }])
        after = merchantId
      }
      merchants -= Math.max(1, found.length)
      if (found.length === 0) break
    }
    return c.json({ recovered: platformRecoverBounds.deliveries - left }, 202)
  })
