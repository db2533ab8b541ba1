import { getTableName } from 'drizzle-orm'
import { type ApiError, notFound } from '../../../platform/errors.ts'
import { isPreconditionMet, type Precondition, preconditionFailed } from '../../../platform/http/etag.ts'
import type { ParsedBody } from '../../../platform/http/validation.ts'
import { toSeconds } from '../../../platform/lib/time.ts'
import type { Caller } from '../caller.ts'
import { merge } from '../merge-patch.ts'
import { busy, maxWriteAttempts, pauseAfter, withObjectLock } from '../object-lock.ts'
import type { PlannedUpdate, UpdatePlan } from '../plan.ts'
import { type PlanContext, planExternalId, planUpdate, requireAllowedMode, spansBothModes } from '../plan.ts'
import { type ReadObject, readHasDetails, type StoredObject } from '../row-mapping.ts'
import { throwClientError, violatesVersion } from './client-errors.ts'
import {
  createChangeValues,
  createOperation,
  findDangling,
  findRow,
  guard,
  type ObjectKey,
  type Respond,
  readState,
  type Store,
  throwInvalid,
  write,
} from './store.ts'

/** A condition that no object meets. */
const matchesNothing: Precondition = { states: [], wanted: true }

/** A change of one object. */
interface ChangeRequest<Item> {
  key: ObjectKey
  body: ParsedBody
  /** Plans the change from the state that was read. */
  plan(context: PlanContext, current: ReadObject<Item>): UpdatePlan<Item>
  respond?: Respond<Item> | undefined
  condition?: Precondition | undefined
}

/** Runs the transaction of a change. Returns the object; undefined if it did not exist. A stale change is undone by its last statement. */
async function writeChange<Item extends object>(
  store: Store<Item>,
  caller: Caller,
  { updated, before, row, changed, previous, externalId, repairs }: PlannedUpdate<Item>,
  respond: Respond<Item> | undefined,
  nowMs: number,
  isStale: boolean,
): Promise<StoredObject<Item> | undefined> {
  const { resource, statements } = store
  const { writes } = statements
  const { scope } = caller
  const { id, version } = updated
  const objects = [{ id, before, after: row, repairs, externalId: updated.externalId, previousExternalId: externalId }]
  const bothModes = spansBothModes(resource, scope)
  const values = { ...createChangeValues(caller, updated, nowMs), previous: JSON.stringify(previous) }
  const [rows = []] = await write(
    resource,
    caller,
    await createOperation(caller, resource, 'update', updated, respond),
    values,
    [[statements.update(bothModes, changed), { ...scope, ...row, id, expected: version - 1 }]],
    [
      ...writes.dependents(values, objects),
      [statements.insertEvent.updated(bothModes), values],
      ...writes.extras(values, objects),
      // All other problems take precedence over a failed precondition, so the change is tried and undone.
      ...(isStale ? [guard(store, scope, id, matchesNothing)] : []),
    ],
  )
  const [changedRow] = rows
  return changedRow && { ...updated, ...readHasDetails(changedRow) }
}

/** Throws the problem of a change of an unknown object. Issues of the body precede it. */
export async function throwMissing(
  store: Store,
  caller: Caller,
  { issues, patch }: ParsedBody,
  problem: ApiError = notFound(),
): Promise<never> {
  const all = [...issues, ...(await findDangling(store, caller, merge({}, patch)))]
  if (all.length > 0) return throwInvalid(store, caller, all, {})
  throw problem
}

/**
 * Reads, plans and writes until no other writer interferes. `hasWaited`: another change of the object has just ended, so only the primary database
 * certainly has it. `onMissing` provides the result if the object does not exist.
 */
