import type { Database } from '../../../platform/db/database.ts'
import type { Row } from '../../../platform/db/row.ts'
import type { Scope } from '../../../platform/db/scope.ts'
import { toIfMatch } from '../../../platform/http/etag.ts'
import { listDeletable, readPlanned, type StoredImport } from '../import-view.ts'
import { getMissingPrefix } from '../live/live-origin.ts'
import { importStatements } from '../statements/import-statements.ts'
import { getMissingStatements } from '../statements/missing-statements.ts'
import { createStepValues, runHalving, type StepContext } from './import-step.ts'

/** Number of deletions, and share of the objects with an external id, above which somebody must confirm them. */
const confirmation = { objects: 20, share: 0.2 } as const

/** Number of objects that applying an import deletes, and whether these are many. Undefined if it deletes none. */
export async function countMissing(
  { database, scope }: { database: Database; scope: Scope },
  stored: StoredImport,
): Promise<{ count: number; isMany: boolean } | undefined> {
  if (!stored.deleteMissing) return undefined
  if (stored.hasUnreadableRow) return { count: 0, isMany: false }
  const wanted = listDeletable(stored)
  const values = { ...scope, import: stored.id, uploadedAt: stored.createdAt, prefix: getMissingPrefix(stored) }
  const found = await database.run(
    ...wanted.map((resource) => [getMissingStatements(resource).count(scope), { ...values, resource }] as const),
  )
  const counts = found.map(([row]) => ({ missing: Number(row?.['missing']), named: Number(row?.['named']) }))
  const count = counts.reduce((sum, { missing }) => sum + missing, 0)
  const isMany =
    count > confirmation.objects || counts.some(({ missing, named }) => missing > named * confirmation.share)
  return { count, isMany }
}

/** Maximum number of objects that an import deletes: the number that was confirmed, or with `mapping=auto` the number that was shown. */
const getMaximum = (stored: StoredImport): number =>
  stored.confirmDeletes ??
  (stored.mapping === 'auto' ? readPlanned(stored).deletes : undefined) ??
  Number.POSITIVE_INFINITY

/**
 * Deletes the next objects that the file does not name. While objects are deleted, `nextChunk` is the index of their resource. Returns false if none
 * are left, or if as many as were confirmed are deleted. Does not count objects that another request deletes at the same time.
 */
export async function deleteMissing(context: StepContext): Promise<boolean> {
  const { caller, stored, runBatch } = context
  const { database, scope } = caller
  const values = createStepValues(context)
  const limit = Math.min(context.maxRows, getMaximum(stored) - stored.deleted)
  if (limit <= 0) return false
  for (const [index, resource] of listDeletable(stored).entries()) {
    if (stored.deleting && index < stored.nextChunk) continue
    const wanted = { ...values, resource, uploadedAt: stored.createdAt, limit, prefix: getMissingPrefix(stored) }
    const [missing = []] = await database.run([getMissingStatements(resource).find(scope), wanted])
    if (missing.length === 0) continue
    const next = { nextChunk: index, nextRow: 0, deleting: true, hasDetails: false, outcomes: stored.outcomes }
    const counts = { applied: 0, created: 0, updated: 0, unchanged: 0, failed: 0 }
    const remove = async (objects: readonly Row[], failures: number) => {
      const operations = objects.map(({ id, version }) => ({
        op: 'delete' as const,
        resource,
        id: String(id),
        ifMatch: toIfMatch(Number(version)),
      }))
      await runBatch(caller, operations, {
        finish: (results) => {
          const deleted = results.filter(({ outcome }) => outcome === 'deleted').length
          return [[importStatements.advanceApply(), { ...values, ...counts, ...next, failures, deleted }]]
        },
      })
    }
    await runHalving(stored, missing, remove, (_, error) => Promise.reject(error))
    return true
  }
  return false
}
