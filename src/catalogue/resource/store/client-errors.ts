import { getColumn } from '../../../platform/db/database.ts'
import { ConstraintError, getConstraintSubject } from '../../../platform/db/database-errors.ts'
import { ApiError, type Issue, invalid } from '../../../platform/errors.ts'
import type { Caller } from '../caller.ts'
import type { Draft, ResourceDefinition } from '../definition.ts'
import { externalIdTaken, isExternalIdTaken } from '../external-ids.ts'
import { findDangling, type Store } from './store.ts'

/** Whether a statement undid the transaction through `version`: a lost race, an unmet condition or an exceeded limit. */
export const violatesVersion = ({ table }: ResourceDefinition, error: unknown): boolean =>
  error instanceof ConstraintError && error.subject === getConstraintSubject(table.version)

/** The problem of a value that another object of the merchant's mode has, if a constraint on unique fields failed. */
export function getDuplicateProblem(
  { name, table, uniqueFields }: ResourceDefinition,
  { subject }: ConstraintError,
): ApiError | undefined {
  const fields = Object.entries(uniqueFields).flatMap(([column, field]) =>
    subject.includes(getConstraintSubject(getColumn(table, column))) ? [field] : [],
  )
  if (fields.length === 0) return undefined
  const message = `is that of another ${name}`
  const issues = fields.map((field): Issue => ({ pointer: `/${field}`, code: 'duplicate', message }))
  return new ApiError('conflict', `Another ${name} has the same ${fields.join(' and ')}.`, issues)
}

/** Throws the problem of a rejected write. Returns if the client is not the cause and the write can be repeated. */
export async function throwClientError(store: Store, caller: Caller, error: unknown, draft: Draft): Promise<void> {
  if (!(error instanceof ConstraintError) || error.kind === 'check') throw error
  const { resource } = store
  const missing = await findDangling(store, caller, draft)
  if (missing.length > 0) throw invalid(missing)
  if (isExternalIdTaken(error)) throw externalIdTaken(resource)
  if (error.kind === 'unique') throw getDuplicateProblem(resource, error) ?? error
}

/** The problem of a create beyond the limit of objects in a mode. */
export const tooMany = ({ path }: ResourceDefinition, max: number) =>
  new ApiError('too_many', `A merchant can have ${max} ${path} in each mode. Delete one first.`)
