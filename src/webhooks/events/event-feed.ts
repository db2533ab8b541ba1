import { type Context, Hono } from 'hono'
import type * as z from 'zod/mini'
import { mayReadEvent } from '../../catalogue/events/event-scopes.ts'
import { orderEventNames } from '../../catalogue/events/event-types.ts'
import { columnShare, readPageWithin, shareParameter, showPage } from '../../platform/db/page-budget.ts'
import type { Row } from '../../platform/db/row.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { invalidParameter, nextLink, pageSize } from '../../platform/http/pagination.ts'
import { query } from '../../platform/http/validation.ts'
import { daySeconds } from '../../platform/lib/day.ts'
import { createIdAt, getCreationMs, getIdForm } from '../../platform/lib/ids.ts'
import { memberIdPrefix, operatorIdPrefix } from '../../platform/names.ts'
import { retentionDays } from '../event-retention.ts'
import { renderPayload, renderWithoutData } from '../payload.ts'
import { largeEventFields, readEvent, type StoredEvent } from '../rows/stored-event.ts'
import { eventsQuery, feedTypes, latest } from './feed-query.ts'
import { feedStatements } from './feed-statements.ts'

const retentionMs = retentionDays * daySeconds * 1000
const eventId = new RegExp(`^${getIdForm('evt')}$`)
/** An id of `createIdAt`. */
const mark = /^evt_[0-9a-hjkmnp-tv-z]{10}0{16}$/

const isExpired = (id: string, nowMs: number) => getCreationMs(id) < nowMs - retentionMs

/** The position for an empty log: the smallest id of the current time, which no event has. All later events come after it. */
const createEmptyLogMark = (nowMs: number) => createIdAt('evt', nowMs)

/** Whether a position is that of an empty log, and no event has expired since. */
const isEmptyLogMark = (after: string, nowMs: number) => mark.test(after) && !isExpired(after, nowMs)

/** The error for a position that the log does not contain: `410` if events after it have expired, else `422`. */
const createPositionError = (after: string, nowMs: number): ApiError =>
  eventId.test(after) && isExpired(after, nowMs)
    ? new ApiError(
        'events_expired',
        `The event is older than ${retentionDays} days, so events after it may be missing. Read all objects again, then continue with after=latest.`,
      )
    : invalidParameter('after', 'invalid_value', `is not the id of an event of the last ${retentionDays} days`)

/** Renders an event for a key. Includes its data only if the key may read it. */
const renderFor = (granted: readonly string[] | undefined, event: StoredEvent): string =>
  mayReadEvent(granted, event.type) ? renderPayload(event) : renderWithoutData(event)

const ordersOfGuests: ReadonlySet<string> = new Set(orderEventNames)

/**
 * The types that a request selects. A member sees only events that the role may read. An operator also sees none of orders, which can name guests. A key
 * sees all events, but some without data.
 */
function selectTypes({ var: { actor, grantedScopes } }: Context<Env>, types: readonly string[] | undefined) {
  const isOperator = actor?.startsWith(operatorIdPrefix) === true
  if (!isOperator && !actor?.startsWith(memberIdPrefix)) return types
  const readable = (types ?? feedTypes).filter(
    (type) => mayReadEvent(grantedScopes, type) && !(isOperator && ordersOfGuests.has(type)),
  )
  return readable.length === feedTypes.length ? types : readable
}

/** The position after the newest event. */
async function findLatest({ var: { database, scope } }: Context<Env>): Promise<string> {
  const [[newest]] = await database.run([feedStatements.newest(), { ...scope }])
  return newest?.id ?? createEmptyLogMark(Date.now())
}

/** Reads the events of a page as JSON texts, and the position of the next page. */
async function readFeed(
  c: Context<Env>,
  { limit = pageSize.default, order = 'asc', types: wanted, after }: z.output<typeof eventsQuery>,
) {
  const { database, scope, grantedScopes } = c.var
  const types = selectTypes(c, wanted)
  const statements = feedStatements[order]
  const share = columnShare(limit + 1, largeEventFields)
  const values = { ...scope, after, types: JSON.stringify(types), rows: limit + 1, [shareParameter]: share }
  const nowMs = Date.now()
  const isStart = after === undefined || (order === 'asc' && isEmptyLogMark(after, nowMs))
  const read = () =>
    database.run(
      [feedStatements.findAfter(), values],
      [types ? statements.ofTypes() : statements.all(), values],
      ...(types ? [[statements.lastExamined(), values] as const] : []),
    )
  const [known, found, [lastExamined] = []] = await database.findNamed(read, ([rows]) => isStart || rows.length > 0)
  if (!isStart && known.length === 0) throw createPositionError(after, nowMs)
  const readWhole = async (ids: readonly string[]) =>
    (await database.run([feedStatements.findAll(), { ...scope, ids: JSON.stringify(ids) }])).flat()
  const page = await readPageWithin(found, limit, 'id', largeEventFields, readWhole)
  const show = (row: Row) => renderFor(grantedScopes, readEvent(row))
  const { shown, end } = showPage(database, page, 'id', show, (text) => text)
  // Events of other types after the last one of the page are examined as well.
  const examined = lastExamined && lastExamined.id !== page.last ? lastExamined.id : undefined
  return { shown, next: end ?? examined }
}

/** Lists the events of the last days as they were sent. */
export const eventFeed = new Hono<Env>().get('/', query(eventsQuery), async (c) => {
  const query = c.req.valid('query')
  const isLatest = query.after === latest
  if (isLatest && query.order === 'desc') {
    throw invalidParameter('after', 'conflict', `must not be ${latest} with order=desc`)
  }
  const { shown, next } = isLatest ? { shown: [], next: await findLatest(c) } : await readFeed(c, query)
  if (next !== undefined) c.header('Link', nextLink(c.req.url, next, 'after'))
  return c.body(`[${shown.join()}]`, 200, { 'content-type': 'application/json' })
})
