import { ne } from 'drizzle-orm'
import { Hono } from 'hono'
import { hasScope } from '../../../platform/auth/authenticate.ts'
import { allOf } from '../../../platform/db/database.ts'
import { importTable } from '../../../platform/db/schema/imports/imports.ts'
import { commit } from '../../../platform/db/transaction.ts'
import { type Env, getActor } from '../../../platform/http/context.ts'
import { idempotent } from '../../../platform/http/idempotency.ts'
import { createPageStatements, readPage } from '../../../platform/http/keyset-list.ts'
import { nextLink, pageQuery } from '../../../platform/http/pagination.ts'
import { query } from '../../../platform/http/validation.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import { enqueueImport } from '../enqueue-import.ts'
import { getResources, type StoredImport, toImportView } from '../import-view.ts'
import { chunkStatements } from '../statements/chunk-statements.ts'
import { importFields, importStatements, isImportInScope } from '../statements/import-statements.ts'
import { applyRoutes } from './apply-routes.ts'
import { deletionRoutes } from './deletion-routes.ts'
import { findImport, readFirstRows, stateConflict } from './find-import.ts'
import { issueRoutes } from './issue-routes.ts'
import { previewRoutes } from './preview-routes.ts'
import { uploadRoutes } from './upload-routes.ts'

const pages = createPageStatements(importFields, allOf(isImportInScope, ne(importTable.state, 'uploading')))

/** Accepts files, lists imports and their issues, applies and cancels imports. */
export const importRoutes = new Hono<Env>()
  .get('/', query(pageQuery), async (c) => {
    const { database, scope, grantedScopes } = c.var
    const list = scope.testMode ? 'imports of tests' : 'imports'
    const { items, next } = await readPage(database, pages, list, { ...scope }, c.req.valid('query'))
    const isVisible = (stored: StoredImport) =>
      getResources(stored).every((path) => hasScope(grantedScopes, `${path}:read`))
    if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
    return c.json(
      items.filter(isVisible).map((stored) => toImportView(stored)),
      200,
    )
  })
  .get('/:id', async (c) => {
    const found = await findImport(c, c.req.param('id'), 'read')
    return c.json(toImportView(found, await readFirstRows(c.var, found)), 200)
  })
  .route('/', applyRoutes)
  .post('/:id/cancel', idempotent, async (c) => {
    const found = await findImport(c, c.req.param('id'), 'write')
    if (found.state === 'cancelled') return c.json(toImportView(found), 200)
    const actor = getActor(c)
    const { database, scope } = actor
    const values = { ...scope, import: found.id, now: nowInSeconds() }
    const [cancelled] = await commit(actor, { operation: 'imports.cancel', object: found.id }, [
      [importStatements.cancel(), values],
    ])
    database.usePrimary()
    const current = await findImport(c, found.id, 'write')
    if (cancelled.length === 0 && current.state !== 'cancelled') throw stateConflict(current, 'cancelled')
    const [, [next]] = await database.run(
      [chunkStatements.removeSound(), values],
      [importStatements.findFirst(), values],
    )
    if (next)
      c.executionCtx.waitUntil(
        enqueueImport(c.env, { merchant: scope.merchantId, testMode: next.testMode, import: next.id }),
      )
    return c.json(toImportView(current), 200)
  })
  .route('/', deletionRoutes)
  .route('/', issueRoutes)
  .route('/', previewRoutes)
  .route('/', uploadRoutes)
