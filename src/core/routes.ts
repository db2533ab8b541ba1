import { type Context, Hono } from 'hono'
import type { Env } from '../env.ts'
import { createStateTag, getPrecondition, revalidate } from '../http/etag.ts'
import { nextLink } from '../http/pagination.ts'
import { jsonBody, query } from '../http/validation.ts'
import { presentationOf } from './address.ts'
import { type Draft, type Resource, readableParts } from './resource.ts'
import { sessionOf as session } from './session.ts'
import { createStore, type Stored, type Surroundings } from './store.ts'

/** What happened to an object, for whoever keeps a copy of it elsewhere. Of one that was damaged only the `readable` fields are known. */
export type Change<Item> =
  | { item: Item; version: number; deleted: boolean }
  | { item?: undefined; id: string; readable: Draft; version: number; deleted: true }

/** The five operations of any resource. */
export function routes<
  Item extends object,
  View extends object,
  Full extends object,
  CreateIn extends object,
  UpdateIn extends object,
  QueryIn,
  CreatedOnly extends object,
>(
  resource: Resource<Item, View, Full, CreateIn, UpdateIn, QueryIn, CreatedOnly>,
  surroundings: Surroundings,
  /** Told of every change before it is answered. */
  changed: (c: Context<Env>, change: Change<Item>) => Promise<void> = async () => {},
) {
  const { name } = resource
  const message = `${name.charAt(0).toUpperCase()}${name.slice(1)} deleted`
  const store = createStore(resource, surroundings)
  return new Hono<Env>()
    .get('/', query(resource.query), async (c) => {
      const asked = session(c)
      const { presentation } = asked
      const show = (item: Item) => resource.present(item, presentation)
      const { items, next } = await store.list(asked, c.req.valid('query'), show)
      if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
      return c.json(items, 200)
    })
    .post('/', jsonBody(resource.create), async (c) => {
      const answer = async ({ item, version, id }: Stored<Item>) => {
        const shown = await resource.reveal(item, presentationOf(c))
        const created: Full & CreatedOnly = { ...shown, ...resource.toCreatedOnly(item) }
        return c.json(created, 201, { Location: `${c.req.path}/${id}`, ETag: createStateTag(version, shown) })
      }
      const made = await store.create(session(c), c.req.valid('json'), answer)
      await changed(c, { ...made, deleted: false })
      return answer(made)
    })
    .get('/:id', revalidate, async (c) => {
      const asked = session(c)
      const { item, version } = await store.retrieve(asked, c.req.param('id'))
      const shown = await resource.reveal(item, asked.presentation)
      return c.json(shown, 200, { ETag: createStateTag(version, shown) })
    })
    .post('/:id', jsonBody(resource.update), async (c) => {
      const presentation = presentationOf(c)
      const answer = async ({ item, version }: Stored<Item>) => {
        const ETag = createStateTag(version, await resource.reveal(item, presentation))
        return c.json(resource.present(item, presentation), 200, { ETag })
      }
      const [asked, patch] = [session(c), c.req.valid('json')]
      const updating = store.update(asked, c.req.param('id'), patch, answer, getPrecondition(c))
      // A client that hangs up must not leave those waiting that take turns with it.
      c.executionCtx.waitUntil(updating.catch(() => undefined))
      const updated = await updating
      await changed(c, { ...updated, deleted: false })
      return answer(updated)
    })
    .delete('/:id', async (c) => {
      const id = c.req.param('id')
      const removed = await store.remove(session(c), id, getPrecondition(c))
      const version = removed.version + 1
      if (removed.damaged) {
        const { readable } = removed.damaged
        await changed(c, { id, readable, version, deleted: true })
        return c.json({ id, object: readableParts(resource, id, readable), message, deleted: true as const }, 200)
      }
      const { item } = removed
      await changed(c, { item, version, deleted: true })
      const object = resource.present(item, presentationOf(c))
      return c.json({ id, object, message, deleted: true as const }, 200)
    })
}
