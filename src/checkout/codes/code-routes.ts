import { Hono, type MiddlewareHandler } from 'hono'
import { createCaller } from '../../catalogue/resource/caller.ts'
import { requireScope } from '../../platform/auth/authenticate.ts'
import type { Env } from '../../platform/http/context.ts'
import { idempotent } from '../../platform/http/idempotency.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import { type ParsedBody, query } from '../../platform/http/validation.ts'
import type { CodesRequest } from './code-request.ts'

type CodesBody = MiddlewareHandler<Env, string, { in: { json: CodesRequest }; out: { json: ParsedBody } }>

let parse: CodesBody | undefined
/** Loads the rules of the body with the first request. Keeps the middleware and not its promise: a request must not wait for another. */
const parseBody: CodesBody = async (c, next) => {
  parse ??= jsonBody((await import('./code-request.ts')).codesRules)
  return parse(c, next)
}

const loadQuery = async () => query((await import('./code-request.ts')).codesQuery)
type CodesQuery = Awaited<ReturnType<typeof loadQuery>>
const parseQuery: CodesQuery = async (c, next) => (await loadQuery())(c, next)

/**
 * Makes and lists single-use codes of a coupon. Reading them requires `coupons:write`: a key of a point of sale has `coupons:read`, and must not get
 * codes that nobody has used.
 */
export const couponCodeRoutes = new Hono<Env>()
  .post('/:id/codes', parseBody, idempotent, async (c) => {
    const { makeCodes } = await import('./make-codes.ts')
    return makeCodes(createCaller(c), c.req.param('id'), c.req.valid('json'), (made) => c.json(made, 201))
  })
  .get('/:id/codes', requireScope('coupons:write'), parseQuery, async (c) => {
    const { listCodes } = await import('./list-codes.ts')
    return listCodes(c, c.req.param('id'), c.req.valid('query'))
  })
  .get('/:id/codes/batches', requireScope('coupons:write'), async (c) => {
    const { listBatches } = await import('./list-codes.ts')
    return c.json(await listBatches(c.var.database, c.var.scope, c.req.param('id')), 200)
  })
