import type { Row } from '../../../platform/db/row.ts'
import { toIfMatch } from '../../../platform/http/etag.ts'
import { chunkLimits } from '../import-limits.ts'
import { getResources } from '../import-view.ts'
import { importStatements } from '../statements/import-statements.ts'
import { findMissing } from '../statements/missing-statements.ts'
import { createStepValues, runHalving, type StepContext } from './step.ts'

/**
 * Deletes the next objects that the file does not name. While objects are deleted, `nextChunk` is the index of their resource. Returns
 * false if none are left. Objects that another request deletes meanwhile are not counted.
 */
export async function deleteMissing(context: StepContext): Promise<boolean> {
  const { caller, stored, runBatch } = context
  const { database, scope } = caller
  const values = createStepValues(context)
  for (const [index, resource] of getResources(stored).entries()) {
    if (stored.deleting && index < stored.nextChunk) continue
    const wanted = { ...values, resource, uploadedAt: stored.createdAt, limit: chunkLimits.rows }
    const [missing] = await database.run([findMissing(resource, scope), wanted])
    if (missing.length === 0) continue
    const next = { nextChunk: index, nextRow: 0, deleting: true, hasDetails: false }
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
