import { type Context, type Handler, Hono } from 'hono'
import { resourceList, resources } from '../catalogue/resources/registry.ts'
import type { Env } from '../platform/http/context.ts'
import { responseHeaders } from '../platform/http/headers.ts'
import type { ResourcePath } from '../platform/names.ts'
import { onTagChanged } from '../storefront/tags/observe-tags.ts'
import { requireTag } from '../storefront/tags/redirect-routes.ts'
import { createApp, createMerchantRoutes } from './create-app.ts'

/** An application that an isolate loads with the first request for one of its paths. */
interface LazyApp {
  /** Paths of its routes, as patterns of Hono. */
  paths: readonly string[]
  /** Methods that it handles on paths that other applications share. Default: all. */
  methods?: readonly string[]
  load: () => Promise<Hono<Env>>
}

/** A section of the merchant's API with routes of its own. */
const section = (name: string, load: () => Promise<Hono<Env>>): LazyApp => ({
  paths: [`/merchants/:merchantId/${name}/*`],
  load: async () =>
    createApp()
      .use(responseHeaders)
      .route('/merchants/:merchantId', createMerchantRoutes().route(`/${name}`, await load())),
})

/** Routes of a section that load apart from its others: below the objects of a resource, or below the resource itself. */
const below = (name: string, paths: readonly string[], load: () => Promise<Hono<Env>>): LazyApp => ({
  ...section(name, load),
  paths: paths.map((path) => `/merchants/:merchantId/${name}/${path}/*`),
})

/** Pages and pictures for guests. */
const guests = (paths: readonly string[], base: string, load: () => Promise<Hono<Env>>): LazyApp => ({
  paths,
  load: async () =>
    createApp()
      .use(responseHeaders)
      .route(base, await load()),
})

async function loadQrRoutes() {
  const { createQrRoutes } = await import('../storefront/qr/qr-routes.ts')
  return createQrRoutes(requireTag)
}
const loadPictureRoutes = async (resource: 'products' | 'menus') =>
  (await import('../storefront/media/picture-routes.ts')).pictureRoutes[resource]

/** The front page, the form for a code, and the documentation. On the domain of guests, the form is the front page. */
async function loadSite() {
  const [{ codeRoutes }, { documentationRoutes }] = await Promise.all([
    import('../storefront/tags/code-routes.ts'),
    import('../platform/http/documentation.ts'),
  ])
  return new Hono<Env>().route('/', codeRoutes).route('/', documentationRoutes)
}

const loadPlannedCatalogues = () => import('../bulk/release/preview/planned-catalogues.ts')
async function loadMenuApp() {
  const [{ menuRoutes }, { allergenPdfRoutes }, { guestCallRoutes }, { plannedCatalogues }] = await Promise.all([
    import('../storefront/menu/menu-routes.ts'),
    import('../storefront/print/allergens/allergen-routes.ts'),
    loadCalls(),
    loadPlannedCatalogues(),
  ])
  return createApp()
    .use(responseHeaders)
    .use(plannedCatalogues)
    .route('/m', guestCallRoutes)
    .route('/m', menuRoutes)
    .route('/m', allergenPdfRoutes)
}
async function loadQuotes() {
  const [{ quoteRoutes }, { plannedCatalogues }] = await Promise.all([
    import('../checkout/quote/quote-routes.ts'),
    loadPlannedCatalogues(),
  ])
  return new Hono<Env>().use(plannedCatalogues).route('/', quoteRoutes)
}
const loadAvailability = () => import('../checkout/stock/availability-routes.ts')
const loadCalls = () => import('../storefront/tags/calls/call-routes.ts')
const loadSheets = () => import('../storefront/print/sheet-routes.ts')
const loadOperatorApp = async () => (await import('./operator-app.ts')).operatorApp
const loadAccountApp = async () => (await import('./account-app.ts')).accountApp

const restorable = resourceList.filter(({ isRestorable }) => isRestorable)
async function loadRestoreRoutes(path: ResourcePath) {
  const { createRestoreRoutes } = await import('../catalogue/resource/deleted/restore-routes.ts')
  const routes: Readonly<Record<ResourcePath, () => Hono<Env>>> = {
    products: () => createRestoreRoutes(resources.products),
    modifiers: () => createRestoreRoutes(resources.modifiers),
    menus: () => createRestoreRoutes(resources.menus),
    coupons: () => createRestoreRoutes(resources.coupons),
    customers: () => createRestoreRoutes(resources.customers),
    tags: () => createRestoreRoutes(resources.tags, onTagChanged),
    webhooks: () => createRestoreRoutes(resources.webhooks),
  }
  return routes[path]()
}

