import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import type { Env } from '../../platform/http/context.ts'
import { createTextTag, getPrecondition, requiresExistence, revalidate, toState } from '../../platform/http/etag.ts'
import { externalId } from '../../platform/http/fields.ts'
import { jsonResponse } from '../../platform/http/headers.ts'
import { idempotent, renderOnce } from '../../platform/http/idempotency.ts'
import { type Include, isOfPast, nextLink, readInclude } from '../../platform/http/pagination.ts'
import { jsonBody, upsertBody } from '../../platform/http/request-body.ts'
import { getParameterIssues, type ParsedBody, query } from '../../platform/http/validation.ts'
import { createCaller as caller, getRenderContext } from './caller.ts'
import { type Draft, type Resource, readableParts } from './definition.ts'
import { getIncludedFields, type IncludedFields } from './included-fields.ts'
import type { ReadObject, StoredObject } from './row-mapping.ts'
import { createObject } from './store/create.ts'
import { listObjects, retrieveObject } from './store/read.ts'
import { removeByExternalId, removeObject } from './store/remove.ts'
import { createStore, type ObjectKey } from './store/store.ts'
import { setExternalId, updateObject } from './store/update.ts'
import { upsertObject } from './store/upsert.ts'

/**
 * A change of an object, for code that maintains copies of it. Only the `readable` fields of a damaged object are known. `hasNoDetails`: it certainly has
 * none, for instance because it is new.
 */
export type ResourceChange<Item> =
  | { item: Item; version: number; deleted: boolean; hasNoDetails?: boolean }
  | { item?: undefined; id: string; readable: Draft; version: number; deleted: true }

/** The deletion of an object. */
const toDeletion = <Item>(removed: ReadObject<Item>): ResourceChange<Item> => {
  const version = removed.version + 1
  return removed.damaged
    ? { id: removed.id, readable: removed.damaged.readable, version, deleted: true }
    : { item: removed.item, version, deleted: true }
}

/** The header of a list of objects whose names are similar to the words of a search. */
const similarMatch = { 'search-match': 'similar' } as const

const externalIdFields = z.strictObject({
  externalId: z
    .nullable(externalId)
    .check(z.describe('New external id, unique in the merchant, mode and resource. `null` clears it.')),
})

/** Rules of the body that sets or clears an external id. */
export const externalIdRules = {
  schema: externalIdFields,
  partial: z.partial(externalIdFields),
  readOnly: new Set<string>(),
}

/** The header with the external id of an object, percent-encoded. Absent without an external id. */
const createExternalIdHeader = ({ externalId }: { externalId?: string | undefined }): Record<string, string> =>
  externalId === undefined ? {} : { 'External-Id': encodeURIComponent(externalId) }

