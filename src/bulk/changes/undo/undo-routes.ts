import { Hono, type MiddlewareHandler } from 'hono'
import * as z from 'zod/mini'
import { createCaller } from '../../../catalogue/resource/caller.ts'
import type { Env } from '../../../platform/http/context.ts'
import { booleanFilter } from '../../../platform/http/fields/query-parameters.ts'
import { idempotent } from '../../../platform/http/idempotency.ts'
import { query } from '../../../platform/http/validation.ts'
import { writeTagChanges } from '../../../storefront/tags/kv-sync.ts'
import { enqueueUndo } from './overdue-undos.ts'
import { undoChangeSet } from './start-undo.ts'
import { toUndoPlanView, toUndoView } from './undo-view.ts'

export const undoQuery = z.strictObject({
  dryRun: booleanFilter.check(z.describe('Whether to return what the undo would change, without changing anything.')),
})

/** Dry runs ignore `Idempotency-Key`. */
const readDryRun: MiddlewareHandler<Env> = async (c, next) => {
  c.set('ignoresIdempotencyKey', /^(?:true|1)$/.test(c.req.query('dryRun') ?? ''))
  await next()
}

/** Undoes change sets. Repeated requests are safe, because a second undo has the result of the first one. */
export const undoRoutes = new Hono<Env>().post('/:id/undo', query(undoQuery), readDryRun, idempotent, async (c) => {
  const { dryRun = false } = c.req.valid('query')
  const { scope, grantedScopes } = c.var
  const id = c.req.param('id')
  const result = await undoChangeSet(createCaller(c), grantedScopes, id, {
    dryRun,
    onTagChanges: (changes) => writeTagChanges(c.env, c.executionCtx, scope.merchantId, changes),
  })
  if (result.kind === 'planned') return c.json(toUndoPlanView(id, result.outcome, grantedScopes), 200)
  const { stored } = result
  if (!stored.progress) return c.json(toUndoView(stored, grantedScopes), 200)
  c.executionCtx.waitUntil(
    enqueueUndo(c.env, { merchant: scope.merchantId, testMode: scope.testMode, undo: stored.id }),
  )
  return c.json(toUndoView(stored, grantedScopes), 202)
})
