import { isUndoneIf } from '../../../platform/db/transaction.ts'
import type { ParsedBody } from '../../../platform/http/validation.ts'
import { toSeconds } from '../../../platform/lib/time.ts'
import type { Caller } from '../caller.ts'
import type { Draft } from '../definition.ts'
import { busy, maxWriteAttempts, pauseAfter } from '../object-lock.ts'
import { planCreate, spansBothModes } from '../plan.ts'
import type { StoredObject } from '../row-mapping.ts'
import { throwClientError, tooMany } from './client-errors.ts'
import { createChangeValues, createOperation, type Respond, type Store, throwInvalid, write } from './store.ts'

/** A create of an object. */
interface CreateRequest<Item> {
  body: ParsedBody
  respond?: Respond<Item> | undefined
  /** Values that the service would otherwise generate. */
  generated?: Draft | undefined
  externalId?: string | undefined
}

/** Creates an object. */
export async function createObject<Item extends object>(
  store: Store<Item>,
  caller: Caller,
  { body, respond, generated = {}, externalId }: CreateRequest<Item>,
): Promise<StoredObject<Item>> {
  const { resource, mapping, statements } = store
  const { writes } = statements
  const { scope, validationContext } = caller
  const { maxPerMode } = resource
  const nowMs = Date.now()
  const plan = planCreate(mapping, { scope, validationContext, nowSeconds: toSeconds(nowMs) }, body, generated)
  if (!plan.created) return throwInvalid(store, caller, plan.issues, plan.draft)
  const { row, draft } = plan
  const created = { ...plan.created, externalId }
  const { id } = created
  const values = createChangeValues(caller, created, nowMs)
  const objects = [{ id, after: row, externalId }]
  await caller.database.reserveNames(resource.hooks.uniqueNames(row))
  const operation = await createOperation(caller, resource, 'create', created, respond)
  for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
    try {
      await write(
        resource,
        caller,
        operation,
        values,
        [[statements.insert(), { ...row, merchantId: scope.merchantId, version: 1 }]],
        [
          ...writes.limit(values),
          ...writes.dependents(values, objects),
          [statements.insertEvent.created(spansBothModes(resource, scope)), values],
          ...writes.extras(values, objects),
        ],
      )
      return created
    } catch (error) {
      if (maxPerMode !== undefined && isUndoneIf(error)) throw tooMany(resource, maxPerMode)
      await throwClientError(store, caller, error, draft)
      await pauseAfter(attempt)
    }
  }
  throw busy()
}
