import { Hono } from 'hono'
import { requireScope } from '../../platform/auth/authenticate.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { toExactJson } from './amounts.ts'
import { namesUnknown } from './quote-issues.ts'
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
    const { database, scope } = c.var
    const price = async () => {
      const data = await loadQuote(database, scope, request, at)
      return data && createQuote(request, data, at)
    }
    const quote = await database.findNamed(price, (priced) => priced !== undefined && !namesUnknown(priced))
    if (!quote) throw notFound()
    return c.body(toExactJson(quote), 200, { 'content-type': 'application/json' })
  },
)
