import { Hono } from 'hono'
import * as z from 'zod/mini'
import { requireScopes } from '../../../platform/auth/authenticate.ts'
import { commit } from '../../../platform/db/transaction.ts'
import { ApiError, invalid } from '../../../platform/errors.ts'
import { type Env, getActor } from '../../../platform/http/context.ts'
import { idempotent } from '../../../platform/http/idempotency.ts'
import { optionalJsonBody } from '../../../platform/http/request-body.ts'
import { enqueueImport } from '../enqueue-import.ts'
import { getResources, isAbandoned, needsConfirmation, type StoredImport, toImportView } from '../import-view.ts'
import { countMissing } from '../process/delete-missing.ts'
import { importStatements } from '../statements/import-statements.ts'
import { findImport, listWriteScopes, mappingChanged, stateConflict } from './find-import.ts'

/** Body of a request to apply an import. */
export const applyFields = z.strictObject({
  confirmDeletes: z
    .optional(z.int().check(z.minimum(0)))
    .check(z.describe('Maximum number of objects to delete. Default: as in the upload.')),
  revision: z
    .optional(z.int())
    .check(
      z.describe(
        'Revision that was shown to the person who applies. If somebody else has mapped the import since, the request fails.',
      ),
    ),
})
const rules = { schema: applyFields, partial: applyFields, readOnly: new Set<string>() }

const questionsOpen = () =>
  new ApiError('questions_open', 'The reading of the file has open questions. Answer them with POST …/mapping.')

const confirmRequired = (count: number) =>
  new ApiError('confirm_required', `The import would delete ${count} objects. Confirm this number to apply it.`, [
    { pointer: '/confirmDeletes', code: 'too_small', message: `must be at least ${count}`, count },
  ])

/** The maximum number of deletions to store. Throws `confirm_required` if more objects would be deleted than somebody has confirmed. */
async function confirmDeletions(
  actor: ReturnType<typeof getActor>,
  found: StoredImport,
  given: number | undefined,
): Promise<number | null> {
  const confirmDeletes = given ?? found.confirmDeletes
  const missing = await countMissing(actor, found)
  if (!missing) return confirmDeletes
  if (needsConfirmation({ ...found, confirmDeletes }, missing)) throw confirmRequired(missing.count)
  // Deletes as many objects as were shown, and no further ones: another import may be applied first.
  return confirmDeletes ?? (found.mapping === 'auto' ? missing.count : null)
}

/** Applies imports. */
export const applyRoutes = new Hono<Env>().post('/:id/apply', optionalJsonBody(rules), idempotent, async (c) => {
  const { patch, issues } = c.req.valid('json')
  const found = await findImport(c, c.req.param('id'), 'write')
  if (issues.length > 0) throw invalid(issues)
  const body = applyFields.parse(patch)
  requireScopes(c.var.grantedScopes, listWriteScopes(getResources(found), found))
  if (body.revision !== undefined && body.revision !== found.revision) throw mappingChanged()
  if (found.state === 'asking' && !isAbandoned(found)) throw questionsOpen()
  if (found.state === 'applying' || found.state === 'done') return c.json(toImportView(found), 202)
  if (found.state !== 'ready') throw stateConflict(found, 'applied')
  const [actor, nowMs] = [getActor(c), Date.now()]
  const confirmDeletes = await confirmDeletions(actor, found, body.confirmDeletes)
  const now = Math.floor(nowMs / 1000)
  const applied: StoredImport = { ...found, state: 'applying', confirmDeletes, updatedAt: now }
  const response = c.json(toImportView(applied), 202)
  const { actor: key, requestId, scope } = actor
  const { revision } = found
  const values = { ...scope, import: found.id, actor: key, requestId, nowMs, now, confirmDeletes, revision }
  const [started] = await commit(actor, { operation: 'imports.apply', object: found.id, response }, [
    [importStatements.apply(), values],
  ])
  if (started.length === 0) {
    // Another request has applied, mapped or cancelled it.
    actor.database.usePrimary()
    const current = await findImport(c, found.id, 'write')
    if (current.revision !== revision) throw mappingChanged()
    if (current.state !== 'applying' && current.state !== 'done') throw stateConflict(current, 'applied')
    return c.json(toImportView(current), 202)
  }
  const message = { merchant: scope.merchantId, testMode: scope.testMode, import: found.id }
  c.executionCtx.waitUntil(enqueueImport(c.env, message))
  return response
})
