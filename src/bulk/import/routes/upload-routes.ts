import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { type Caller, createCaller } from '../../../catalogue/resource/caller.ts'
import { requireScopes } from '../../../platform/auth/authenticate.ts'
import { commit, type Write } from '../../../platform/db/transaction.ts'
import { ApiError } from '../../../platform/errors.ts'
import { type Lease, largeWork } from '../../../platform/http/bodies/byte-budget.ts'
import { HashedBody } from '../../../platform/http/bodies/hashed-body.ts'
import { readChunks } from '../../../platform/http/bodies/read-chunks.ts'
import type { Env } from '../../../platform/http/context.ts'
import { idempotent } from '../../../platform/http/idempotency.ts'
import { query } from '../../../platform/http/validation.ts'
import { createId } from '../../../platform/lib/ids.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import { enqueueImport } from '../enqueue-import.ts'
import { chunksPerReading, importLimits, uploadMemory } from '../import-limits.ts'
import { type StoredImport, toImportView } from '../import-view.ts'
import { chunkStatements } from '../statements/chunk-statements.ts'
import { importStatements } from '../statements/import-statements.ts'
import { getFormat, type ImportQuery, importQuery, requireConsistentQuery } from '../upload/import-query.ts'
import { requireFileSize } from '../upload/read-text.ts'
import { listWriteScopes } from './find-import.ts'

/** Checks type and size of the file. An `Idempotency-Key` covers the file, which is hashed while it is read. */
const requireFile: MiddlewareHandler<Env> = async (c, next) => {
  if (c.req.query('mapping') !== 'auto') getFormat(c.req.raw)
  requireFileSize(c.req.raw, importLimits.fileBytes)
  if (c.req.header('idempotency-key') !== undefined) {
    c.set('hashedBody', new HashedBody(() => readChunks(c), importLimits.fileBytes))
  }
  await next()
}

