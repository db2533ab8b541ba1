import { ownMerchantRoutes } from '../admin/account/account-routes.ts'
import {
  membershipRoutes,
  noticeRoutes,
  openedInvitationRoutes,
  passkeyRoutes,
} from '../admin/account/passkeys/passkey-routes.ts'
import { signInRoutes } from '../admin/account/session-routes.ts'
import { responseHeaders } from '../platform/http/headers.ts'
import { observeMerchant } from '../storefront/tags/observe-merchant.ts'
import { createApp, createMerchantRoutes } from './create-app.ts'

/** Settings of a merchant, and the sign-in of its console with keys and passkeys. */
export const accountApp = createApp()
  .use(responseHeaders)
  .use('/merchants/:merchantId', observeMerchant)
  .route('/merchants/:merchantId', createMerchantRoutes().route('/', ownMerchantRoutes))
  .route('/console/session', signInRoutes)
  .route('/console/passkeys', passkeyRoutes)
  .route('/console/notices', noticeRoutes)
  .route('/console/memberships', membershipRoutes)
  .route('/console/invitation', openedInvitationRoutes)
