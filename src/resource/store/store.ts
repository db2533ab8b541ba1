import type { Precondition } from '../../http/etag.ts'
import type { Include, ListQuery } from '../../http/pagination.ts'
import type { ParsedBody } from '../../http/validation.ts'
import type { Draft, ResourceDefinition } from '../definition.ts'
import type { StoredObject } from '../plan/row-mapping.ts'
import type { Session } from '../session.ts'
import { createObject } from './create.ts'
import { listObjects } from './list.ts'
import { removeByExternalId, removeObject } from './remove.ts'
import { retrieveObject } from './retrieve.ts'
import { createStoreContext, type ObjectKey, type Respond, type StoreDependencies } from './store-context.ts'
import { setExternalId, type UpdateRequest, updateObject, updateObjectFrom } from './update.ts'
import { type UpsertRequest, upsertObject } from './upsert.ts'

/** The operations on the objects of one resource. Every call takes a session, and with it the merchant and mode. */
export function createStore<Item extends object>(resource: ResourceDefinition<Item>, dependencies: StoreDependencies) {
  const context = createStoreContext(resource, dependencies)
  return {
    list: <View>(session: Session, query: ListQuery, show: (stored: StoredObject<Item>) => View) =>
      listObjects(context, session, query, show),
    retrieve: (session: Session, key: ObjectKey, include?: Include) => retrieveObject(context, session, key, include),
    create: (session: Session, body: ParsedBody, respond?: Respond<Item>, generated?: Draft) =>
      createObject(context, session, body, { respond, generated }),
    update: (session: Session, id: string, body: ParsedBody, respond?: Respond<Item>, condition?: Precondition) =>
      updateObject(context, session, { id, body, respond, condition }),
    updateFrom: (session: Session, request: Parameters<typeof updateObjectFrom<Item>>[2]) =>
      updateObjectFrom(context, session, request),
    upsert: (session: Session, request: UpsertRequest) => upsertObject(context, session, request),
    setExternalId: (session: Session, request: UpdateRequest<Item>) => setExternalId(context, session, request),
    removeByExternalId: (session: Session, externalId: string, condition?: Precondition) =>
      removeByExternalId(context, session, externalId, condition),
    remove: (session: Session, id: string, condition?: Precondition) => removeObject(context, session, id, condition),
  }
}
