import { Hono } from 'hono'
import * as z from 'zod/mini'
import { requireAssertion } from '../../../platform/auth/assertion.ts'
import { restoreStates } from '../../../platform/db/schema/directory/backups.ts'
import { invalid, notFound } from '../../../platform/errors.ts'
import { type Env, getMerchantId } from '../../../platform/http/context.ts'
import * as field from '../../../platform/http/fields.ts'
import { idempotent } from '../../../platform/http/idempotency.ts'
import { jsonBody } from '../../../platform/http/request-body.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import { findRestore, type Restore } from './open-restore.ts'
import type { ContinuedRestore } from './run-restore.ts'

/** Body of a restore. */
export const restoreBody = z.strictObject({
  takenAt: field.count.check(z.describe('Identifies the backup.')),
  replace: z
    .nullish(field.boolean)
    .check(
      z.describe(
        'Must be `true` if the merchant exists, because its data is replaced. The data is backed up first. Default: `false`.',
      ),
    ),
})
const restoreRules = { schema: restoreBody, partial: z.partial(restoreBody), readOnly: new Set<string>() }

/** A restore in responses. */
export const restoreView = z.object({
  takenAt: z.int().check(z.describe('Identifies the backup.')),
  state: z
    .enum([...restoreStates, 'failed'])
    .check(
      z.describe(
        '`saving`: the data before the restore is backed up. `deleting`: it is deleted. `loading`: the rows of the backup are inserted. `done`: the merchant is restored. `failed`: the backup could not be loaded, and the merchant has its previous data.',
      ),
    ),
  startedAt: z.int().check(z.describe('Time of the start, in seconds since 1970-01-01 UTC.')),
  waitSeconds: z
    .optional(z.int())
    .check(z.describe('Time to wait before the next request, in seconds: until every isolate rejects the keys.')),
  savedAt: z.optional(z.int()).check(z.describe('Identifies the backup of the data before the restore.')),
  rows: z.int().check(z.describe('Number of loaded rows.')),
  totalRows: z.optional(z.int()).check(z.describe('Number of rows of the backup to load.')),
  reason: z
    .optional(z.string())
    .check(
      z.describe(
        'Why the backup could not be loaded. The previous data is then loaded again. If the merchant had been deleted, the loaded rows are deleted.',
      ),
    ),
  omitted: z
    .record(z.string(), z.int())
    .check(
      z.describe('Number of rows that were left out, by table: pictures without files, and rows without their object.'),
    ),
  keptSettings: z
    .optional(z.array(z.string()))
    .check(
      z.describe(
        'Settings that a backup of an earlier release does not contain. They keep their values. Only in the response that ends the restore.',
      ),
    ),
  finishedAt: z.optional(z.int()).check(z.describe('Time of the end, in seconds since 1970-01-01 UTC.')),
})

/** `at` is the time of the request, in seconds, so that a response that is built twice is equal both times. */
function toView(
  {
    takenAt,
    state,
    startedAt,
    settledAt,
    savedAt,
    lines,
    omitted,
    finishedAt,
    total,
    reason,
    ...more
  }: ContinuedRestore,
  at = nowInSeconds(),
) {
  const waitSeconds = state === 'saving' && settledAt > at ? settledAt - at : undefined
  const view = {
    takenAt,
    state: state === 'done' && reason !== null ? 'failed' : state,
    startedAt,
    savedAt: savedAt ?? undefined,
    rows: lines,
    totalRows: total ?? undefined,
    reason: reason ?? undefined,
    omitted,
    keptSettings: more.keptSettings,
    finishedAt: finishedAt ?? undefined,
  }
  return restoreView.parse({ ...view, waitSeconds })
}

/** Restores of a merchant. Mounted under `/admin/merchants/:merchantId/restore`. */
export const restoreRoutes = new Hono<Env>()
  .get('/', async (c) => {
    const restore = await findRestore(c.var.database, getMerchantId(c))
    if (!restore) throw notFound()
    return c.json(toView(restore), 200)
  })
  // Can restore the keys of a deleted merchant.
  .post('/', requireAssertion, jsonBody(restoreRules), idempotent, async (c) => {
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const { startRestore } = await import('./run-restore.ts')
    const toResponse = (restore: Restore) => c.json(toView(restore, restore.startedAt), 200)
    return startRestore(c, getMerchantId(c), restoreBody.parse(patch), toResponse)
  })
  .post('/continue', requireAssertion, idempotent, async (c) => {
    const { continueRestore } = await import('./run-restore.ts')
    return c.json(toView(await continueRestore(c, getMerchantId(c))), 200)
  })
