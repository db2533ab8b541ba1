import type { Precondition } from '../../../platform/http/etag.ts'
import type { Include, ListQuery } from '../../../platform/http/pagination.ts'
import type { ParsedBody } from '../../../platform/http/validation.ts'
import type { Caller } from '../caller.ts'
import type { Draft, ResourceDefinition } from '../definition.ts'
import type { StoredObject } from '../plan/row-mapping.ts'
import { createObject } from './create.ts'
import { listObjects } from './list.ts'
import { removeByExternalId, removeObject } from './remove.ts'
import { retrieveObject } from './retrieve.ts'
import { createStoreContext, type ObjectKey, type Respond, type StoreDependencies } from './store-context.ts'
import { setExternalId, type UpdateRequest, updateObject, updateObjectFrom } from './update.ts'
import { type UpsertRequest, upsertObject } from './upsert.ts'

/** The operations on the objects of one resource. Every call takes a caller, and with it the merchant and mode. */
export function createStore<Item extends object>(resource: ResourceDefinition<Item>, dependencies: StoreDependencies) {
  const context = createStoreContext(resource, dependencies)
  return {
    list: <View>(caller: Caller, query: ListQuery, show: (stored: StoredObject<Item>) => View) =>
      listObjects(context, caller, query, show),
    retrieve: (caller: Caller, key: ObjectKey, include?: Include) => retrieveObject(context, caller, key, include),
    create: (caller: Caller, body: ParsedBody, respond?: Respond<Item>, generated?: Draft) =>
      createObject(context, caller, body, { respond, generated }),
    update: (caller: Caller, id: string, body: ParsedBody, respond?: Respond<Item>, condition?: Precondition) =>
      updateObject(context, caller, { id, body, respond, condition }),
    updateFrom: (caller: Caller, request: Parameters<typeof updateObjectFrom<Item>>[2]) =>
      updateObjectFrom(context, caller, request),
    upsert: (caller: Caller, request: UpsertRequest) => upsertObject(context, caller, request),
    setExternalId: (caller: Caller, request: UpdateRequest<Item>) => setExternalId(context, caller, request),
    removeByExternalId: (caller: Caller, externalId: string, condition?: Precondition) =>
      removeByExternalId(context, caller, externalId, condition),
    remove: (caller: Caller, id: string, condition?: Precondition) => removeObject(context, caller, id, condition),
  }
}