/** An import whose file is being read. */
export function createImport(caller: Caller, format: StoredImport['format'], query: ImportQuery): StoredImport {
  const now = nowInSeconds()
  const isAuto = query.mapping === 'auto'
  // The first mapping of a file has the number 1.
  const revision = isAuto ? 1 : 0
  return {
    ...caller.scope,
    id: createId('imp'),
    resource: query.resource ?? null,
    resources: [],
    format,
    match: query.match ?? (isAuto ? 'auto' : 'externalId'),
    ...{ mapping: query.mapping ?? 'strict', reading: null, revision, planned: {} },
    keepExisting: query.existing === 'keep',
    deleteMissing: query.delete === 'missing',
    setCounters: query.counters === 'set',
    confirmDeletes: query.confirmDeletes ?? null,
    differing: {},
    outcomes: {},
    autoApply: query.apply === true,
    state: 'uploading',
    broken: false,
    hasUnreadableRow: false,
    header: null,
    delimiter: null,
    rows: 0,
    checked: 0,
    applied: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    deleted: 0,
    failed: 0,
    step: 0,
    nextChunk: revision * chunksPerReading,
    nextRow: 0,
    deleting: false,
    deletedThrough: 0,
    detailsState: 'none',
    detailsPass: 'first',
    failures: 0,
    failedAt: 0,
    actor: caller.actor,
    requestId: caller.requestId ?? null,
    baseUrl: caller.renderContext.baseUrl ?? null,
    ownHosts: caller.validationContext.ownHosts,
    queuedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** Reads the file. `run` runs the statements that insert its chunks. Throws if the key lacks a scope for a resource in the file. */
async function readFile(
  c: Context<Env>,
  stored: StoredImport,
  { resource, menu, sheet }: ImportQuery,
  lease: Lease,
  run: (writes: Write) => Promise<unknown>,
) {
  const { id: importId, format, match, ...started } = stored
  const body = c.var.hashedBody?.chunks() ?? readChunks(c)
  if (match === 'auto' || started.mapping === 'auto') {
    const { storeAutoUpload } = await import('../auto/store-auto-upload.ts')
    const choices = menu === undefined ? {} : { menu: menu === 'none' ? ('none' as const) : { title: menu } }
    const file = await storeAutoUpload({
      started: stored,
      chunks: body,
      choices,
      sheet,
      caller: createCaller(c),
      grantedScopes: c.var.grantedScopes,
      lease,
      run,
    })
    requireScopes(c.var.grantedScopes, listWriteScopes(file.resources, started))
    return { ...file, broken: false, rest: [], issues: [] }
  }
  const { storeUpload } = await import('../upload/store-upload.ts')
  const { merchantId, testMode } = started
  const summary = await storeUpload({ format, resource, importId, lease, run, match, merchantId, testMode, body })
  const resources = [...summary.resources]
  requireScopes(c.var.grantedScopes, listWriteScopes(resources, started))
  const state = 'checking' as const
  return {
    ...summary,
    header: [...summary.header],
    resources,
    state,
    format,
    reading: null,
    samples: [],
    broken: summary.issues.length > 0,
  }
}

/** Reads the file into chunks, then starts the check. A rejected file is deleted completely. */
async function upload(
  c: Context<Env>,
  caller: Caller,
  started: StoredImport,
  query: ImportQuery,
  lease: Lease,
): Promise<Response> {
  const { database, scope } = caller
  const values = { ...scope, import: started.id }
  try {
    const summary = await readFile(c, started, query, lease, (writes) => database.run(...writes))
    const finished: StoredImport = {
      ...started,
      state: summary.state,
      format: summary.format,
      reading: summary.reading,
      resources: summary.resources,
      broken: summary.broken,
      hasUnreadableRow: summary.hasUnreadableRow,
      header: summary.header,
      delimiter: summary.delimiter,
      rows: summary.rows,
    }
    const response = c.json(toImportView(finished, summary.samples), 202, { Location: `${c.req.path}/${started.id}` })
    await commit(caller, { operation: 'imports.create', object: started.id, response }, [
      ...summary.rest,
      [chunkStatements.insertIssues(), { ...values, issues: JSON.stringify(summary.issues) }],
      [importStatements.finishUpload(), { ...finished, ...values, now: finished.updatedAt }],
    ])
    return response
  } catch (error) {
    // If only the response of the last transaction was lost, the import stays: its Idempotency-Key returns it.
    await database.run([chunkStatements.removeUpload(), values], [importStatements.removeUpload(), values])
    throw error
  }
}

/** Inserts an import. Returns false if the merchant has too many unfinished imports. */
export async function insertImport({ database, scope }: Caller, started: StoredImport): Promise<boolean> {
  const [[open]] = await database.run(
    [importStatements.countOpen(), { ...scope }],
    [importStatements.insert(), { ...started }],
  )
  if ((open?.count ?? 0) < importLimits.openImports) return true
  await database.run([importStatements.removeUpload(), { ...scope, import: started.id }])
  return false
}

/** The problem of one more import than a merchant can have unfinished. */
export const tooManyImports = () =>
  new ApiError(
    'too_many',
    `A merchant can have ${importLimits.openImports} imports that are not finished. Apply or cancel one first.`,
  )

/** Accepts files to import. */
export const uploadRoutes = new Hono<Env>().post('/', requireFile, query(importQuery), idempotent, async (c) => {
  const query = c.req.valid('query')
  const format = query.mapping === 'auto' ? undefined : getFormat(c.req.raw)
  requireConsistentQuery(format, query)
  const caller = createCaller(c)
  const { scope } = caller
  const started = createImport(caller, format ?? 'jsonl', query)
  if (query.resource) requireScopes(c.var.grantedScopes, listWriteScopes([query.resource], started))
  const lease = largeWork.open(scope.merchantId)
  try {
    await lease.hold(uploadMemory.base)
    if (!(await insertImport(caller, started))) {
      // The required scopes depend on the file. They are checked before a stored response can replace the rejection.
      if (!query.resource) await readFile(c, started, query, lease, () => Promise.resolve())
      throw tooManyImports()
    }
    const response = await upload(c, caller, started, query, lease)
    const message = { merchant: scope.merchantId, testMode: scope.testMode, import: started.id }
    c.executionCtx.waitUntil(enqueueImport(c.env, message))
    return response
  } finally {
    lease.close()
  }
})
