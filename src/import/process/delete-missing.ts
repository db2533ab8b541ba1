import { chunkLimits } from '../import-limits.ts'
import { getResources } from '../import-view.ts'
import { importStatements } from '../statements/import-statements.ts'
import { findMissing } from '../statements/missing-statements.ts'
import { createStepValues, type StepContext } from './step.ts'

/**
 * Deletes the next objects that the file does not name. While objects are deleted, `nextChunk` is the index of their resource. Returns
 * false if none are left.
 */
export async function deleteMissing(context: StepContext): Promise<boolean> {
  const { caller, stored, runBatch } = context
  const { database, scope } = caller
  const resources = getResources(stored)
  const values = createStepValues(context)
  const start = stored.deleting
    ? { index: stored.nextChunk, deletedThrough: stored.deletedThrough }
    : { index: 0, deletedThrough: 0 }
  for (let { index, deletedThrough } = start; index < resources.length; index++, deletedThrough = 0) {
    const resource = resources[index]
    if (resource === undefined) return false
    const wanted = { ...values, resource, deletedThrough, uploadedAt: stored.createdAt, limit: chunkLimits.rows }
    const [missing] = await database.run([findMissing(resource, scope), wanted])
    if (missing.length === 0) continue
    const operations = missing.map(({ id }) => ({ op: 'delete' as const, resource, id: String(id) }))
    await runBatch(caller, operations, {
      finish: (results) => {
        const deleted = results.filter(({ outcome }) => outcome === 'deleted').length
        // A move of the merchant gives rows other numbers: the cursor skips only what cannot be deleted.
        const isAllDeleted = deleted === missing.length
        const unchanged = { applied: 0, created: 0, updated: 0, unchanged: 0, failed: 0 }
        const next = {
          nextChunk: index,
          nextRow: 0,
          deleting: true,
          hasDetails: false,
          deletedThrough: isAllDeleted ? deletedThrough : Number(missing.at(-1)?.['seq']),
        }
        return [[importStatements.advanceApply(), { ...values, ...unchanged, ...next, deleted }]]
      },
    })
    return true
  }
  return false
}
