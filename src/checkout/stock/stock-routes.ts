import { Hono } from 'hono'
import { createCaller } from '../../catalogue/resource/caller.ts'
import type { Env } from '../../platform/http/context.ts'
import { idempotent } from '../../platform/http/idempotency.ts'
import { readPage } from '../../platform/http/keyset-list.ts'
import { invalidParameter, nextLink } from '../../platform/http/pagination.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import { query } from '../../platform/http/validation.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { defaultBelow, stockPages, stockQuery, toStockView } from './stock-list.ts'
import { stockRules } from './stock-request.ts'

/** Adjusts stock, and lists the products that are sold out or low. */
export const stockRoutes = new Hono<Env>()
  .get('/', query(stockQuery), async (c) => {
    const { state = 'out', below, ...page } = c.req.valid('query')
    if (state === 'out' && below !== undefined) {
      throw invalidParameter('below', 'conflict', 'must not be given without state=low')
    }
    const { database, scope } = c.var
    const now = nowInSeconds()
    const values = { ...scope, now, below: below ?? defaultBelow }
    const list = JSON.stringify(['stock', scope.testMode, state, below])
    const { items, next } = await readPage(database, stockPages[state], list, values, page)
    if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
    return c.json(
      items.map((item) => toStockView(item, now)),
      200,
    )
  })
  .post('/', jsonBody(stockRules), idempotent, async (c) => {
    const { adjustStock } = await import('./adjust-stock.ts')
    return c.json(await adjustStock(createCaller(c), c.req.valid('json')), 200)
  })
