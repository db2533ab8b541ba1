import { sql } from 'drizzle-orm'
import { type Caller, createEventValues } from '../../../catalogue/resource/caller.ts'
import type { ResourceDefinition } from '../../../catalogue/resource/definition.ts'
import { createListRecord, toAuditTitle } from '../../../catalogue/resource/deleted/title.ts'
import { compile, lazy, param, type Values } from '../../../platform/db/database.ts'
import { isUncertain } from '../../../platform/db/database-errors.ts'
import type { Row } from '../../../platform/db/row.ts'
import { commit, createCauseValues, undoAlways, undoIf, type Write } from '../../../platform/db/transaction.ts'
import { limits } from '../../../platform/http/fields.ts'
import { toJsonLists } from '../../../platform/lib/encoding/json-lists.ts'
import { createId } from '../../../platform/lib/ids.ts'
import { type ChangeSet, recordChanges } from '../../../platform/outbox/change-sets.ts'
import { fanOut, toPendingDeliveries } from '../../../platform/outbox/fan-out.ts'
import { batchResources } from '../batch-resource.ts'
import type { Step } from '../plan/operation-step.ts'
import {
  type BatchValues,
  deleteObjects,
  insertDeletedEvents,
  insertEvents,
  pruneOwners,
  toResourceWrites,
  writeDependents,
  writeExtras,
  writeRows,
} from './resource-writes.ts'
import { insertRestoredEvents, returnKeptRows } from './restored-writes.ts'

const definitions = batchResources.map(({ resource }) => resource)

/** Undoes the transaction. The last statement of a dry run. */
const undo = lazy(() => compile(undoAlways()))

/** SQL for whether an object of the list at a path of `:objects` has changed since it was read. An element is `[seq, id, version]`. */
const hasChanged = ({ path, table }: ResourceDefinition) => sql`exists (
  select 1 from json_each(${param('objects')}, ${sql.raw(`'$.${path}'`)}) as named
    left join ${table} on ${table.seq} = named.value ->> 0 and +${table.merchantId} = ${param('merchantId')}
  where ${table.id} is not named.value ->> 1 or ${table.version} is not named.value ->> 2)`

/** Undoes the transaction if an object of `:objects`, lists by resource, was changed or deleted since it was read. */
const requireUnchanged = lazy(() => compile(undoIf(sql.join(definitions.map(hasChanged), sql` or `))))

/** The objects that were read, by resource. They must be unchanged since then. */
function guardObjects(steps: readonly Step[], values: Values): Write {
  const guarded = steps.filter(({ object, problem }) => object && !problem)
  if (guarded.length === 0) return []
  const objects = Object.fromEntries(
    Array.from(
      Map.groupBy(guarded, ({ operation }) => operation.resource),
      ([path, own]) => [path, own.map(({ object }) => [object?.seq, object?.id, object?.version])],
    ),
  )
  return [[requireUnchanged(), { ...values, objects: JSON.stringify(objects) }]]
}

/** The name of a change in the audit log. */
function getVerb({ kind, created, change, operation }: Step): string | undefined {
  if (created && operation.restored) return 'restore'
  if (kind === 'delete') return 'delete'
  return created ? 'create' : change && 'update'
}

const recordEntries = lazy(() => createListRecord(definitions))

function recordAudit(steps: readonly Step[], { actor, requestId }: Caller, values: Values): Write {
  const entries = steps.flatMap((step) => {
    const { batch, created, result, operation, problem } = step
    const verbs = problem
      ? []
      : [getVerb(step), step.details?.change && 'details.update', step.limits?.change && 'limits.update']
    const item = created?.stored.item ?? result?.item
    const title = item && toAuditTitle(batch.resource, item)
    const deleted = step.kind === 'delete' ? `${batch.resource.name}.deleted` : undefined
    const named = { object: step.id, title, deleted }
    return verbs.flatMap((verb) =>
      verb === undefined ? [] : [{ id: createId('aud'), operation: `${operation.resource}.${verb}`, ...named }],
    )
  })
  if (entries.length === 0) return []
  return toJsonLists(entries).map((list) => [recordEntries(), { ...values, actor, requestId, entries: list }])
}

/** Writes details or limits of operations. */
export interface SideWriter {
  listWrites(values: Values): Write
}

