import { Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { logoRoutes, ownKeyRoutes, ownMerchantRoutes } from './account/account-routes.ts'
import { consoleRoutes } from './account/console-routes.ts'
import { operatorSessionRoutes, operatorSignInRoutes } from './account/operator-session-routes.ts'
import { sessionRoutes, signInRoutes } from './account/session-routes.ts'
import { createAdminRoutes } from './admin/admin-routes.ts'
import { auditRoutes } from './admin/audit-routes.ts'
import { damagedRows } from './admin/damaged-row-routes.ts'
import { createTagImportRoutes } from './admin/tag-import.ts'
import { authenticate } from './auth/authenticate.ts'
import { backupRoutes } from './backup/backup-routes.ts'
import { recoverRoutes } from './backup/recover-routes.ts'
import { restoreRoutes } from './backup/restore/restore-routes.ts'
import { batchRoutes } from './batch/batch-routes.ts'
import { couponLimitRoutes } from './checkout/coupon-limits.ts'
import { quoteRoutes } from './checkout/quote/quote-routes.ts'
import { redemptionRoutes } from './checkout/redemptions/redemption-routes.ts'
import { availabilityRoutes } from './checkout/stock/availability-routes.ts'
import { stockRoutes } from './checkout/stock/stock-routes.ts'
import { directoryDatabase } from './db/home/connect.ts'
import { checkDatabase } from './db/migrations.ts'
import type { Bindings } from './env.ts'
import { exportRoutes } from './export/export-routes.ts'
import type { Env } from './http/context.ts'
import { documentationRoutes } from './http/documentation.ts'
import { responseHeaders } from './http/headers.ts'
import { createNotFoundHandler } from './http/paths.ts'
import { onError } from './http/problem-details.ts'
import { requireConfiguration } from './http/public-url.ts'
import { CachedRouter } from './http/routing/cached-router.ts'
import { preflight } from './http/routing/cors.ts'
import { importRoutes } from './import/routes/import-routes.ts'
import { issueRoutes } from './import/routes/issue-routes.ts'
import { uploadRoutes } from './import/routes/upload-routes.ts'
import { maintenance } from './maintenance-routes.ts'
import { createPictureRoutes } from './media/picture-routes.ts'
import { servedPictures } from './media/serve-picture.ts'
import { menuRoutes } from './menu/menu-routes.ts'
import { unknownPage } from './pages/error-pages.ts'
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
import { observeMerchant } from './tags/observe-merchant.ts'
import { createRedirectRoutes, redirectKnownTag, requireTag } from './tags/redirect-routes.ts'
import { allScanRoutes, scanRoutes } from './tags/scans/scan-routes.ts'
import { tagRebuild } from './tags/tag-rebuild.ts'
import { deliveryRoutes } from './webhooks/delivery-routes.ts'
import { eventRoutes } from './webhooks/event-routes.ts'
import { secretRoutes } from './webhooks/secret-routes.ts'

const dependencies = { all: Object.values(resources) }

/** Chained, because `hc` derives the client's type from the chain. */
const merchant = new Hono<Env>()
  .use(preflight)
  .use(authenticate)
  .use(requireConfiguration)
  .route('/products', createResourceRoutes(resources.products, dependencies))
  .route('/products', availabilityRoutes)
  .route('/products', createDetailRoutes(resources.products))
  .route('/modifiers', createResourceRoutes(resources.modifiers, dependencies))
  .route('/modifiers', createDetailRoutes(resources.modifiers))
  .route('/menus', createResourceRoutes(resources.menus, dependencies))
  .route('/menus', createDetailRoutes(resources.menus))
  .route('/coupons', createResourceRoutes(resources.coupons, dependencies))
  .route('/coupons', couponLimitRoutes)
  .route('/quotes', quoteRoutes)
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
  .route('/batch', batchRoutes)
  .route('/redemptions', redemptionRoutes)
  .route('/scans', allScanRoutes)
  .route('/stock', stockRoutes)
  .route('/events', eventRoutes)
  .route('/audit', auditRoutes)
  .route('/export', exportRoutes)
  .route('/imports', uploadRoutes)
  .route('/imports', importRoutes)
  .route('/imports', issueRoutes)
  .route('/keys', ownKeyRoutes)
  .route('/sessions', sessionRoutes)
  .route('/logo', logoRoutes)
  .route('/', ownMerchantRoutes)

/** Removes a trailing slash from scanned addresses: people and mail programs add one. */
const getRoutePath = (request: Request) => {
  const path = getPath(request)
  return path.endsWith('/') && /^\/[tn]\/[^/]/i.test(path) ? path.slice(0, -1) : path
}

export const app = new Hono<Env>({ getPath: getRoutePath, router: new CachedRouter() })
  .use(responseHeaders)
  .get('/health', requireConfiguration, async (c) => {
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
  .use('/admin/merchants/:merchantId?', observeMerchant)
  .use('/admin/merchants/:merchantId/:change{suspend|resume|close|reopen|restore}', observeMerchant)
  .use('/admin/merchants/:merchantId/restore/continue', observeMerchant)
  .route(
    '/admin',
    createAdminRoutes({
      tags: createTagImportRoutes(dependencies, onTagChanged),
      maintenance,
      tagRebuild,
      damagedRows,
      backups: backupRoutes,
      restores: restoreRoutes,
      sessions: operatorSessionRoutes,
      recoveries: recoverRoutes,
    }),
  )
  .route('/console/session', signInRoutes)
  .route('/console/operator', operatorSignInRoutes)
  .route('/console', consoleRoutes)
  .use('/merchants/:merchantId', observeMerchant)
  .route('/merchants/:merchantId', merchant)
  .onError(onError)

app.notFound(createNotFoundHandler(() => app.routes, { form: /^\/(?:[tnm]|chip|sheet)(?:\/|$)/i, page: unknownPage }))

/** Handles a request. Scans of known tags are redirected without the router. */
export const serve = (request: Request, env: Bindings, context: ExecutionContext) =>
  redirectKnownTag(request, env, context) ?? app.fetch(request, env, context)

export type App = typeof app
