import { desc, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { type Caller, createCaller } from '../../../catalogue/resource/caller.ts'
import { requireRights } from '../../../platform/auth/authenticate.ts'
import { allOf, lazy } from '../../../platform/db/database.ts'
import { db, typed } from '../../../platform/db/query.ts'
import { importTable as table } from '../../../platform/db/schema/imports/imports.ts'
import { commit } from '../../../platform/db/transaction.ts'
import { ApiError, invalid, notFound } from '../../../platform/errors.ts'
import { largeWork } from '../../../platform/http/bodies/byte-budget.ts'
import type { Env } from '../../../platform/http/context.ts'
import { idempotent } from '../../../platform/http/idempotency.ts'
import { jsonBody } from '../../../platform/http/request-body.ts'
import { enqueueImport } from '../enqueue-import.ts'
import { uploadMemory } from '../import-limits.ts'
import { type StoredImport, toImportView } from '../import-view.ts'
import { createImport, insertImport, tooManyImports } from '../routes/upload-routes.ts'
import { chunkStatements } from '../statements/chunk-statements.ts'
import { importFields, importStatements, isImportInScope } from '../statements/import-statements.ts'
import { storeUpload } from '../upload/store-upload.ts'
import { copiedPaths, readLive } from './read-live.ts'
import { testDataFields } from './test-data-fields.ts'

const rules = { schema: testDataFields, partial: z.partial(testDataFields), readOnly: new Set<string>() }

/** The last copy of live data. */
const findLast = lazy(() =>
  typed(importFields, (select) =>
    db
      .select(select)
      .from(table)
      .where(allOf(isImportInScope, sql`${table.mapping} = 'live' and ${table.state} <> 'uploading'`))
      .orderBy(desc(table.id))
      .limit(1),
  ),
)

const inTestMode = (caller: Caller): Caller => ({ ...caller, scope: { ...caller.scope, testMode: true } })

/** Reads the live objects into the chunks of an import of test mode. */
async function copyLive(live: Caller, started: StoredImport, respond: (copy: StoredImport) => Response) {
  const caller = inTestMode(live)
  const { merchantId } = caller.scope
  const values = { ...caller.scope, import: started.id }
  const [reading, writing] = [largeWork.open(merchantId), largeWork.open(merchantId)]
  try {
    await writing.hold(uploadMemory.base)
    const summary = await storeUpload({
      format: 'jsonl',
      match: 'externalId',
      resource: undefined,
      importId: started.id,
      merchantId,
      testMode: true,
      lease: writing,
      body: readLive(live, reading),
      run: (writes) => caller.database.run(...writes),
    })
    if (summary.rows === 0) throw new ApiError('conflict', 'The catalogue of live mode is empty.')
    const { hasUnreadableRow, header, delimiter, rows, rest } = summary
    const finished: StoredImport = {
      ...started,
      ...{ state: 'checking', resources: [...copiedPaths], hasUnreadableRow, header: [...header], delimiter, rows },
    }
    const response = respond(finished)
    await commit(caller, { operation: 'imports.create', object: started.id, response }, [
      ...rest,
      [importStatements.finishUpload(), { ...finished, ...values, now: finished.updatedAt }],
    ])
    return response
  } catch (error) {
    await caller.database.run([chunkStatements.removeUpload(), values], [importStatements.removeUpload(), values])
    throw error
  } finally {
    reading.close()
    writing.close()
  }
}

/** Copies the catalogue of live mode into test mode, as an import. A later copy changes and deletes only what an earlier one made. */
export const testDataRoutes = new Hono<Env>()
  .use(async (c, next) => {
    requireRights(c, { testMode: false, scopes: [] })
    await next()
  })
  .get('/', async (c) => {
    const { database, scope } = c.var
    // Somebody who has just started a copy asks for its progress.
    database.usePrimary()
    const [[copy]] = await database.run([findLast(), { ...scope, testMode: true }])
    if (!copy) throw notFound()
    return c.json(toImportView(copy), 200)
  })
  .post('/', jsonBody(rules), idempotent, async (c) => {
    const { issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const live = { ...createCaller(c), scope: { ...c.var.scope, testMode: false } }
    const caller = inTestMode(live)
    const query = { match: 'externalId', delete: 'missing', apply: true } as const
    const started: StoredImport = { ...createImport(caller, 'jsonl', query), mapping: 'live' }
    if (!(await insertImport(caller, started))) throw tooManyImports()
    const respond = (copy: StoredImport) => c.json(toImportView(copy), 202, { Location: c.req.path })
    const response = await copyLive(live, started, respond)
    const message = { merchant: caller.scope.merchantId, testMode: true, import: started.id }
    c.executionCtx.waitUntil(enqueueImport(c.env, message))
    return response
  })
