import { consoleRoutes } from './account/console-routes.ts'
import { createApp, createMerchantRoutes } from './app/create-app.ts'
import { lazyApps, passTo } from './app/lazy-apps.ts'
import { couponLimitRoutes } from './checkout/coupon-limits.ts'
import { availabilityRoutes } from './checkout/stock/availability-routes.ts'
import { directoryDatabase } from './db/home/connect.ts'
import type { Bindings } from './env.ts'
import { respondBehindBody } from './http/bodies/drain.ts'
import { documentationRoutes } from './http/documentation.ts'
import { responseHeaders } from './http/headers.ts'
import { requireConfiguration } from './http/public-url.ts'
import { createPictureRoutes } from './media/picture-routes.ts'
import { servedPictures } from './media/serve-picture.ts'
import { menuRoutes } from './menu/menu-routes.ts'
import { personRoutes } from './people/person-routes.ts'
import { allergenPdfRoutes } from './print/allergens/allergen-routes.ts'
import { linkedSheetRoutes, sheetRoutes } from './print/sheet-routes.ts'
import { createQrRoutes } from './qr/qr-routes.ts'
import { createDetailRoutes } from './resource/details/details-routes.ts'
import { createResourceRoutes } from './resource/routes.ts'
import * as resources from './resources/registry.ts'
import { codeRoutes } from './tags/code-routes.ts'
import { onTagChanged } from './tags/kv-sync.ts'
import { createNfcLinkRoutes, nfcRoutes } from './tags/nfc/nfc-routes.ts'
import { createRedirectRoutes, redirectKnownTag, requireTag } from './tags/redirect-routes.ts'
import { allScanRoutes, scanRoutes } from './tags/scans/scan-routes.ts'
import { deliveryRoutes } from './webhooks/delivery-routes.ts'
import { eventRoutes } from './webhooks/event-routes.ts'
import { secretRoutes } from './webhooks/secret-routes.ts'

const dependencies = { all: Object.values(resources) }

/** Chained, because `hc` derives the client's type from the chain. */
const merchant = createMerchantRoutes()
  .route('/products', createResourceRoutes(resources.products, dependencies))
  .route('/products', availabilityRoutes)
  .route('/products', createDetailRoutes(resources.products))
  .route('/modifiers', createResourceRoutes(resources.modifiers, dependencies))
  .route('/modifiers', createDetailRoutes(resources.modifiers))
  .route('/menus', createResourceRoutes(resources.menus, dependencies))
  .route('/menus', createDetailRoutes(resources.menus))
  .route('/coupons', createResourceRoutes(resources.coupons, dependencies))
  .route('/coupons', couponLimitRoutes)
  .route('/customers', createResourceRoutes(resources.customers, dependencies))
  .route('/customers', personRoutes)
  .route('/tags', sheetRoutes)
  .route('/tags', createResourceRoutes(resources.tags, dependencies, onTagChanged))
  .route('/tags', scanRoutes)
  .route('/tags', createNfcLinkRoutes(dependencies))
  .route('/webhooks', createResourceRoutes(resources.webhooks, dependencies))
  .route('/webhooks', deliveryRoutes)
  .route('/webhooks', secretRoutes)
  .route('/', createPictureRoutes(dependencies))
  .route('/scans', allScanRoutes)
  .route('/events', eventRoutes)

const shell = createApp()
// Before all others: what they add, the application adds itself.
for (const lazyApp of lazyApps) shell.on([...(lazyApp.methods ?? ['ALL'])], [...lazyApp.paths], passTo(lazyApp))

export const app = shell
  .use(responseHeaders)
  .get('/health', requireConfiguration, async (c) => {
    const { checkDatabase } = await import('./db/migrations.ts')
    await checkDatabase(directoryDatabase(c.env))
    return c.json({ status: 'ok' as const })
  })
  .route('/', codeRoutes)
  .route('/', documentationRoutes)
  .route('/t', createQrRoutes(requireTag))
  .route('/', createRedirectRoutes(dependencies))
  .route('/m', menuRoutes)
  .route('/m', allergenPdfRoutes)
  .route('/i', servedPictures)
  .route('/', nfcRoutes)
  .route('/', linkedSheetRoutes)
  .route('/console', consoleRoutes)
  .route('/merchants/:merchantId', merchant)

/**
 * Handles a request. Scans of known tags are redirected without the router. A request that may write is handled to its end, also for
 * a client that hangs up: the platform would cancel it between the transaction and the copies in KV, or while others wait for it.
 */
export function serve(request: Request, env: Bindings, context: ExecutionContext): Response | Promise<Response> {
  const redirected = redirectKnownTag(request, env, context)
  if (redirected) return redirected
  if (request.method === 'GET') return app.fetch(request, env, context)
  const response = respondBehindBody(request, app.fetch(request, env, context))
  context.waitUntil(response.catch(() => undefined))
  return response
}

export type App = typeof app