async function loadVersionRoutes(path: ResourcePath) {
  const { createVersionRoutes } = await import('../catalogue/resource/history/version-routes.ts')
  const routes: Readonly<Record<ResourcePath, () => Hono<Env>>> = {
    products: () => createVersionRoutes(resources.products),
    modifiers: () => createVersionRoutes(resources.modifiers),
    menus: () => createVersionRoutes(resources.menus),
    coupons: () => createVersionRoutes(resources.coupons),
    customers: () => createVersionRoutes(resources.customers),
    tags: () => createVersionRoutes(resources.tags),
    webhooks: () => createVersionRoutes(resources.webhooks),
  }
  return routes[path]()
}

/** Applications for rare requests, so that an isolate starts without them. */
export const lazyApps: readonly LazyApp[] = [
  { paths: ['/m/:merchantId', '/m/:merchantId/*'], load: loadMenuApp },
  { paths: ['/admin/*'], load: loadOperatorApp },
  {
    paths: ['', '/invitation', '/registration', '/passkeys'].map((step) => `/console/operator${step}`),
    methods: ['POST'],
    load: loadOperatorApp,
  },
  { paths: ['/merchants/:merchantId'], load: loadAccountApp },
  { paths: ['/console/session'], methods: ['GET', 'POST', 'DELETE'], load: loadAccountApp },
  { paths: ['/console/passkeys'], methods: ['GET', 'POST'], load: loadAccountApp },
  { paths: ['/console/passkeys/:passkeyId'], methods: ['POST', 'DELETE'], load: loadAccountApp },
  { paths: ['/console/memberships'], methods: ['GET'], load: loadAccountApp },
  {
    paths: [
      ...['options', 'session', 'registration', 'assertion'].map((step) => `/console/passkeys/${step}`),
      '/console/invitation',
      '/console/notices/:noticeId/read',
    ],
    methods: ['POST'],
    load: loadAccountApp,
  },
  section('keys', async () => (await import('../admin/account/account-routes.ts')).ownKeyRoutes),
  section('members', async () => (await import('../admin/account/account-routes.ts')).ownMemberRoutes),
  section('invitations', async () => (await import('../admin/account/account-routes.ts')).ownInvitationRoutes),
  section('logo', async () => (await import('../admin/account/account-routes.ts')).logoRoutes),
  section('sessions', async () => (await import('../admin/account/session-routes.ts')).sessionRoutes),
  section('audit', async () => (await import('../admin/audit-routes.ts')).auditRoutes),
  section('failed-requests', async () => (await import('../admin/keys/failed-request-routes.ts')).failedRequestRoutes),
  section('batch', async () => (await import('../bulk/batch/batch-routes.ts')).batchRoutes),
  section('changes', async () => (await import('../bulk/changes/change-routes.ts')).changeRoutes),
  section('quotes', loadQuotes),
  section('charges', async () => (await import('../checkout/charges/charge-routes.ts')).chargeRoutes),
  section('redemptions', async () => (await import('../checkout/redemptions/redemption-routes.ts')).redemptionRoutes),
  section('releases', async () => (await import('../bulk/release/release-routes.ts')).releaseRoutes),
  section('test-data', async () => (await import('../bulk/import/live/test-data-routes.ts')).testDataRoutes),
  section('service', async () => (await import('../checkout/service/service-routes.ts')).serviceRoutes),
  section('stock', async () => (await import('../checkout/stock/stock-routes.ts')).stockRoutes),
  section('export', async () => (await import('../bulk/export/export-routes.ts')).exportRoutes),
  section('events', async () => (await import('../webhooks/event-routes.ts')).eventRoutes),
  section('preview', async () => (await import('../bulk/release/preview/preview-routes.ts')).menuPreviewRoutes),
  section('pulse', async () => (await import('../webhooks/events/pulse-routes.ts')).pulseRoutes),
  section('requests', async () => (await loadCalls()).callListRoutes),
  section('scans', async () => (await import('../storefront/tags/scans/scan-routes.ts')).allScanRoutes),
  ...resourceList.map(({ path }) => below(path, [':id/versions'], () => loadVersionRoutes(path))),
  ...restorable.map(({ path }) => below(path, [':id/restore'], () => loadRestoreRoutes(path))),
  below('products', [':id/availability'], async () => (await loadAvailability()).availabilityRoutes),
  below('modifiers', [':id/availability'], async () => (await loadAvailability()).optionAvailabilityRoutes),
  below('coupons', [':id/limits'], async () => (await import('../checkout/coupon-limits.ts')).couponLimitRoutes),
  below('coupons', [':id/codes'], async () => (await import('../checkout/codes/code-routes.ts')).couponCodeRoutes),
  below('customers', [':id/export', ':id/erase'], async () => {
    const { personRoutes } = await import('../tenancy/people/person-routes.ts')
    return personRoutes
  }),
  below('tags', ['sheet', 'sheet.pdf', 'sheet-link'], async () => (await loadSheets()).sheetRoutes),
  below('tags', [':id/requests/:kind/done'], async () => (await loadCalls()).finishRoutes),
  below('tags', [':id/scans'], async () => (await import('../storefront/tags/scans/scan-routes.ts')).scanRoutes),
  below('tags', [':id/nfc-link'], async () => (await import('../storefront/tags/nfc/nfc-routes.ts')).nfcLinkRoutes),
  below('webhooks', [':id/deliveries', ':id/recover', ':id/test'], async () => {
    const { deliveryRoutes } = await import('../webhooks/delivery-routes.ts')
    return deliveryRoutes
  }),
  below(
    'webhooks',
    [':id/secret', ':id/token'],
    async () => (await import('../webhooks/secret-routes.ts')).secretRoutes,
  ),
  below('webhooks', [':id/filter'], async () => (await import('../webhooks/filters/filter-routes.ts')).filterRoutes),
  below('products', [':id/images'], () => loadPictureRoutes('products')),
  below('menus', [':id/banner', ':id/icon'], () => loadPictureRoutes('menus')),
  guests(
    [
      ...['/', '/t', '/docs', '/docs/*', '/demo/*', '/fonts/*', '/event-types'],
      ...['llms.txt', 'openapi.json', 'plate.png', 'icon-192.png', 'icon-512.png', 'robots.txt'].map(
        (file) => `/${file}`,
      ),
    ],
    '/',
    loadSite,
  ),
  guests(['/i/*'], '/i', async () => (await import('../storefront/media/serve-picture.ts')).servedPictures),
  {
    ...guests(
      ['/console', '/console/:screen', '/console/:screen/:object'],
      '/console',
      async () => (await import('../admin/account/console-routes.ts')).consoleRoutes,
    ),
    methods: ['GET'],
  },
  guests(['/t/:code/qr.png', '/t/:code/qr.svg'], '/t', loadQrRoutes),
  guests(
    ['/.well-known/webhook-keys'],
    '/.well-known',
    async () => (await import('../webhooks/signatures/public-key-routes.ts')).publicKeyRoutes,
  ),
  guests(['/chip/*'], '/', async () => (await import('../storefront/tags/nfc/nfc-routes.ts')).nfcRoutes),
  guests(['/sheet/*'], '/', async () => (await loadSheets()).linkedSheetRoutes),
  below(
    'imports',
    // Imports have no external ids: `:id` would leave out this name.
    ['template', ':importId/mapping'],
    async () => (await import('../bulk/import/routes/mapped-routes.ts')).mappedRoutes,
  ),
  section('imports', async () => (await import('../bulk/import/routes/import-routes.ts')).importRoutes),
]

/** The context of a request. Undefined for one that the platform did not send, as in tests of routes. */
function getExecutionContext(c: Context<Env>) {
  try {
    return c.executionCtx
  } catch {
    return undefined
  }
}

/** Passes requests to an application, unless they name an object by its external id, which can be the name of a part. Stores the application and not its promise, because a request must not wait for another request's promise. */
export function passTo({ load }: LazyApp): Handler<Env> {
  let app: Hono<Env> | undefined
  return async (c, next) => {
    if (c.req.param('id') === 'external') return next()
    app ??= await load()
    return app.fetch(c.req.raw, c.env, getExecutionContext(c))
  }
}
