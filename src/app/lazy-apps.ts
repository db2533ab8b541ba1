import type { Handler, Hono } from 'hono'
import type { Env } from '../platform/http/context.ts'
import { responseHeaders } from '../platform/http/headers.ts'
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

async function loadMenuApp() {
  const [{ menuRoutes }, { allergenPdfRoutes }] = await Promise.all([
    import('../storefront/menu/menu-routes.ts'),
    import('../storefront/print/allergens/allergen-routes.ts'),
  ])
  return createApp().use(responseHeaders).route('/m', menuRoutes).route('/m', allergenPdfRoutes)
}
const loadOperatorApp = async () => (await import('./operator-app.ts')).operatorApp
const loadAccountApp = async () => (await import('./account-app.ts')).accountApp

/** Applications for rare requests, so that an isolate starts without them. */
export const lazyApps: readonly LazyApp[] = [
  { paths: ['/m/:merchantId', '/m/:merchantId/*'], load: loadMenuApp },
  { paths: ['/admin/*'], load: loadOperatorApp },
  { paths: ['/console/operator'], methods: ['POST'], load: loadOperatorApp },
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
  section('batch', async () => (await import('../bulk/batch/batch-routes.ts')).batchRoutes),
  section('quotes', async () => (await import('../checkout/quote/quote-routes.ts')).quoteRoutes),
  section('charges', async () => (await import('../checkout/charges/charge-routes.ts')).chargeRoutes),
  section('redemptions', async () => (await import('../checkout/redemptions/redemption-routes.ts')).redemptionRoutes),
  section('stock', async () => (await import('../checkout/stock/stock-routes.ts')).stockRoutes),
  section('export', async () => (await import('../bulk/export/export-routes.ts')).exportRoutes),
  section('imports', async () => (await import('../bulk/import/routes/import-routes.ts')).importRoutes),
]

/** Passes requests to an application. Stores the application and not its promise, because a request must not wait for another request's promise. */
export function passTo({ load }: LazyApp): Handler<Env> {
  let app: Hono<Env> | undefined
  return async (c) => {
    app ??= await load()
    return app.fetch(c.req.raw, c.env, c.executionCtx)
  }
}
