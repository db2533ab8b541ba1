import { Hono, type MiddlewareHandler } from 'hono'
import { checkRights, requireRights } from '../../platform/auth/authenticate.ts'
import { clearSessionCache, getSessionToken } from '../../platform/auth/sessions.ts'
import { directoryDatabase } from '../../platform/db/home/d1-connection.ts'
import { merchantDatabase } from '../../platform/db/home/merchant-connection.ts'
import type { Env } from '../../platform/http/context.ts'
import { idempotent } from '../../platform/http/idempotency.ts'
import { pictureBody } from '../../storefront/media/picture-body.ts'
import { describeUpload } from '../../storefront/media/picture-routes.ts'
import { keyRoutes } from '../keys/key-routes.ts'
import { merchantObjectRoutes, patchMerchant } from '../merchant-routes.ts'
import { invitationRoutes } from './members/invitation-routes.ts'
import { memberRoutes } from './members/member-routes.ts'

/** Merchants and keys are in the directory. Reads from its primary, so that no second bookmark is needed. */
const useDirectory: MiddlewareHandler<Env> = async (c, next) => {
  const database = directoryDatabase(c.env)
  database.usePrimary()
  c.set('database', database)
  // A stored response can contain a key. Only the actor of the request may get it again.
  c.set('sealSecret', c.req.header('authorization') ?? getSessionToken(c))
  await next()
}

/** Rejects test keys, because they must not change data that live mode uses. */
const requireLive: MiddlewareHandler<Env> = async (c, next) => {
  await checkRights(c, () => requireRights(c, { testMode: false, scopes: [] }))
  await next()
}

/** The settings of the merchant. */
export const ownMerchantRoutes = new Hono<Env>()
  .use('/', useDirectory)
  .post('/', requireLive, async (_c, next) => {
    await next()
    // Sessions include the name and the currency.
    clearSessionCache()
  })
  .route('/', merchantObjectRoutes)

/** The logo of the merchant. Its picture is stored with the merchant's data, and its address in the directory. */
export const logoRoutes = new Hono<Env>().post('/', requireLive, useDirectory, pictureBody, idempotent, async (c) => {
  const { storePicture } = await import('../../storefront/media/store-picture.ts')
  const { scope } = c.var
  const upload = c.req.valid('form')
  const { url, respond } = describeUpload(c, upload)
  await storePicture(c.env, { database: merchantDatabase(c.env, { ...scope, home: undefined }), scope }, upload)
  const { readLogo } = await import('../../storefront/print/logo/pdf-logo.ts')
  // Creates the picture for sheets now, so that later requests need not.
  await readLogo(c.env, url)
  return patchMerchant(c, { logo: url }, respond)
})

/** The people of the merchant. */
export const ownMemberRoutes = new Hono<Env>().use(useDirectory).route('/', memberRoutes)
export const ownInvitationRoutes = new Hono<Env>().use(useDirectory).route('/', invitationRoutes)

/** The keys of the merchant. */
export const ownKeyRoutes = new Hono<Env>().use(useDirectory).route('/', keyRoutes)
