import { type Context, Hono } from 'hono'
import { authenticate } from '../platform/auth/authenticate.ts'
import type { Env } from '../platform/http/context.ts'
import { preflight } from '../platform/http/headers.ts'
import { createNotFoundHandler } from '../platform/http/paths.ts'
import { onError } from '../platform/http/problem-details.ts'
import { requireConfiguration } from '../platform/http/public-url.ts'
import { CachedRouter, getRoutePath } from '../platform/http/routing/cached-router.ts'

/** Creates an application that handles errors, unknown paths and wrong methods. */
export function createApp(): Hono<Env> {
  const app = new Hono<Env>({ getPath: getRoutePath, router: new CachedRouter() }).onError(onError)
  const page = async (c: Context<Env>) => (await import('../storefront/pages/error-pages.ts')).unknownPage(c)
  return app.notFound(createNotFoundHandler(() => app.routes, { form: /^\/(?:[tnm]|chip|sheet)(?:\/|$)/i, page }))
}

/** Creates the routes of one merchant, which require a key or a session. */
export const createMerchantRoutes = () => new Hono<Env>().use(preflight).use(authenticate).use(requireConfiguration)