/** The operations of a resource. `onChange` is called with each change before the response. */
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
  onChange: (c: Context<Env>, change: ResourceChange<Item>) => Promise<void> = async () => {},
) {
  const { name } = resource
  const store = createStore(resource)
  const onStored = (c: Context<Env>, { item, version, hasDetails = true }: StoredObject<Item>, isNew = false) =>
    onChange(c, { item, version, deleted: false, hasNoDetails: isNew || !hasDetails })

  async function createdResponse(c: Context<Env>, stored: StoredObject<Item>, collection: string) {
    const { item, version, id } = stored
    const shown = await resource.toFullView(item, getRenderContext(c))
    const text = JSON.stringify(shown)
    const createdOnly = resource.toCreatedOnly(item)
    const headers = {
      location: `${collection}/${id}`,
      etag: createTextTag(toState(version, item), text),
      ...createExternalIdHeader(stored),
    }
    // Most resources show nothing more once, so that the text of the tag is the text of the response.
    const json = Object.keys(createdOnly).length === 0 ? text : JSON.stringify({ ...shown, ...createdOnly })
    return jsonResponse<Full & CreatedOnly & IncludedFields<Details>, 201>(c, json, headers, 201)
  }

  async function retrievedResponse(c: Context<Env>, stored: StoredObject<Item>, include: Include) {
    const shown = await resource.toFullView(stored.item, getRenderContext(c))
    const included = include && getIncludedFields(resource, stored, include, c.get('scope').merchantId)
    const text = JSON.stringify(included ? { ...shown, ...included } : shown)
    const headers = {
      // The tag covers the whole response, because details change without the object.
      etag: createTextTag(toState(stored.version, stored.item), text),
      ...createExternalIdHeader(stored),
    }
    return jsonResponse<Full & IncludedFields<Details>>(c, text, headers)
  }

  /** The headers of the response to a change, and the JSON text of a retrieve, which the tag covers. */
  async function changedHeaders(c: Context<Env>, stored: StoredObject<Item>) {
    const shown = await resource.toFullView(stored.item, getRenderContext(c))
    const text = JSON.stringify(shown)
    const etag = createTextTag(toState(stored.version, stored.item), text)
    return { shown, text, headers: { etag, ...createExternalIdHeader(stored) } }
  }

  async function updatedResponse(c: Context<Env>, stored: StoredObject<Item>) {
    const { shown, text, headers } = await changedHeaders(c, stored)
    const view = resource.toView(stored.item, getRenderContext(c))
    // A resource with one view returns the object itself.
    const json = Object.is(view, shown) ? text : JSON.stringify(view)
    return jsonResponse<View & IncludedFields<Details>>(c, json, headers)
  }

  async function externalIdResponse(c: Context<Env>, stored: StoredObject<Item>) {
    const { headers } = await changedHeaders(c, stored)
    const { id, externalId = null } = stored
    return jsonResponse<{ id: string; externalId: string | null }>(c, JSON.stringify({ id, externalId }), headers)
  }

  async function deletedResponse(c: Context<Env>, removed: ReadObject<Item>) {
    await onChange(c, toDeletion(removed))
    const { id } = removed
    const message = `${name.charAt(0).toUpperCase()}${name.slice(1)} deleted`
    if (removed.damaged) {
      const object = readableParts(resource, id, removed.damaged.readable)
      return c.json({ id, object, message, deleted: true as const }, 200)
    }
    const object: View & IncludedFields<Details> = resource.toView(removed.item, getRenderContext(c))
    const body = { id, object, message, deleted: true as const }
    return jsonResponse<typeof body>(c, JSON.stringify(body))
  }

  async function retrieve(c: Context<Env>, key: ObjectKey) {
    const include = readInclude(c, resource.details !== undefined)
    if (!isOfPast(c)) return retrievedResponse(c, await retrieveObject(store, caller(c), key, include), include)
    const [{ readPast }, { findObjectAt }] = await Promise.all([
      import('./history/past.ts'),
      import('./history/find-past.ts'),
    ])
    return retrievedResponse(c, await findObjectAt(store, caller(c), key, readPast(c)), undefined)
  }

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
      if (wanted.deleted) {
        const { listDeleted } = await import('./deleted/list-deleted.ts')
        const { items, next, isSimilar } = await listDeleted(store, current, wanted, show)
        // The type of the response stays that of lists, so that typed clients need not tell the two apart.
        const headers =
          next === undefined ? (isSimilar ? similarMatch : undefined) : { link: nextLink(c.req.url, next) }
        return jsonResponse<(View & IncludedFields<Details>)[]>(c, JSON.stringify(items), headers)
      }
      const { items, next, isSimilar } = await listObjects(store, current, wanted, show)
      const headers = next === undefined ? (isSimilar ? similarMatch : undefined) : { link: nextLink(c.req.url, next) }
      return jsonResponse<(View & IncludedFields<Details>)[]>(c, JSON.stringify(items), headers)
    })
    .post('/', jsonBody(resource.create), idempotent, async (c) => {
      const respond = renderOnce((created: StoredObject<Item>) => createdResponse(c, created, c.req.path))
      const created = await createObject(store, caller(c), { body: c.req.valid('json'), respond })
      await onStored(c, created, true)
      return respond(created)
    })
    .get('/:id', revalidate, (c) => retrieve(c, { id: c.req.param('id') }))
    .post('/:id', jsonBody(resource.update), idempotent, async (c) => {
      const respond = renderOnce((updated: StoredObject<Item>) => updatedResponse(c, updated))
      const request = { id: c.req.param('id'), body: c.req.valid('json'), respond, condition: getPrecondition(c) }
      const updated = await updateObject(store, caller(c), request)
      await onStored(c, updated)
      return respond(updated)
    })
    .delete('/:id', async (c) => {
      const removed = await removeObject(store, caller(c), c.req.param('id'), getPrecondition(c))
      return deletedResponse(c, removed)
    })
    .get('/external/:externalId', revalidate, (c) => retrieve(c, { externalId: c.req.param('externalId') }))
    .put('/external/:externalId', upsertBody(resource.create), async (c) => {
      const name = c.req.param('externalId')
      const { create, update } = c.req.valid('json')
      const issues = getParameterIssues(externalId, 'externalId', name)
      const add = (body: ParsedBody) => ({ ...body, issues: [...issues, ...body.issues] })
      const stored = await upsertObject(store, caller(c), {
        externalId: name,
        bodies: { create: add(create), update: add(update) },
        condition: getPrecondition(c),
        mustExist: requiresExistence(c),
      })
      await onStored(c, stored, stored.isNew)
      if (!stored.isNew) return updatedResponse(c, stored)
      return createdResponse(c, stored, c.req.path.replace(/\/external\/[^/]*$/, ''))
    })
    .delete('/external/:externalId', async (c) => {
      const removed = await removeByExternalId(store, caller(c), c.req.param('externalId'), getPrecondition(c))
      return deletedResponse(c, removed)
    })
    .post('/:id/external-id', jsonBody(externalIdRules), idempotent, async (c) => {
      const respond = renderOnce((stored: StoredObject<Item>) => externalIdResponse(c, stored))
      const request = { id: c.req.param('id'), body: c.req.valid('json'), condition: getPrecondition(c), respond }
      const stored = await setExternalId(store, caller(c), request)
      await onStored(c, stored)
      return respond(stored)
    })
}
