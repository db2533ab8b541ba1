import { type Context, Hono } from 'hono'
import type { Env } from '../../../platform/http/context.ts'
import { createStateTag, toState } from '../../../platform/http/etag.ts'
import { idempotent, renderOnce } from '../../../platform/http/idempotency.ts'
import { createCaller, getRenderContext } from '../caller.ts'
import type { Resource } from '../definition.ts'
import type { ResourceChange } from '../routes.ts'
import { createStore } from '../store/store.ts'
import { type Restored, restoreObject } from './restore.ts'

/** `POST /:id/restore`. `onChange` is called with the restored object before the response. */
export function createRestoreRoutes<
  Item extends object,
  View extends object,
  Full extends object,
  CreateIn,
  UpdateIn,
  QueryIn,
>(
  resource: Resource<Item, View, Full, CreateIn, UpdateIn, QueryIn>,
  onChange: (c: Context<Env>, change: ResourceChange<Item>) => Promise<void> = async () => {},
) {
  const store = createStore(resource)
  return new Hono<Env>().post('/:id/restore', idempotent, async (c) => {
    const respond = renderOnce(async (stored: Restored<Item>) => {
      const { item, version, externalId, omitted, placed } = stored
      const shown = await resource.toFullView(item, getRenderContext(c))
      const headers = {
        ETag: createStateTag(toState(version, item), shown),
        ...(externalId !== undefined && { 'External-Id': encodeURIComponent(externalId) }),
      }
      return c.json({ ...shown, restored: { omitted, placed } }, 200, headers)
    })
    const restored = await restoreObject(store, createCaller(c), c.req.param('id'), respond)
    await onChange(c, { item: restored.item, version: restored.version, deleted: false })
    return respond(restored)
  })
}
