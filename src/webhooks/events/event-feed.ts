import { type Context, Hono } from 'hono'
import type * as z from 'zod/mini'
import { hasScope } from '../../auth/authenticate.ts'
import { columnShare, readPageWithin, shareParameter, showPage } from '../../db/page-budget.ts'
import type { Row } from '../../db/row.ts'
import type { Env } from '../../http/context.ts'
import { invalidParameter, nextLink, pageSize } from '../../http/pagination.ts'
import { query } from '../../http/validation.ts'
import { isResourceName, isTillEvent, resourceIdentities } from '../../names.ts'
import { renderPayload, renderWithoutData } from '../payload.ts'
import { largeEventFields, readEvent, type StoredEvent } from '../rows/stored-event.ts'
import { createEmptyLogMark, createPositionError, isEmptyLogMark } from './feed-position.ts'
import { eventsQuery, latest } from './feed-query.ts'
import { feedStatements } from './feed-statements.ts'

/** Renders an event for a key: with its data only if the key may read the resource. Published orders require no further scope. */
function renderFor(granted: readonly string[] | undefined, event: StoredEvent): string {
  const [noun = ''] = event.type.split('.')
  const collection = isResourceName(noun) ? resourceIdentities[noun].path : noun
  // Events of redemptions contain both the coupon and the redemption.
  const isRedemption = noun === 'coupon' && isTillEvent(event.type)
  const needed = isRedemption ? ['coupons:read', 'redemptions:read'] : [`${collection}:read`]
  const mayRead = noun === 'order' || needed.every((scope) => hasScope(granted, scope))
  return mayRead ? renderPayload(event) : renderWithoutData(event)
}

/** The position behind the newest event. */
async function findLatest({ var: { database, scope } }: Context<Env>): Promise<string> {
  const [[newest]] = await database.run([feedStatements.newest(), { ...scope }])
  return newest?.id ?? createEmptyLogMark(Date.now())
}

/** Reads the events of a page as JSON texts, and the position of the next page. */
async function readFeed(
  { var: { database, scope, grantedScopes } }: Context<Env>,
  { limit = pageSize.default, order = 'asc', types, after }: z.output<typeof eventsQuery>,
) {
  const statements = feedStatements[order]
  const share = columnShare(limit + 1, largeEventFields)
  const values = { ...scope, after, types: JSON.stringify(types), rows: limit + 1, [shareParameter]: share }
  const [known, found, [lastExamined] = []] = await database.run(
    [feedStatements.findAfter(), values],
    [types ? statements.ofTypes() : statements.all(), values],
    ...(types ? [[statements.lastExamined(), values] as const] : []),
  )
  const nowMs = Date.now()
  if (after !== undefined && known.length === 0 && !(order === 'asc' && isEmptyLogMark(after, nowMs))) {
    throw createPositionError(after, nowMs)
  }
  const readWhole = async (ids: readonly string[]) =>
    (await database.run([feedStatements.findAll(), { ...scope, ids: JSON.stringify(ids) }])).flat()
  const page = await readPageWithin(found, limit, 'id', largeEventFields, readWhole)
  const show = (row: Row) => renderFor(grantedScopes, readEvent(row))
  const { shown, end } = showPage(database, page, 'id', show, (text) => text)
  // Events of other types behind the last one of the page are examined as well.
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