interface Planned {
  steps: readonly Step[]
  sides?: readonly SideWriter[] | undefined
  /** The change set of the changes. */
  changeSet?: ChangeSet | undefined
  /** Ids of the objects whose availability changes. They count as updated. */
  marked?: ReadonlySet<string> | undefined
}

/** Numbers of objects that the steps change. */
function countChanges({ steps, marked }: Planned) {
  const counts = { created: 0, updated: 0, deleted: 0 }
  for (const { id, kind, problem, created, change, details, limits } of steps) {
    if (problem) continue
    if (kind === 'delete') counts.deleted++
    else if (created) counts.created++
    else if (change || details?.change || limits?.change || marked?.has(id)) counts.updated++
  }
  return counts
}

/** The statements of all operations without a problem, in the order in which they are run. */
function listWrites(caller: Caller, planned: Planned, values: BatchValues): Write {
  const { steps, sides = [], changeSet } = planned
  // Resources and their events come after the resources that they refer to. Consequences of a change come after its event.
  const all = batchResources.map((batch) => toResourceWrites(batch, steps))
  const { context } = createCauseValues({ ...caller, cause: { ...caller.cause, restored: true } })
  const changes: Write = [
    ...all.flatMap((writes) => insertDeletedEvents(writes, values)),
    ...all.flatMap((writes) => pruneOwners(writes, all, values)),
    ...all.flatMap((writes) => deleteObjects(writes, values)),
    ...all.flatMap((writes) => writeRows(writes, values)),
    ...all.flatMap((writes) => returnKeptRows(writes, values)),
    ...all.flatMap((writes) => writeDependents(writes, values)),
    ...all.flatMap((writes) => insertRestoredEvents(writes, values, context)),
    ...all.flatMap((writes) => insertEvents(writes, values)),
    ...all.flatMap((writes) => writeExtras(writes, values)),
    ...sides.flatMap((side) => side.listWrites(values)),
  ]
  if (changes.length === 0) return guardObjects(steps, values)
  return [
    ...guardObjects(steps, values),
    ...changes,
    ...(changeSet ? recordChanges(caller, changeSet, countChanges(planned), values.now) : []),
    ...recordAudit(steps, caller, values),
    [fanOut(), values],
  ]
}

/** Whether the batch hides objects that too many others name. */
const hasHidden = (steps: readonly Step[]) =>
  batchResources.some((batch) => toResourceWrites(batch, steps).hidden.length > 0)

/** The names of a new object that must be reserved. Those of a restored one still are. */
const listUniqueNames = ({ batch, created, problem, operation: { restored } }: Step) =>
  created && !problem && !restored ? batch.resource.hooks.uniqueNames(created.row) : []

interface BatchWrite extends Planned {
  nowMs: number
  finish: Write
  dryRun: boolean
  /** The response, which is stored with an `Idempotency-Key`. */
  response?: Response | undefined
}

/** Runs the transaction of a batch. */
export async function writeBatch(
  caller: Caller,
  { nowMs, finish, dryRun, response, ...planned }: BatchWrite,
): Promise<void> {
  const { steps } = planned
  const values = createEventValues(caller, nowMs)
  const changes = listWrites(caller, planned, values)
  const end: Write = dryRun ? [[undo(), { ...caller.scope }]] : []
  const writes = [...changes, ...finish, ...end]
  if (writes.length === 0 && !caller.idempotency) return
  if (!dryRun) await caller.database.reserveNames(steps.flatMap(listUniqueNames))
  const actor = dryRun ? { ...caller, idempotency: undefined } : caller
  const operation = { response, alwaysStored: true }
  const commitAll = async (): Promise<Row[][]> => {
    if (steps.length <= limits.operations) return commit(actor, operation, writes)
    const { commitStaged } = await import('./commit-staged.ts')
    return commitStaged(actor, operation, writes, steps)
  }
  const results: Row[][] = await commitAll().catch((error: unknown) => {
    const isCopied = steps.some(({ batch }) => batch.resource.isCopied)
    if (!dryRun && isCopied && isUncertain(error)) caller.checkTags(values.event)
    throw error
  })
  const pending = writes.flatMap(([statement], index) =>
    statement === fanOut() ? toPendingDeliveries(results[index] ?? []) : [],
  )
  if (pending.length > 0) caller.enqueue(pending)
  if (!dryRun && hasHidden(steps)) caller.continuePruning()
}
