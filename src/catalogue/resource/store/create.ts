import type { Statement, Values } from '../../../platform/db/database.ts'
import type { ParsedBody } from '../../../platform/http/validation.ts'
import { toSeconds } from '../../../platform/lib/now.ts'
import type { Caller } from '../caller.ts'
import type { Draft } from '../definition.ts'
import { busy, maxWriteAttempts, pauseAfter } from '../object-lock.ts'
import { planCreate } from '../plan/plan-create.ts'
import type { StoredObject } from '../plan/row-mapping.ts'
import { throwClientError, tooMany, violatesVersion } from './client-errors.ts'
import {
  createChangeValues,
  createExternalIdWrites,
  createExtraWrites,
  createIndexWrites,
  createOperation,
  type Respond,
  type StoreContext,
  spansBothModes,
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
  const { resource, mapping, statements, references } = context
  const { scope, validationContext } = caller
  const { maxPerMode } = resource
  const nowMs = Date.now()
  const plan = planCreate(mapping, { scope, validationContext, nowSeconds: toSeconds(nowMs) }, body, generated)
  if (!plan.created) return throwInvalid(context, caller, plan.issues, plan.draft)
  const { row, draft } = plan
  const created = { ...plan.created, externalId }
  const { id } = created
  const values = createChangeValues(caller, created, nowMs)
  const limit: [Statement, Values][] =
    maxPerMode === undefined ? [] : [[statements.limit(), { ...scope, id, limit: maxPerMode }]]
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
          ...limit,
          ...createExternalIdWrites(context, scope, created),
          ...references.relink(scope, id, {}, row),
          ...createIndexWrites(context, scope, id, undefined, row),
          [statements.insertEvent.created(spansBothModes(resource, scope)), values],
          ...createExtraWrites(context, values, undefined, row),
        ],
      )
      return created
    } catch (error) {
      if (maxPerMode !== undefined && violatesVersion(resource, error)) throw tooMany(resource, maxPerMode)
      await throwClientError(context, caller, error, draft)
      await pauseAfter(attempt)
    }
  }
  throw busy()
}
