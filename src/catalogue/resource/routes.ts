import { type Context, Hono } from 'hono'
import type { Env } from '../../platform/http/context.ts'
import { getPrecondition, revalidate } from '../../platform/http/etag.ts'
import { jsonResponse } from '../../platform/http/headers.ts'
import { idempotent, renderOnce } from '../../platform/http/idempotency.ts'
import { nextLink, readInclude } from '../../platform/http/pagination.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import { query } from '../../platform/http/validation.ts'
import { createCaller as caller } from './caller.ts'
import type { Draft, Resource } from './definition.ts'
import { createExternalIdRoutes } from './external-id-routes.ts'
import type { ReadObject, StoredObject } from './plan/row-mapping.ts'
import { createResponses, getIncludedFields, type IncludedFields } from './responses.ts'
import { createStore } from './store/store.ts'
import type { StoreDependencies } from './store/store-context.ts'

/** A change of an object, for code that maintains copies of it. Only the `readable` fields of a damaged object are known. */
export type ResourceChange<Item> =
  | { item: Item; version: number; deleted: boolean }
  | { item?: undefined; id: string; readable: Draft; version: number; deleted: true }

/** The deletion of an object. */
const toDeletion = <Item>(removed: ReadObject<Item>): ResourceChange<Item> => {
  const version = removed.version + 1
  return removed.damaged
    ? { id: removed.id, readable: removed.damaged.readable, version, deleted: true }
    : { item: removed.item, version, deleted: true }
}

/** The operations of a resource. */
export function createResourceRoutes<
  Item extends object,
  View extends object,
  Full extends object,
  CreateIn extends object,
  UpdateIn extends object,
  QueryIn,
  CreatedOnly extends object,
  Details extends object,
>(
  resource: Resource<Item, View, Full, CreateIn, UpdateIn, QueryIn, CreatedOnly, Details>,
  dependencies: StoreDependencies,
  /** Called with each change before the response. */
  onChange: (c: Context<Env>, change: ResourceChange<Item>) => Promise<void> = async () => {},
) {
  const store = createStore(resource, dependencies)
  const responses = createResponses(resource)
  const onStored = (c: Context<Env>, { item, version }: StoredObject<Item>) =>
    onChange(c, { item, version, deleted: false })
  const onRemoved = (c: Context<Env>, removed: ReadObject<Item>) => onChange(c, toDeletion(removed))
  return new Hono<Env>()
    .get('/', query(resource.query), async (c) => {
      const current = caller(c)
      const { renderContext } = current
      const wanted = c.req.valid('query')
      const { include } = wanted
      const { merchantId } = current.scope
      const show = (stored: StoredObject<Item>): View & IncludedFields<Details> =>
        Object.assign(
          resource.toView(stored.item, renderContext),
          include && getIncludedFields(resource, stored, include, merchantId),
        )
      const { items, next } = await store.list(current, wanted, show)
      const headers = next === undefined ? undefined : { link: nextLink(c.req.url, next) }
      return jsonResponse<(View & IncludedFields<Details>)[]>(c, JSON.stringify(items), headers)
    })
    .post('/', jsonBody(resource.create), idempotent, async (c) => {
      const respond = renderOnce((created: StoredObject<Item>) => responses.created(c, created, c.req.path))
      const created = await store.create(caller(c), c.req.valid('json'), respond)
      await onStored(c, created)
      return respond(created)
    })
    .get('/:id', revalidate, async (c) => {
      const include = readInclude(c, resource.details !== undefined)
      return responses.retrieved(c, await store.retrieve(caller(c), { id: c.req.param('id') }, include), include)
    })
    .post('/:id', jsonBody(resource.update), idempotent, async (c) => {
      const respond = renderOnce((updated: StoredObject<Item>) => responses.updated(c, updated))
      const updated = await store.update(caller(c), c.req.param('id'), c.req.valid('json'), respond, getPrecondition(c))
      await onStored(c, updated)
      return respond(updated)
    })
    .delete('/:id', async (c) => {
      const removed = await store.remove(caller(c), c.req.param('id'), getPrecondition(c))
      await onRemoved(c, removed)
      return responses.deleted(c, removed)
    })
    .route('/', createExternalIdRoutes(resource, store, responses, { onStored, onRemoved }))
}
