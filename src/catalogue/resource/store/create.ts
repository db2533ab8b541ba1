import { isUndoneIf } from '../../../platform/db/transaction.ts'
import type { ParsedBody } from '../../../platform/http/validation.ts'
import { toSeconds } from '../../../platform/lib/now.ts'
import type { Caller } from '../caller.ts'
import { type Draft, spansBothModes } from '../definition.ts'
import { busy, maxWriteAttempts, pauseAfter } from '../object-lock.ts'
import { planCreate } from '../plan/plan-create.ts'
import type { StoredObject } from '../plan/row-mapping.ts'
import { throwClientError, tooMany } from './client-errors.ts'
import {
  createChangeValues,
  createOperation,
  type Respond,
  type StoreContext,
  throwInvalid,
  write,
} from './store-context.ts'

interface CreateOptions<Item> {
  respond?: Respond<Item> | undefined
  /** Values that the service would otherwise generate. */
  generated?: Draft | undefined
  externalId?: string | undefined
}

/** Creates an object. */
export async function createObject<Item extends object>(
  context: StoreContext<Item>,
  caller: Caller,
  body: ParsedBody,
  { respond, generated = {}, externalId }: CreateOptions<Item> = {},
): Promise<StoredObject<Item>> {
  const { resource, mapping, statements, writes } = context
  const { scope, validationContext } = caller
  const { maxPerMode } = resource
  const nowMs = Date.now()
  const plan = planCreate(mapping, { scope, validationContext, nowSeconds: toSeconds(nowMs) }, body, generated)
  if (!plan.created) return throwInvalid(context, caller, plan.issues, plan.draft)
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
      await throwClientError(context, caller, error, draft)
      await pauseAfter(attempt)
    }
  }
  throw busy()
}
