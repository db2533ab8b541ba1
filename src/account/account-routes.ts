import { Hono, type MiddlewareHandler } from 'hono'
import { keyRoutes } from '../admin/key-routes.ts'
import { merchantObjectRoutes } from '../admin/merchant-routes.ts'
import { requireRights } from '../auth/authenticate.ts'
import { clearSessionCache } from '../auth/sessions.ts'
import { directoryDatabase } from '../db/home/connect.ts'
import type { Env } from '../http/context.ts'

/** Merchants and keys are in the directory. Reads from its primary, so that no second bookmark is needed. */
const useDirectory: MiddlewareHandler<Env> = async (c, next) => {
  const database = directoryDatabase(c.env)
  database.usePrimary()
  c.set('database', database)
  // A stored response can contain a key: only who made the request may get it again.
  c.set('sealSecret', c.req.header('authorization') ?? c.req.header('cookie'))
  await next()
}

/** The settings of the merchant. A test key changes nothing that live mode uses. */
export const ownMerchantRoutes = new Hono<Env>()
  .use('/', useDirectory)
  .post('/', async (c, next) => {
    requireRights(c, { testMode: false, scopes: [] })
    await next()
    // Sessions show the name and the currency.
    clearSessionCache()
  })
  .route('/', merchantObjectRoutes)

/** The keys of the merchant. */
export const ownKeyRoutes = new Hono<Env>().use(useDirectory).route('/', keyRoutes)
