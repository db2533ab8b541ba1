import type { Context, MiddlewareHandler } from 'hono'
import type { Database } from '../../../platform/db/database.ts'
import { merchantDatabase } from '../../../platform/db/home/merchant-connection.ts'
import type { Scope } from '../../../platform/db/scope.ts'
import type { Env, PlannedCatalogues } from '../../../platform/http/context.ts'

async function openRelease(database: Database, scope: Scope, release: string): Promise<Database | undefined> {
  const [{ planStored }, { toPlannedLists }, { layOver }, { isOpenRelease }] = await Promise.all([
    import('./read-draft.ts'),
    import('./planned-rows.ts'),
    import('./overlay.ts'),
    import('../release-view.ts'),
  ])
  const found = await planStored(database, scope, release)
  if (!found || !isOpenRelease(found.stored)) return undefined
  return layOver(database, scope, toPlannedLists(found.plan))
}

/** Opens the catalogues of releases. The code for it is loaded with the first of them. */
const createPlannedCatalogues = (c: Context<Env>): PlannedCatalogues => ({
  async openLink(merchantId, value) {
    const { readReleaseLink } = await import('./release-link.ts')
    const link = await readReleaseLink(c.env, merchantId, value)
    if (!link) return undefined
    const { testMode, at, release } = link
    const stored = merchantDatabase(c.env, { merchantId, home: undefined })
    const database = await openRelease(stored, { merchantId, testMode }, release)
    return database && { database, testMode, at }
  },
  async openDraft(scope, draft) {
    const { openStoredDraft } = await import('./stored-drafts.ts')
    return openStoredDraft(
      c.env,
      merchantDatabase(c.env, { merchantId: scope.merchantId, home: undefined }),
      scope,
      draft,
    )
  },
  async openPast(scope, at) {
    const { openPast } = await import('../past/open-past.ts')
    return openPast(merchantDatabase(c.env, { merchantId: scope.merchantId, home: undefined }), scope, at)
  },
  open: (release) => openRelease(c.var.database, c.var.scope, release),
})

/** Lets a request see a release that it names. */
export const plannedCatalogues: MiddlewareHandler<Env> = async (c, next) => {
  c.set('planned', createPlannedCatalogues(c))
  await next()
}
