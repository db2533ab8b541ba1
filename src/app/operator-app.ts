import { Hono } from 'hono'
import { invitationRoutes } from '../admin/account/members/invitation-routes.ts'
import { operatorSessionRoutes } from '../admin/account/operator-session-routes.ts'
import { operatorInvitationRoutes, operatorSignInRoutes } from '../admin/account/operators/operator-sign-in-routes.ts'
import { createAdminRoutes } from '../admin/admin-routes.ts'
import { damagedRows } from '../admin/damaged-row-routes.ts'
import { createMetricsRoutes } from '../admin/operator/metrics-routes.ts'
import { createTagImportRoutes } from '../admin/tag-import.ts'
import type { Env } from '../platform/http/context.ts'
import { responseHeaders } from '../platform/http/headers.ts'
import { observeMerchant } from '../storefront/tags/observe-merchant.ts'
import { onTagChanged } from '../storefront/tags/observe-tags.ts'
import { tagRebuild } from '../storefront/tags/tag-rebuild.ts'
import { backupRoutes } from '../tenancy/backup/backup-routes.ts'
import { recoverRoutes } from '../tenancy/backup/recover-routes.ts'
import { restoreRoutes } from '../tenancy/backup/restore/restore-routes.ts'
import { createApp } from './create-app.ts'

/** Route for operators: the state of each table that is purged. */
const maintenance = new Hono<Env>().get('/', async (c) => {
  const { inspect } = await import('./maintenance/purges.ts')
  const { retainedTables } = await import('./maintenance/retained-tables.ts')
  return c.json(await inspect(c.var.database, Date.now(), retainedTables), 200)
})

/** Route for operators: metrics, with the lag of purges. */
const metrics = createMetricsRoutes(async () => {
  const { readOldest, toStates } = await import('./maintenance/purges.ts')
  const { retainedTables } = await import('./maintenance/retained-tables.ts')
  return {
    readOldest: () => readOldest(retainedTables),
    toLag: (oldest, nowMs) =>
      Math.max(...toStates(retainedTables, oldest, nowMs).map(({ overdueSeconds }) => overdueSeconds)),
  }
})

/** The API of the operator. */
export const operatorApp = createApp()
  .use(responseHeaders)
  .use('/admin/merchants/:merchantId?', observeMerchant)
  .use('/admin/merchants/:merchantId/:change{suspend|resume|close|reopen|restore}', observeMerchant)
  .use('/admin/merchants/:merchantId/restore/continue', observeMerchant)
  .route(
    '/admin',
    createAdminRoutes({
      tags: createTagImportRoutes(onTagChanged),
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
  .route('/console/operator', operatorInvitationRoutes)