export async function changeInTurn<Item extends object>(
  store: Store<Item>,
  caller: Caller,
  { key, body, plan: planChange, respond, condition }: ChangeRequest<Item>,
  hasWaited: boolean,
  onMissing?: () => Promise<StoredObject<Item>>,
): Promise<StoredObject<Item>> {
  const { resource, mapping } = store
  const { database, scope, validationContext } = caller
  requireAllowedMode(scope, body)
  for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
    // A replica may be stale, so it can justify a write but not a rejection or a skipped write.
    const isLatest = hasWaited || attempt > 0
    if (isLatest) database.usePrimary()
    const row = await findRow(store, caller, key)
    if (!row && onMissing) return onMissing()
    if (!row && isLatest) return throwMissing(store, caller, body)
    if (!row) continue
    const current = mapping.readAsFarAsPossible(row)
    const nowMs = Date.now()
    const plan = planChange({ scope, validationContext, nowSeconds: toSeconds(nowMs) }, current)
    if (plan.kind === 'invalid' && (isLatest || body.issues.length > 0)) {
      return throwInvalid(store, caller, plan.issues, plan.draft)
    }
    if ((plan.kind === 'damaged' || plan.kind === 'forbidden') && isLatest) throw plan.error

    const isStale = condition !== undefined && !isPreconditionMet(condition, readState(store, row))
    if (plan.kind === 'unchanged' && isLatest) {
      if (isStale) throw preconditionFailed()
      return plan.current
    }
    if (plan.kind === 'changed' && (isLatest || !isStale)) {
      try {
        const written = await writeChange(store, caller, plan.change, respond, nowMs, isStale)
        if (written) return written
      } catch (error) {
        if (isStale || !violatesVersion(resource, error)) await throwClientError(store, caller, error, plan.draft)
        if (!isStale) await pauseAfter(attempt)
      }
      if (isStale) throw preconditionFailed()
    }
  }
  throw busy()
}

/** Runs `work` while no other request of this isolate changes the object. Waiting costs less than conflicts. */
export const inTurn = <Item extends object, Value>(
  { resource }: Store<Item>,
  { scope }: Caller,
  { id, externalId }: ObjectKey,
  work: (hasWaited: boolean) => Promise<Value>,
): Promise<Value> =>
  withObjectLock(JSON.stringify([getTableName(resource.table), scope.merchantId, id, externalId]), work)

/** An update of the object `id`. */
interface UpdateRequest<Item> {
  id: string
  body: ParsedBody
  respond?: Respond<Item> | undefined
  condition?: Precondition | undefined
}

const emptyBody: ParsedBody = { patch: {}, issues: [] }

const change = <Item extends object>(
  store: Store<Item>,
  caller: Caller,
  { id, ...request }: UpdateRequest<Item>,
  plan: ChangeRequest<Item>['plan'],
): Promise<StoredObject<Item>> =>
  inTurn(store, caller, { id }, (hasWaited) =>
    changeInTurn(store, caller, { key: { id }, ...request, plan }, hasWaited),
  )

/** Merges a body into an object. */
export const updateObject = <Item extends object>(
  store: Store<Item>,
  caller: Caller,
  request: UpdateRequest<Item>,
): Promise<StoredObject<Item>> =>
  change(store, caller, request, (planContext, current) =>
    planUpdate(store.mapping, planContext, current, request.body),
  )

/** Merges a body that depends on the state of the object. `toBody` is called for each attempt. */
export const updateObjectFrom = <Item extends object>(
  store: Store<Item>,
  caller: Caller,
  { toBody, ...request }: Omit<UpdateRequest<Item>, 'body'> & { toBody: (item: Item) => ParsedBody },
): Promise<StoredObject<Item>> =>
  change(store, caller, { ...request, body: emptyBody }, (planContext, current) =>
    planUpdate(store.mapping, planContext, current, current.damaged ? emptyBody : toBody(current.item)),
  )

/** Sets the external id of an object to that of the body, or clears it. */
export const setExternalId = <Item extends object>(
  store: Store<Item>,
  caller: Caller,
  request: UpdateRequest<Item>,
): Promise<StoredObject<Item>> =>
  change(store, caller, request, (planContext, current) =>
    planExternalId(store.mapping, planContext, current, request.body),
  )
