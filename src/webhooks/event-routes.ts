import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { hasScope } from '../auth/authenticate.ts'
import { compile, lazy, param } from '../db/database.ts'
import { bytesOf, readPageWithin, rowShare, shareParameter, showPage, withinShare } from '../db/page-budget.ts'
import type { Row } from '../db/row.ts'
import { commit } from '../db/transaction.ts'
import { invalid, notFound } from '../errors.ts'
import type { Env } from '../http/context.ts'
import * as field from '../http/fields.ts'
import { invalidParameter, listFields, nextLink, pageSize } from '../http/pagination.ts'
import { exactBody } from '../http/request-body.ts'
import { type ParsedBody, query } from '../http/validation.ts'
import { createId } from '../lib/ids.ts'
import { fanOut, toPendingDeliveries } from '../outbox/fan-out.ts'
import { publish } from '../outbox/publish-event.ts'
import type { Session } from '../resource/session.ts'
import { createSession } from '../resource/session.ts'
import { headOf, readEvent, renderPayload, type StoredEvent } from './payload.ts'

const scoped = sql`merchant_id = ${param('merchantId')} and test_mode = ${param('testMode')}`

/** What an event consists of, and which of that may be as large as an object. */
const small = [sql`id, merchant_id, test_mode, type, version, at, base_url`]
const large = { row: sql`row`, previous: sql`previous`, payload: sql`payload` }

const statements = {
  after: lazy(() => compile(sql`select seq from events where ${scoped} and id = ${param('after')}`)),
  page: lazy(() =>
    compile(sql`
      select ${withinShare(small, large, bytesOf(Object.values(large)))} from events where ${scoped}
        and seq > coalesce((select seq from events where ${scoped} and id = ${param('after')}), 0)
      order by seq limit ${param('rows')}`),
  ),
  findAll: lazy(() =>
    compile(sql`select * from events where ${scoped} and id in (select value from json_each(${param('ids')}))`),
  ),
}

/** What others may publish; the rest this service raises itself. */
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
  after: z.optional(field.reference).check(z.describe('The id of the last event that is known already.')),
})

/**
 * Writes an event that the ordering system publishes, and its deliveries, in one transaction; returns the event's id. The text of
 * `data` is stored and sent as it came, without the white space between its parts.
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
  // The event is its own record: it needs no entry in the audit log.
  const operation = { answer: answer && (() => answer(id)) }
  const [written = [], pending = []] = await commit(session, operation, [[publish(), values]], [[fanOut(), values]])
  if (written.length === 0) throw notFound()
  const deliveries = toPendingDeliveries(pending)
  if (deliveries.length > 0) session.enqueue(deliveries)
  return id
}

/** An event for a key: its data only where the key may read the resource. Published orders need no scope but that of events. */
function shownTo(granted: readonly string[] | undefined, event: StoredEvent): string {
  const [noun = ''] = event.type.split('.')
  return noun === 'order' || hasScope(granted, `${noun}s:read`) ? renderPayload(event) : headOf(event)
}

/** Publishing events, and reading them on: 30 days of them, oldest first, as they were sent. */
export const eventRoutes = new Hono<Env>()
  .post('/', exactBody(publicationRules), async (c) => {
    const answer = (id: string) => c.json({ id }, 202)
    return answer(await publishEvent(createSession(c), c.req.valid('json'), answer))
  })
  .get('/', query(eventsQuery), async (c) => {
    const { limit = pageSize.default, after } = c.req.valid('query')
    const values = { ...c.var.scope, after, rows: limit + 1, [shareParameter]: rowShare(limit + 1) }
    const [known = [], found = []] = await c.var.database.run([statements.after(), values], [statements.page(), values])
    if (after !== undefined && known.length === 0) {
      throw invalidParameter('after', 'invalid_value', 'is not the id of an event of the last 30 days')
    }
    const readWhole = async (ids: readonly string[]) =>
      (await c.var.database.run([statements.findAll(), { ...values, ids: JSON.stringify(ids) }])).flat()
    const page = await readPageWithin(found, limit, 'id', readWhole)
    const show = (row: Row) => shownTo(c.var.grantedScopes, readEvent(row))
    const { shown, end } = showPage(c.var.database, page, 'id', show, (text) => text)
    if (end !== undefined) c.header('Link', nextLink(c.req.url, end, 'after'))
    return c.body(`[${shown.join()}]`, 200, { 'content-type': 'application/json' })
  })
