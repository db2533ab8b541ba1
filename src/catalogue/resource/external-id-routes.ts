import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import type { Env } from '../../platform/http/context.ts'
import { getPrecondition, requiresExistence, revalidate } from '../../platform/http/etag.ts'
import { externalId } from '../../platform/http/fields.ts'
import { idempotent, renderOnce } from '../../platform/http/idempotency.ts'
import { readInclude } from '../../platform/http/pagination.ts'
import { jsonBody, upsertBody } from '../../platform/http/request-body.ts'
import { getParameterIssues, type ParsedBody } from '../../platform/http/validation.ts'
import { createCaller as caller } from './caller.ts'
import type { Resource } from './definition.ts'
import type { ReadObject, StoredObject } from './plan/row-mapping.ts'
import type { createResponses } from './responses.ts'
import type { createStore } from './store/store.ts'

const fields = z.strictObject({
  externalId: z
    .nullable(externalId)
    .check(z.describe('New external id, unique in the merchant, mode and resource. `null` clears it.')),
})

/** Rules of the body that sets or clears an external id. */
export const externalIdRules = { schema: fields, partial: z.partial(fields), readOnly: new Set<string>() }

/** Called with each change before the response. */
interface Listeners<Item> {
  onStored(c: Context<Env>, stored: StoredObject<Item>): Promise<void>
  onRemoved(c: Context<Env>, removed: ReadObject<Item>): Promise<void>
}

/** The operations that name an object by its external id, and the one that sets it. */
export function createExternalIdRoutes<
  Item extends object,
  View extends object,
  Full extends object,
  CreateIn extends object,
  UpdateIn,
  QueryIn,
  CreatedOnly extends object,
  Details extends object,
>(
  resource: Resource<Item, View, Full, CreateIn, UpdateIn, QueryIn, CreatedOnly, Details>,
  store: ReturnType<typeof createStore<Item>>,
  responses: ReturnType<typeof createResponses<Item, View, Full, CreateIn, UpdateIn, QueryIn, CreatedOnly, Details>>,
  { onStored, onRemoved }: Listeners<Item>,
) {
  return new Hono<Env>()
    .get('/external/:externalId', revalidate, async (c) => {
      const include = readInclude(c, resource.details !== undefined)
      const key = { externalId: c.req.param('externalId') }
      return responses.retrieved(c, await store.retrieve(caller(c), key, include), include)
    })
    .put('/external/:externalId', upsertBody(resource.create), async (c) => {
      const name = c.req.param('externalId')
      const { create, update } = c.req.valid('json')
      const issues = getParameterIssues(externalId, 'externalId', name)
      const add = (body: ParsedBody) => ({ ...body, issues: [...issues, ...body.issues] })
      const stored = await store.upsert(caller(c), {
        externalId: name,
        bodies: { create: add(create), update: add(update) },
        condition: getPrecondition(c),
        mustExist: requiresExistence(c),
      })
      await onStored(c, stored)
      if (!stored.isNew) return responses.updated(c, stored)
      return responses.created(c, stored, c.req.path.replace(/\/external\/[^/]*$/, ''))
    })
    .delete('/external/:externalId', async (c) => {
      const removed = await store.removeByExternalId(caller(c), c.req.param('externalId'), getPrecondition(c))
      await onRemoved(c, removed)
      return responses.deleted(c, removed)
    })
    .post('/:id/external-id', jsonBody(externalIdRules), idempotent, async (c) => {
      const respond = renderOnce((stored: StoredObject<Item>) => responses.externalIdSet(c, stored))
      const request = { id: c.req.param('id'), body: c.req.valid('json'), condition: getPrecondition(c), respond }
      const stored = await store.setExternalId(caller(c), request)
      await onStored(c, stored)
      return respond(stored)
    })
}
