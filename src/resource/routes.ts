import { type Context, Hono } from 'hono'
import type { Env } from '../http/context.ts'
import { createStateTag, getPrecondition, revalidate } from '../http/etag.ts'
import { nextLink } from '../http/pagination.ts'
import { jsonBody } from '../http/request-body.ts'
import { query } from '../http/validation.ts'
import { type Draft, type Resource, readableParts } from './definition.ts'
import { getRenderContext } from './request-context.ts'
import { createSession as session } from './session.ts'
import { createStore, type StoreDependencies, type StoredObject } from './store.ts'

/** What happened to an object, for whoever keeps a copy of it elsewhere. Of one that was damaged only the `readable` fields are known. */
export type ResourceChange<Item> =
  | { item: Item; version: number; deleted: boolean }
  | { item?: undefined; id: string; readable: Draft; version: number; deleted: true }

/** The five operations of any resource. */
export function createResourceRoutes<
  Item extends object,
  View extends object,
  Full extends object,
  CreateIn extends object,
  UpdateIn extends object,
  QueryIn,
  CreatedOnly extends object,
>(
  resource: Resource<Item, View, Full, CreateIn, UpdateIn, QueryIn, CreatedOnly>,
  dependencies: StoreDependencies,
  /** Told of every change before it is answered. */
  onChange: (c: Context<Env>, change: ResourceChange<Item>) => Promise<void> = async () => {},
) {
  const { name } = resource
  const message = `${name.charAt(0).toUpperCase()}${name.slice(1)} deleted`
  const store = createStore(resource, dependencies)
  return new Hono<Env>()
    .get('/', query(resource.query), async (c) => {
      const current = session(c)
      const { renderContext } = current
      const show = (item: Item) => resource.toView(item, renderContext)
      const { items, next } = await store.list(current, c.req.valid('query'), show)
      if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
      return c.json(items, 200)
    })
    .post('/', jsonBody(resource.create), async (c) => {
      const answer = async ({ item, version, id }: StoredObject<Item>) => {
        const shown = await resource.toFullView(item, getRenderContext(c))
        const created: Full & CreatedOnly = { ...shown, ...resource.toCreatedOnly(item) }
        return c.json(created, 201, { Location: `${c.req.path}/${id}`, ETag: createStateTag(version, shown) })
      }
      const made = await store.create(session(c), c.req.valid('json'), answer)
      await onChange(c, { ...made, deleted: false })
      return answer(made)
    })
    .get('/:id', revalidate, async (c) => {
      const current = session(c)
      const { item, version } = await store.retrieve(current, c.req.param('id'))
      const shown = await resource.toFullView(item, current.renderContext)
      return c.json(shown, 200, { ETag: createStateTag(version, shown) })
    })
    .post('/:id', jsonBody(resource.update), async (c) => {
      const renderContext = getRenderContext(c)
      const answer = async ({ item, version }: StoredObject<Item>) => {
        const ETag = createStateTag(version, await resource.toFullView(item, renderContext))
        return c.json(resource.toView(item, renderContext), 200, { ETag })
      }
      const [current, patch] = [session(c), c.req.valid('json')]
      const updating = store.update(current, c.req.param('id'), patch, answer, getPrecondition(c))
      // A client that hangs up must not leave those waiting that take turns with it.
      c.executionCtx.waitUntil(updating.catch(() => undefined))
      const updated = await updating
      await onChange(c, { ...updated, deleted: false })
      return answer(updated)
    })
    .delete('/:id', async (c) => {
      const id = c.req.param('id')
      const removed = await store.remove(session(c), id, getPrecondition(c))
      const version = removed.version + 1
      if (removed.damaged) {
        const { readable } = removed.damaged
        await onChange(c, { id, readable, version, deleted: true })
        return c.json({ id, object: readableParts(resource, id, readable), message, deleted: true as const }, 200)
      }
      const { item } = removed
      await onChange(c, { item, version, deleted: true })
      const object = resource.toView(item, getRenderContext(c))
      return c.json({ id, object, message, deleted: true as const }, 200)
    })
}
