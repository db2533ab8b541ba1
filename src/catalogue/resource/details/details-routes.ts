import { type Context, Hono } from 'hono'
import { lazy } from '../../../platform/db/database.ts'
import type { Env } from '../../../platform/http/context.ts'
import { createStateTag, getPrecondition, revalidate } from '../../../platform/http/etag.ts'
import { idempotent, renderOnce } from '../../../platform/http/idempotency.ts'
import { jsonBody } from '../../../platform/http/request-body.ts'
import { createCaller } from '../caller.ts'
import type { WritableDetails } from './details-definition.ts'
import type { DetailedResource } from './details-statements.ts'
import { createDetailsStore, type StoredDetails } from './details-store.ts'
import type { LazyDetails } from './load-details.ts'

/** The operations on the details of a resource's objects. `onChange` is called after each change, before the response. */
export function createDetailRoutes<In extends object, View extends object>(
  resource: Omit<DetailedResource, 'details'> & { details?: LazyDetails<WritableDetails<In, View>> | undefined },
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
  return new Hono<Env>()
    .get('/:id/details', revalidate, async (c) => {
      await details.load()
      return show(c, await getStore().find(createCaller(c), c.req.param('id')))
    })
    .post('/:id/details', parseBody, idempotent, async (c) => {
      const [id, body, condition] = [c.req.param('id'), c.req.valid('json'), getPrecondition(c)]
      const respond = renderOnce((stored: StoredDetails<View>) => show(c, stored))
      const stored = await getStore().update(createCaller(c), { id, body, condition, respond })
      await onChange(c, id)
      return respond(stored)
    })
}
