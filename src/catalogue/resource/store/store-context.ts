import type { Statement, Values } from '../../../platform/db/database.ts'
import { isUncertain } from '../../../platform/db/database-errors.ts'
import type { Row } from '../../../platform/db/row.ts'
import type { Scope } from '../../../platform/db/scope.ts'
import { getValue } from '../../../platform/db/sql-name.ts'
import { commit, type Operation, type Write } from '../../../platform/db/transaction.ts'
import { type Issue, invalid } from '../../../platform/errors.ts'
import type { ObjectState, Precondition } from '../../../platform/http/etag.ts'
import { isExternalId } from '../../../platform/http/fields.ts'
import { fanOut, toPendingDeliveries } from '../../../platform/outbox/fan-out.ts'
import { type Caller, createEventValues } from '../caller.ts'
import { type Draft, type ResourceDefinition, spansBothModes } from '../definition.ts'
import { createRowMapping, type RowMapping, type StoredObject } from '../plan/row-mapping.ts'
import { createReferences } from '../references.ts'
import { createRowWrites, type RowWrites } from '../statements/row-writes.ts'
import { createStatements, type Statements } from '../statements/statements.ts'

/** Dependencies of a store besides its resource. */
export interface StoreDependencies {
  /** All resources. Their objects may refer to objects of this one. */
  all: readonly ResourceDefinition[]
}

/** Creates the response to a change before the change, so that both are stored together. */
export type Respond<Item> = (changed: StoredObject<Item>) => Response | Promise<Response>

/** Values that the operations of one resource share. */
export interface StoreContext<Item extends object = object> {
  resource: ResourceDefinition<Item>
  mapping: RowMapping<Item>
  statements: Statements
  references: ReturnType<typeof createReferences>
  writes: RowWrites
}

/** Creates the context of a resource. Its statements are compiled when they are first used. */
export function createStoreContext<Item extends object>(
  resource: ResourceDefinition<Item>,
  { all }: StoreDependencies,
): StoreContext<Item> {
  const statements = createStatements(resource, all)
  const references = createReferences(resource, statements)
  return { resource, mapping: createRowMapping(resource), statements, references, writes: createRowWrites(resource) }
}

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
  { resource, statements }: StoreContext,
  { database, scope }: Caller,
  key: ObjectKey,
  includesDetails = false,
): Promise<Row | undefined> {
  if (key.externalId !== undefined && !isExternalId(key.externalId)) return undefined
  const find = key.externalId === undefined ? statements.find : statements.externalIds.find
  const [rows] = await database.run([find(spansBothModes(resource, scope), includesDetails), { ...scope, ...key }])
  return rows?.[0]
}

/** Throws the problem of a body with issues, including ids in the draft that do not exist. */
export async function throwInvalid(
  { references }: Pick<StoreContext, 'references'>,
  caller: Caller,
  issues: readonly Issue[],
  draft: Draft,
): Promise<never> {
  const missing = await references.dangling(caller, draft)
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
export const createOperation = async <Item>(
  { idempotency }: Caller,
  { path }: Pick<ResourceDefinition, 'path'>,
  verb: string,
  changed: StoredObject<Item>,
  respond: Respond<Item> | undefined,
): Promise<Operation> => ({
  operation: `${path}.${verb}`,
  object: changed.id,
  response: idempotency && (await respond?.(changed)),
})

/** The state of the object in a row. */
export const readState = ({ resource: { table } }: StoreContext, row: Row): ObjectState => ({
  version: Number(getValue(row, table.version)),
  updatedAt: Number(getValue(row, table.updatedAt)),
})

/** The statement that undoes the transaction if the object exists and does not meet the condition. */
export const guard = (
  { resource, statements }: StoreContext,
  scope: Scope,
  id: string,
  { states, wanted }: Precondition,
): [Statement, Values] => [
  statements.guard(spansBothModes(resource, scope)),
  { ...scope, id, states: JSON.stringify(states), wanted },
]
