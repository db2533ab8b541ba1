import { ApiError } from '../../../platform/errors.ts'
import { type Precondition, preconditionFailed } from '../../../platform/http/etag.ts'
import type { UpsertBodies } from '../../../platform/http/validation.ts'
import type { Caller } from '../caller.ts'
import { planUpdate } from '../plan.ts'
import type { StoredObject } from '../row-mapping.ts'
import { createObject } from './create.ts'
import type { Store } from './store.ts'
import { changeInTurn, inTurn, throwMissing } from './update.ts'

/** A create or an update of the object with an external id. */
interface UpsertRequest {
  externalId: string
  bodies: UpsertBodies
  condition?: Precondition | undefined
  /** The request requires that the object exists. */
  mustExist: boolean
}

type Upserted<Item> = StoredObject<Item> & { isNew: boolean }

const isConflict = (error: unknown) => error instanceof ApiError && error.code === 'conflict'

/** Updates the object with an external id, or creates it. Concurrent first upserts create one object. */
export const upsertObject = <Item extends object>(
  store: Store<Item>,
  caller: Caller,
  { externalId, bodies, condition, mustExist }: UpsertRequest,
): Promise<Upserted<Item>> =>
  inTurn(store, caller, { externalId }, async (hasWaited) => {
    let isNew = false
    let conflict: unknown
    const create = async () => {
      if (mustExist) return throwMissing(store, caller, bodies.update, preconditionFailed())
      try {
        const created = await createObject(store, caller, { body: bodies.create, externalId })
        isNew = true
        return created
      } catch (error) {
        if (isConflict(error)) conflict = error
        throw error
      }
    }
    const update = (isLatest: boolean, onMissing: () => Promise<StoredObject<Item>>) =>
      changeInTurn(
        store,
        caller,
        {
          key: { externalId },
          body: bodies.update,
          plan: (planContext, current) =>
            planUpdate(store.mapping, { ...planContext, keepsPartIds: true }, current, bodies.update),
          condition,
        },
        isLatest,
        onMissing,
      )
    try {
      return { ...(await update(hasWaited || mustExist, create)), isNew }
    } catch (error) {
      if (error !== conflict) throw error
      // Another request may have created the object since it was read.
      return { ...(await update(true, () => Promise.reject(conflict))), isNew }
    }
  })
