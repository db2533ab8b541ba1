import { type Context, Hono } from 'hono'
import { getCurrencyDecimals } from '../../catalogue/resources/currency.ts'
import { requireScope, requireScopes } from '../../platform/auth/authenticate.ts'
import type { Database } from '../../platform/db/database.ts'
import { type Issue, invalid, notFound } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { toExactJson } from './amounts.ts'
import type { QuoteData } from './load-quote.ts'
import { namesUnknown } from './quote-issues.ts'
import { type FractionalItem, listFractions, quoteFields, quoteRules } from './quote-request.ts'

const decoder = new TextDecoder()

/** Issues of fractions of products that are not sold by weight or volume. An unknown product is an issue of the quote. */
const findFractionIssues = (fractions: readonly FractionalItem[], data: QuoteData | undefined): Issue[] =>
  fractions.flatMap(({ index, product }) => {
    const found = data?.products.get(product)
    return found && !found.details.soldBy
      ? [{ pointer: `/items/${index}/quantity`, code: 'too_precise' as const, message: 'must be an integer' }]
      : []
  })

/** The data as it is after a release. Throws `not_found`. */
async function findPlanned(c: Context<Env>, release: string): Promise<Database> {
  requireScopes(c.var.grantedScopes, ['releases:read'])
  const planned = await c.var.planned?.open(release)
  if (!planned) throw notFound()
  planned.usePrimary()
  return planned
}

/** Prices orders. Stores nothing, so an `Idempotency-Key` has no effect. */
export const quoteRoutes = new Hono<Env>().post(
  '/',
  requireScope('products:read'),
  requireScope('coupons:read'),
  jsonBody(quoteRules),
  async (c) => {
    const { patch, issues } = c.req.valid('json')
    const [{ createQuote }, { loadQuote }, { findTipIssues }] = await Promise.all([
      import('./create-quote.ts'),
      import('./load-quote.ts'),
      import('./charges/tip.ts'),
    ])
    const { database, scope } = c.var
    const at = nowInSeconds()
    if (issues.length > 0) {
      const body = c.get('body')
      const fractions = body ? listFractions(JSON.parse(decoder.decode(body))) : []
      const items = fractions.map(({ product }) => ({ product, quantity: 1 }))
      database.usePrimary()
      const data = items.length > 0 ? await loadQuote(database, scope, { items }, at) : undefined
      throw invalid([...issues, ...findFractionIssues(fractions, data)])
    }
    const request = quoteFields.parse(patch)
    const shown = request.release ? await findPlanned(c, request.release) : database
    const fractions = listFractions(request)
    const price = async () => {
      const data = await loadQuote(shown, scope, request, request.at ?? at)
      if (!data) return undefined
      const decimals = getCurrencyDecimals(data.venue.currency ?? undefined)
      const found = [...findFractionIssues(fractions, data), ...findTipIssues(request.tip, decimals)]
      // Deposits are of whole units, so a fraction has no price.
      return found.length > 0 ? { issues: found } : { quote: createQuote(request, data, request.at ?? at), issues: [] }
    }
    const priced = await shown.findNamed(price, (found) => found?.quote !== undefined && !namesUnknown(found.quote))
    if (!priced) throw notFound()
    if (!priced.quote) throw invalid(priced.issues)
    return c.body(toExactJson(priced.quote), 200, { 'content-type': 'application/json' })
  },
)
