import { createResourceRoutes } from '../catalogue/resource/routes.ts'
import { createAllDetailRoutes } from '../catalogue/resources/detail-routes.ts'
import { resources } from '../catalogue/resources/registry.ts'
import { requireDistinctTokens } from '../platform/auth/operator/operator-tokens.ts'
import { directoryDatabase } from '../platform/db/home/d1-connection.ts'
import type { Bindings } from '../platform/env.ts'
import { responseHeaders } from '../platform/http/headers.ts'
import { requireConfiguration } from '../platform/http/public-url.ts'
import { respondBehindBody } from '../platform/http/request-body.ts'
import { onTagChanged, onTagDetailsChanged } from '../storefront/tags/observe-tags.ts'
import { redirectKnownTag, redirectRoutes } from '../storefront/tags/redirect-routes.ts'
import { createApp, createMerchantRoutes } from './create-app.ts'
import { lazyApps, passTo } from './lazy-apps.ts'

/** Routes that many requests need. Chained, because `hc` derives the client's type from the chain. */
const merchant = createMerchantRoutes()
  .route('/products', createResourceRoutes(resources.products))
  .route('/modifiers', createResourceRoutes(resources.modifiers))
  .route('/menus', createResourceRoutes(resources.menus))
  .route('/coupons', createResourceRoutes(resources.coupons))
  .route('/customers', createResourceRoutes(resources.customers))
  .route('/tags', createResourceRoutes(resources.tags, onTagChanged))
  .route('/webhooks', createResourceRoutes(resources.webhooks))
  .route('/', createAllDetailRoutes(onTagDetailsChanged))

const shell = createApp()
// Mounted first: these apps set the common headers themselves.
for (const lazyApp of lazyApps) shell.on([...(lazyApp.methods ?? ['ALL'])], [...lazyApp.paths], passTo(lazyApp))

export const app = shell
  .use(responseHeaders)
  .get('/health', requireConfiguration, async (c) => {
    requireDistinctTokens(c.env)
    const { checkDatabase } = await import('../platform/db/migrations.ts')
    await checkDatabase(directoryDatabase(c.env))
    return c.json({ status: 'ok' as const })
  })
  .route('/', redirectRoutes)
  .route('/merchants/:merchantId', merchant)

/**
 * Handles a request. Scans of known tags are redirected without the router. A request that may write runs to its end, even if the client hangs up.
 * Otherwise, the platform could cancel it between the transaction and the copies in KV, or while other requests wait for it.
 */
export function serve(request: Request, env: Bindings, context: ExecutionContext): Response | Promise<Response> {
  if (request.method === 'GET') return redirectKnownTag(request, env, context) ?? app.fetch(request, env, context)
  const response = respondBehindBody(request, app.fetch(request, env, context))
  context.waitUntil(response.catch(() => undefined))
  return response
}

export type App = typeof app
