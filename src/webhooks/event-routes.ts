import { eq, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { hasScope } from '../auth/authenticate.ts'
import { allOf, compile, lazy, param } from '../db/database.ts'
import { bytesOf, readPageWithin, rowShare, shareParameter, showPage, withinShare } from '../db/page-budget.ts'
import { db, toSelectList, typed } from '../db/query.ts'
import type { Row } from '../db/row.ts'
import { eventTable } from '../db/schema/events.ts'
import { commit } from '../db/transaction.ts'
import { invalid, notFound } from '../errors.ts'
import type { Env } from '../http/context.ts'
import * as field from '../http/fields.ts'
import { invalidParameter, listFields, nextLink, pageSize } from '../http/pagination.ts'
import { exactBody } from '../http/request-body.ts'
import { type ParsedBody, query } from '../http/validation.ts'
import { createId } from '../lib/ids.ts'
import { isResourceName, resourceIdentities } from '../names.ts'
import { fanOut, toPendingDeliveries } from '../outbox/fan-out.ts'
import { publish } from '../outbox/publish-event.ts'
import { createSession, type Session } from '../resource/session.ts'
import { renderPayload, renderWithoutData } from './payload.ts'
import { retentionDays } from './retention.ts'
import {
  eventFields,
  isInScope,
  largeEventFields,
  readEvent,
  type StoredEvent,
  smallEventFields,
} from './rows/stored-event.ts'

const toColumns = (fields: Readonly<Record<string, SQLiteColumn>>) =>
  Object.fromEntries(Object.entries(fields).map(([key, column]) => [key, sql`${column}`]))
const largeColumns = toColumns(largeEventFields)
const isAfter = allOf(isInScope, eq(eventTable.id, param('after')))

const statements = {
  findAfter: lazy(() => typed({ seq: eventTable.seq }, (select) => db.select(select).from(eventTable).where(isAfter))),
  page: lazy(() => {
    const columns = withinShare(toSelectList(smallEventFields), largeColumns, bytesOf(Object.values(largeColumns)))
    const after = db.select({ seq: eventTable.seq }).from(eventTable).where(isAfter)
    return compile(sql`
      select ${columns} from ${eventTable}
      where ${isInScope} and ${eventTable.seq} > coalesce(${after}, 0)
      order by ${eventTable.seq} limit ${param('rows')}`)
  }),
  findAll: lazy(() =>
    compile(sql`
      select ${sql.join(toSelectList(eventFields), sql`, `)} from ${eventTable}
      where ${isInScope} and ${eventTable.id} in (select value from json_each(${param('ids')}))`),
  ),
}

/** Body of a published event. All other types are inserted by the service itself. */
export const publishedEvent = z.strictObject({
  type: z.enum(['order.created'], { error: 'must be order.created' }),
  data: z.record(z.string(), z.unknown()),
})
export const publicationRules = {
  schema: publishedEvent,
  partial: z.partial(publishedEvent),
  readOnly: new Set(['id', 'timestamp', 'merchantId', 'testMode', 'version']),
}

export const eventsQuery = z.strictObject({
  limit: listFields.limit,
  after: z
    .optional(field.reference)
    .check(z.describe('Id of the last event that the client has read. Returns the events after it.')),
})

/**
 * Inserts a published event and its deliveries in one transaction, and returns the event's id. The text of `data` is stored and sent
 * unchanged, without the white space between its parts.
 */
export async function publishEvent(
  session: Session,
  { patch, issues, texts }: ParsedBody,
  answer?: (id: string) => Response,
): Promise<string> {
  if (issues.length > 0) throw invalid(issues)
  const { type } = publishedEvent.parse(patch)
  const [id, nowMs] = [createId('evt'), Date.now()]
  const values = {
    ...session.scope,
    event: id,
    type,
    atMs: nowMs,
    now: Math.floor(nowMs / 1000),
    row: texts?.get('data'),
  }
  // No entry in the audit log: the event itself is the record.
  const operation = { answer: answer && (() => answer(id)) }
  const [written = [], pending = []] = await commit(session, operation, [[publish(), values]], [[fanOut(), values]])
  if (written.length === 0) throw notFound()
  const deliveries = toPendingDeliveries(pending)
  if (deliveries.length > 0) session.enqueue(deliveries)
  return id
}

/** Renders an event for a key: with its data only if the key may read the resource. Published orders require no further scope. */
function renderFor(granted: readonly string[] | undefined, event: StoredEvent): string {
  const [noun = ''] = event.type.split('.')
  const collection = isResourceName(noun) ? resourceIdentities[noun].path : noun
  return noun === 'order' || hasScope(granted, `${collection}:read`) ? renderPayload(event) : renderWithoutData(event)
}

/** Publishes events, and lists the events of the last days as they were sent, oldest first. */
export const eventRoutes = new Hono<Env>()
  .post('/', exactBody(publicationRules), async (c) => {
    const answer = (id: string) => c.json({ id }, 202)
    return answer(await publishEvent(createSession(c), c.req.valid('json'), answer))
  })
  .get('/', query(eventsQuery), async (c) => {
    const { limit = pageSize.default, after } = c.req.valid('query')
    const values = { ...c.var.scope, after, rows: limit + 1, [shareParameter]: rowShare(limit + 1) }
    const [known, found] = await c.var.database.run([statements.findAfter(), values], [statements.page(), values])
    if (after !== undefined && known.length === 0) {
      throw invalidParameter('after', 'invalid_value', `is not the id of an event of the last ${retentionDays} days`)
    }
    const readWhole = async (ids: readonly string[]) =>
      (await c.var.database.run([statements.findAll(), { ...values, ids: JSON.stringify(ids) }])).flat()
    const page = await readPageWithin(found, limit, 'id', readWhole)
    const show = (row: Row) => renderFor(c.var.grantedScopes, readEvent(row))
    const { shown, end } = showPage(c.var.database, page, 'id', show, (text) => text)
    if (end !== undefined) c.header('Link', nextLink(c.req.url, end, 'after'))
    return c.body(`[${shown.join()}]`, 200, { 'content-type': 'application/json' })
  })
