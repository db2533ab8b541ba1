import { invitationRoutes } from '../account/members/invitation-routes.ts'
import { operatorSessionRoutes, operatorSignInRoutes } from '../account/operator-session-routes.ts'
import { createAdminRoutes } from '../admin/admin-routes.ts'
import { damagedRows } from '../admin/damaged-row-routes.ts'
import { createTagImportRoutes } from '../admin/tag-import.ts'
import { backupRoutes } from '../backup/backup-routes.ts'
import { recoverRoutes } from '../backup/recover-routes.ts'
import { restoreRoutes } from '../backup/restore/restore-routes.ts'
import { responseHeaders } from '../http/headers.ts'
import { maintenance, metrics } from '../maintenance-routes.ts'
import * as resources from '../resources/registry.ts'
import { onTagChanged } from '../tags/kv-sync.ts'
import { observeMerchant } from '../tags/observe-merchant.ts'
import { tagRebuild } from '../tags/tag-rebuild.ts'
import { createApp } from './create-app.ts'

/** The API of the operator. */
export const operatorApp = createApp()
  .use(responseHeaders)
  .use('/admin/merchants/:merchantId?', observeMerchant)
  .use('/admin/merchants/:merchantId/:change{suspend|resume|close|reopen|restore}', observeMerchant)
  .use('/admin/merchants/:merchantId/restore/continue', observeMerchant)
  .route(
    '/admin',
    createAdminRoutes({
      tags: createTagImportRoutes({ all: Object.values(resources) }, onTagChanged),
      maintenance,
      metrics,
      tagRebuild,
      damagedRows,
      backups: backupRoutes,
      restores: restoreRoutes,
      sessions: operatorSessionRoutes,
      recoveries: recoverRoutes,
      invitations: invitationRoutes,
    }),
  )
  .route('/console/operator', operatorSignInRoutes)
