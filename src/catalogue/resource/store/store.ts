import type { Statement, Values } from '../../../platform/db/database.ts'
import { isUncertain } from '../../../platform/db/database-errors.ts'
import type { Row } from '../../../platform/db/row.ts'
import type { Scope } from '../../../platform/db/scope.ts'
import { getValue } from '../../../platform/db/sql-name.ts'
import { commit, type Operation, type Write } from '../../../platform/db/transaction.ts'
import { type Issue, invalid, unknownReference } from '../../../platform/errors.ts'
import type { ObjectState, Precondition } from '../../../platform/http/etag.ts'
import { isExternalId } from '../../../platform/http/fields.ts'
import { fanOut, toPendingDeliveries } from '../../../platform/outbox/fan-out.ts'
import { type Caller, createEventValues } from '../caller.ts'
import type { Draft, ResourceDefinition } from '../definition.ts'
import { toAuditTitle } from '../deleted/title.ts'
import { spansBothModes } from '../plan.ts'
import { createRowMapping, type RowMapping, type StoredObject } from '../row-mapping.ts'
import { getStatements, type Statements } from '../statements/statements.ts'

/** A resource with what operations on its objects need. */
export interface Store<Item extends object = object> {
  resource: ResourceDefinition<Item>
  mapping: RowMapping<Item>
  statements: Statements
}

/** Creates the store of a resource. All stores of a resource share its statements. */
export const createStore = <Item extends object>(resource: ResourceDefinition<Item>): Store<Item> => ({
  resource,
  mapping: createRowMapping(resource),
  statements: getStatements(resource),
})

/** Creates the response to a change before the change, so that both are stored together. */
export type Respond<Item> = (changed: StoredObject<Item>) => Response | Promise<Response>

/** The parameters that the statements of one change share. */
export const createChangeValues = (
  caller: Caller,
  { id, externalId }: Pick<StoredObject<unknown>, 'id' | 'externalId'>,
  nowMs: number,
) => ({
  ...createEventValues(caller, nowMs),
  id,
  externalId,
  ids: JSON.stringify([id]),
})

/** Names an object: by its id or by its external id. */
export type ObjectKey = { id: string; externalId?: undefined } | { id?: undefined; externalId: string }

/** Reads the row of an object, with its external id, and with its details if they are included. */
export async function findRow(
  { resource, statements }: Store,
  { database, scope }: Caller,
  key: ObjectKey,
  includesDetails = false,
): Promise<Row | undefined> {
  if (key.externalId !== undefined && !isExternalId(key.externalId)) return undefined
  const find = key.externalId === undefined ? statements.find : statements.externalIds.find
  const [rows] = await database.run([find(spansBothModes(resource, scope), includesDetails), { ...scope, ...key }])
  return rows?.[0]
}

/** An issue, with its pointer, for each id that does not exist in the scope. Reads from the primary database, because a replica may be stale. */
export async function findDangling(
  { resource: { references }, statements }: Store,
  { database, scope }: Caller,
  draft: Draft,
): Promise<(Issue & { pointer: string })[]> {
  const wanted = references.map((reference, index) => ({
    named: reference.listIds(draft),
    missing: statements.missing()[index],
  }))
  const checked = wanted.flatMap(({ named, missing }) => (missing && named.length > 0 ? [{ named, missing }] : []))
  if (checked.length === 0) return []
  database.usePrimary()
  const found = await database.run(
    ...checked.map(({ named, missing }): [Statement, Values] => [
      missing,
      { ...scope, ids: JSON.stringify(named.map(({ id }) => id)) },
    ]),
  )
  const missing = new Set(found.flat().map(({ id }) => id))
  return checked
    .flatMap(({ named }) => named.filter(({ id }) => missing.has(id)))
    .map(({ pointer }) => ({ pointer, code: 'not_found', message: unknownReference }))
}

/** Throws the problem of a body with issues, including ids in the draft that do not exist. */
export async function throwInvalid(
  store: Store,
  caller: Caller,
  issues: readonly Issue[],
  draft: Draft,
): Promise<never> {
  const missing = await findDangling(store, caller, draft)
  throw invalid([
    ...issues,
    ...missing.filter(({ pointer }) => !issues.some((issue) => 'pointer' in issue && issue.pointer === pointer)),
  ])
}

/** Runs a change and inserts the deliveries of its events in one transaction. Returns the rows of each statement. */
export async function write(
  { isCopied }: Pick<ResourceDefinition, 'isCopied'>,
  caller: Caller,
  operation: Operation,
  values: Values & { event: string },
  change: Write,
  rest: Write = [],
): Promise<Row[][]> {
  const results = await commit(caller, operation, change, [...rest, [fanOut(), values]]).catch((error: unknown) => {
    if (isCopied && isUncertain(error)) caller.checkTags(values.event)
    throw error
  })
  const pending = toPendingDeliveries(results.at(-1) ?? [])
  if (pending.length > 0) caller.enqueue(pending)
  return results
}

/** The name of a change in the audit log, and its response if that is stored. */
export const createOperation = async <Item extends object>(
  { idempotency }: Caller,
  resource: Pick<ResourceDefinition, 'path' | 'titleFields' | 'item'>,
  verb: string,
  changed: StoredObject<Item>,
  respond: Respond<Item> | undefined,
): Promise<Operation> => ({
  operation: `${resource.path}.${verb}`,
  object: changed.id,
  title: toAuditTitle(resource, changed.item),
  response: idempotency && (await respond?.(changed)),
})

/** The state of the object in a row. */
export const readState = ({ resource: { table } }: Store, row: Row): ObjectState => ({
  version: Number(getValue(row, table.version)),
  updatedAt: Number(getValue(row, table.updatedAt)),
})

/** The statement that undoes the transaction if the object exists and does not meet the condition. */
export const guard = (
  { resource, statements }: Store,
  scope: Scope,
  id: string,
  { states, wanted }: Precondition,
): [Statement, Values] => [
  statements.guard(spansBothModes(resource, scope)),
  { ...scope, id, states: JSON.stringify(states), wanted },
]
