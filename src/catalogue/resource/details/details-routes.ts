import { type Context, Hono } from 'hono'
import { lazy } from '../../../platform/db/database.ts'
import type { Env } from '../../../platform/http/context.ts'
import { createStateTag, getPrecondition, revalidate } from '../../../platform/http/etag.ts'
import { idempotent, renderOnce } from '../../../platform/http/idempotency.ts'
import { isOfPast } from '../../../platform/http/pagination.ts'
import { jsonBody } from '../../../platform/http/request-body.ts'
import { createCaller } from '../caller.ts'
import type { ResourceDefinition } from '../definition.ts'
import { createStore } from '../store/store.ts'
import type { WritableDetails } from './details-definition.ts'
import { createDetailsStore, type StoredDetails } from './details-store.ts'
import type { LazyDetails } from './load-details.ts'

/** The operations on the details of a resource's objects. `onChange` is called after each change, before the response. */
export function createDetailRoutes<In extends object, View extends object>(
  resource: Omit<ResourceDefinition, 'details'> & { details?: LazyDetails<WritableDetails<In, View>> | undefined },
  onChange: (c: Context<Env>, id: string) => Promise<void> = async () => {},
) {
  const { details } = resource
  if (!details) throw new Error(`${resource.path} have no details.`)
  // Built behind `details.load()`.
  const getStore = lazy(() => createDetailsStore<View>({ ...resource, details: details.get() }))
  const getBody = lazy(() => jsonBody(details.get().body))
  const parseBody: ReturnType<typeof getBody> = async (c, next) => {
    await details.load()
    return getBody()(c, next)
  }
  const show = (c: Context<Env>, { details, version }: StoredDetails<View>) =>
    c.json(details, 200, { ETag: createStateTag({ version }, details) })
  const findPast = async (c: Context<Env>, id: string) => {
    const { readPast } = await import('../history/past.ts')
    const { findDetailsAt } = await import('../history/find-past.ts')
    return findDetailsAt(createStore<object>({ ...resource, details }), createCaller(c), id, readPast(c))
  }
  return new Hono<Env>()
    .get('/:id/details', revalidate, async (c) => {
      await details.load()
      const id = c.req.param('id')
      const past = isOfPast(c) ? await findPast(c, id) : undefined
      if (past) return c.json(past.details, 200, { ETag: createStateTag({ version: past.version }, past.details) })
      return show(c, await getStore().find(createCaller(c), id))
    })
    .post('/:id/details', parseBody, idempotent, async (c) => {
      const [id, body, condition] = [c.req.param('id'), c.req.valid('json'), getPrecondition(c)]
      const respond = renderOnce((stored: StoredDetails<View>) => show(c, stored))
      const stored = await getStore().update(createCaller(c), { id, body, condition, respond })
      await onChange(c, id)
      return respond(stored)
    })
}
