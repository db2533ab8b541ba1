import { type Context, Hono } from 'hono'
import { createCaller } from '../../catalogue/resource/caller.ts'
import { withRawRows } from '../../platform/db/query.ts'
import { notFound } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { idempotent } from '../../platform/http/idempotency.ts'
import { readPage } from '../../platform/http/keyset-list.ts'
import { nextLink } from '../../platform/http/pagination.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import { query } from '../../platform/http/validation.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { getRedemptionPages, redemptionQuery } from './redemption-list.ts'
import { redemptionRules } from './redemption-request.ts'
import { byId } from './redemption-statements.ts'
import { type Redemption, toRedemption } from './redemption-view.ts'

const respond = (c: Context<Env>) => (redemption: Redemption) => c.json(redemption, 200)

/** Redeems and holds coupons, and lists redemptions. */
export const redemptionRoutes = new Hono<Env>()
  .get('/', query(redemptionQuery), async (c) => {
    const filters = c.req.valid('query')
    const { limit, cursor, ...selection } = filters
    const { database, scope } = c.var
    const now = nowInSeconds()
    const list = JSON.stringify(['redemptions', scope.testMode, selection])
    const values = { ...selection, ...scope, now }
    const { items, next } = await readPage(database, getRedemptionPages(filters), list, values, { limit, cursor })
    if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
    return c.json(
      items.map((item) => toRedemption(item, now)),
      200,
    )
  })
  .post('/', jsonBody(redemptionRules), idempotent, async (c) => {
    const { path } = c.req
    const createResponse = (redemption: Redemption, isNew: boolean) =>
      isNew ? c.json(redemption, 201, { Location: `${path}/${redemption.id}` }) : c.json(redemption, 200)
    const { redeem } = await import('./redeem.ts')
    const { redemption, isNew } = await redeem(createCaller(c), c.req.valid('json'), createResponse)
    return createResponse(redemption, isNew)
  })
  .get('/:id', async (c) => {
    const find = byId.find()
    const values = { ...c.var.scope, redemption: c.req.param('id') }
    const { database } = c.var
    const row = await database.findNamed(async () => (await database.run([withRawRows(find), values]))[0][0])
    if (!row) throw notFound()
    return c.json(toRedemption(find.read(row), nowInSeconds()), 200)
  })
  .post('/:id/confirm', idempotent, async (c) => {
    const { confirmRedemption } = await import('./confirm-or-release.ts')
    return respond(c)(await confirmRedemption(createCaller(c), c.req.param('id'), respond(c)))
  })
  .post('/:id/release', idempotent, async (c) => {
    const { releaseRedemption } = await import('./confirm-or-release.ts')
    return respond(c)(await releaseRedemption(createCaller(c), c.req.param('id'), respond(c)))
  })
