import { Hono } from 'hono'
import { requireScope } from '../../auth/authenticate.ts'
import { invalid } from '../../errors.ts'
import type { Env } from '../../http/context.ts'
import { jsonBody } from '../../http/request-body.ts'
import { nowInSeconds } from '../../lib/now.ts'
import { toExactJson } from './amounts.ts'
import { quoteFields, quoteRules } from './quote-request.ts'

/** Prices orders. Stores nothing, so an `Idempotency-Key` has no effect. */
export const quoteRoutes = new Hono<Env>().post(
  '/',
  requireScope('products:read'),
  requireScope('coupons:read'),
  jsonBody(quoteRules),
  async (c) => {
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const request = quoteFields.parse(patch)
    const at = request.at ?? nowInSeconds()
    const [{ createQuote }, { loadQuote }] = await Promise.all([import('./create-quote.ts'), import('./load-quote.ts')])
    const quote = createQuote(request, await loadQuote(c.var.database, c.var.scope, request, at), at)
    return c.body(toExactJson(quote), 200, { 'content-type': 'application/json' })
  },
)
