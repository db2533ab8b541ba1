import type { Statement, Values } from '../../../platform/db/database.ts'
import { ConstraintError, getConstraintSubject } from '../../../platform/db/database-errors.ts'
import { eventTable } from '../../../platform/db/schema/events.ts'
import { ApiError, notFound, UnavailableError } from '../../../platform/errors.ts'
import { isPreconditionMet, type Precondition, preconditionFailed } from '../../../platform/http/etag.ts'
import type { Caller } from '../caller.ts'
import { recordTitled } from '../deleted/title.ts'
import { busy, maxWriteAttempts, pauseAfter } from '../object-lock.ts'
import { spansBothModes } from '../plan.ts'
import type { ReadObject } from '../row-mapping.ts'
import { createChangeValues, findRow, guard, readState, type Store, write } from './store.ts'

/** Deletes the object with an external id. */
export async function removeByExternalId<Item extends object>(
  store: Store<Item>,
  caller: Caller,
  externalId: string,
  condition?: Precondition,
): Promise<ReadObject<Item>> {
  // A replica may return an outdated id for the external id.
  caller.database.usePrimary()
  for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
    const row = await findRow(store, caller, { externalId })
    if (!row) throw notFound()
    const { id, version } = store.mapping.readAsFarAsPossible(row)
    if (condition && !isPreconditionMet(condition, readState(store, row))) throw preconditionFailed()
    try {
      // A new version may have another external id.
      return await removeObject(store, caller, id, { states: [{ version }], wanted: true })
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'precondition_failed')) throw error
      await pauseAfter(attempt)
    }
  }
  throw busy()
}

/** Whether too many objects name the deleted one: see `limitVersion`. */
const violatesEventVersion = (error: unknown) =>
  error instanceof ConstraintError && error.subject === getConstraintSubject(eventTable.version)

/** Deletes an object, even if it or an object that refers to it is damaged. Returns the deleted object. */
export async function removeObject<Item extends object>(
  store: Store<Item>,
  caller: Caller,
  id: string,
  condition?: Precondition,
): Promise<ReadObject<Item>> {
  const { resource, statements, mapping } = store
  const { scope, database } = caller
  const bothModes = spansBothModes(resource, scope)
  const values = createChangeValues(caller, { id }, Date.now())
  const operation = { operation: `${resource.path}.delete`, object: id, record: recordTitled(resource) }
  const remove = async (prune: readonly Statement[], raise: Statement) => {
    const deletion = [
      raise,
      ...prune,
      ...resource.hooks.extraStatements(undefined, undefined),
      statements.remove(bothModes),
    ]
    const change = [
      ...(condition ? [guard(store, scope, id, condition)] : []),
      ...deletion.map((statement): [Statement, Values] => [statement, values]),
    ]
    return (await write(resource, caller, operation, values, change))[change.length - 1] ?? []
  }
  const hide = async () => {
    const { createHiding } = await import('../pruning/hide-statements.ts')
    const guards = condition ? [guard(store, scope, id, condition)] : []
    const hiding = createHiding(resource).map((statement): [Statement, Values] => [statement, values])
    const rows = (await write(resource, caller, operation, values, [...guards, ...hiding]))[guards.length] ?? []
    if (rows.length > 0) caller.continuePruning()
    return rows
  }
  const [row] = await remove(statements.prune(), statements.insertEvent.deleted(bothModes))
    .catch((error: unknown) => {
      if (error instanceof ConstraintError || error instanceof UnavailableError) throw error
      // SQLite cannot parse the JSON that the deletion changes or records.
      return remove(statements.pruneDamaged(), statements.insertEvent.deletedDamaged(bothModes))
    })
    .catch((error: unknown) => {
      if (violatesEventVersion(error)) return hide()
      throw error
    })
    .catch((error: unknown) => {
      throw condition && error instanceof ConstraintError && error.kind === 'not_null' ? preconditionFailed() : error
    })
  if (!row) throw notFound()
  const removed = mapping.readAsFarAsPossible(row)
  if (removed.damaged) database.report([removed.damaged.damage])
  return removed
}
