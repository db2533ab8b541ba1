import { getDuplicateProblem, tooMany } from '../../../catalogue/resource/store/client-errors.ts'
import { getColumn } from '../../../platform/db/database.ts'
import { ConstraintError, getConstraintSubject } from '../../../platform/db/database-errors.ts'
import { type BatchResource, batchResources } from '../batch-resource.ts'
import type { Found, FoundObjects } from './find-objects.ts'
import type { Step } from './operation-step.ts'

/** The row that an operation writes. */
const getRow = ({ created, change }: Step) => created?.row ?? change?.row

/** Fails operations that set a value which another object has after the batch. If two operations set the same value, the second fails. */
function failDuplicates({ resource }: BatchResource, steps: readonly Step[], { holders }: FoundObjects): boolean {
  let isChanged = false
  for (const column of Object.keys(resource.uniqueFields)) {
    const owners = new Map(holders.get(column))
    for (const { kind, id, change, problem } of steps) {
      const isReleased = kind === 'delete' || change?.changed.includes(column)
      if (problem || !isReleased) continue
      for (const [value, owner] of owners) if (owner === id) owners.delete(value)
    }
    for (const step of steps) {
      const row = getRow(step)
      if (step.problem || !row || (step.change && !step.change.changed.includes(column))) continue
      const value = String(row[column])
      const owner = owners.get(value)
      if (owner === undefined || owner === step.id) {
        owners.set(value, step.id)
        continue
      }
      const subject = getConstraintSubject(getColumn(resource.table, column))
      step.problem = getDuplicateProblem(resource, new ConstraintError('unique', subject))
      isChanged = true
    }
  }
  return isChanged
}

/** Fails creates beyond the limit of objects in a mode. */
function failExcess({ resource }: BatchResource, steps: readonly Step[], { count }: FoundObjects): boolean {
  const { maxPerMode } = resource
  if (maxPerMode === undefined) return false
  const sound = steps.filter(({ problem }) => !problem)
  const deleted = sound.filter(({ kind }) => kind === 'delete').length
  const excess = sound.filter(({ kind }) => kind === 'create').slice(Math.max(maxPerMode - count + deleted, 0))
  for (const step of excess) step.problem = tooMany(resource, maxPerMode)
  return excess.length > 0
}

const orderOf = ({ operation: { op } }: Step) => (op === 'delete' ? 0 : op === 'update' ? 2 : 1)

/**
 * Fails operations that conflict with the state of other objects after the batch. Returns whether any operation failed: dependent operations then
 * fail too, and values that failed operations would have released stay in use.
 */
export function settleConflicts(steps: readonly Step[], found: Found): boolean {
  const ordered = steps.toSorted((a, b) => orderOf(a) - orderOf(b))
  return batchResources
    .map((batch) => {
      const own = ordered.filter((step) => step.batch === batch)
      const objects = found.get(batch.resource.path)
      if (own.length === 0 || !objects) return false
      const [hasDuplicates, hasExcess] = [failDuplicates(batch, own, objects), failExcess(batch, own, objects)]
      return hasDuplicates || hasExcess
    })
    .includes(true)
}
