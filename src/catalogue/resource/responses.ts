import type { Context } from 'hono'
import type { Env } from '../../platform/http/context.ts'
import { createStateTag, createTextTag, toState } from '../../platform/http/etag.ts'
import { jsonResponse } from '../../platform/http/headers.ts'
import type { Include } from '../../platform/http/pagination.ts'
import { type Resource, readableParts } from './definition.ts'
import { type DetailsDefinition, listPartIds, readDetails } from './details/details-definition.ts'
import type { LazyDetails } from './details/load-details.ts'
import type { ReadObject, StoredObject } from './plan/row-mapping.ts'
import { getRenderContext } from './request-context.ts'

/** Fields that a request can include. */
export interface IncludedFields<Details extends object> {
  externalId?: string
  version?: number
  details?: Details | undefined
}

interface WithDetails<Details extends object> {
  details?: LazyDetails<DetailsDefinition<Details>> | undefined
}

/** The details of an object that was read with them. They are loaded. */
export function getDetails<Details extends object>(
  { details }: WithDetails<Details>,
  stored: string | null | undefined,
  item: object,
  source: { id: string; merchantId: string },
): Details | undefined {
  if (!details) return undefined
  const definition = details.get()
  const parts: unknown = definition.parts && Reflect.get(item, definition.parts.field)
  return readDetails(definition, stored, listPartIds(parts), source)
}

/** The fields that a request includes. */
export const getIncludedFields = <Details extends object>(
  resource: WithDetails<Details>,
  { id, item, externalId, version, details }: StoredObject<object>,
  include: Include = [],
  merchantId = '',
): IncludedFields<Details> => ({
  ...(include.includes('externalId') && externalId !== undefined && { externalId }),
  ...(include.includes('version') && { version }),
  ...(include.includes('details') && { details: getDetails(resource, details, item, { id, merchantId }) }),
})

/** The header with the external id of an object, percent-encoded. Absent without an external id. */
const createExternalIdHeader = ({ externalId }: { externalId?: string | undefined }): Record<string, string> =>
  externalId === undefined ? {} : { 'External-Id': encodeURIComponent(externalId) }

/** The responses of a resource's operations. */
export function createResponses<
  Item extends object,
  View extends object,
  Full extends object,
  CreateIn,
  UpdateIn,
  QueryIn,
  CreatedOnly extends object,
  Details extends object,
>(resource: Resource<Item, View, Full, CreateIn, UpdateIn, QueryIn, CreatedOnly, Details>) {
  const { name } = resource
  const message = `${name.charAt(0).toUpperCase()}${name.slice(1)} deleted`
  return {
    async created(c: Context<Env>, stored: StoredObject<Item>, collection: string) {
      const { item, version, id } = stored
      const shown = await resource.toFullView(item, getRenderContext(c))
      const created: Full & CreatedOnly & IncludedFields<Details> = { ...shown, ...resource.toCreatedOnly(item) }
      const headers = { Location: `${collection}/${id}`, ETag: createStateTag(toState(version, item), shown) }
      return c.json(created, 201, { ...headers, ...createExternalIdHeader(stored) })
    },

    async retrieved(c: Context<Env>, stored: StoredObject<Item>, include: Include) {
      const shown = await resource.toFullView(stored.item, getRenderContext(c))
      const included = include && getIncludedFields(resource, stored, include, c.get('scope').merchantId)
      const text = JSON.stringify(included ? { ...shown, ...included } : shown)
      const headers = {
        // The tag covers the whole response, because details change without the object.
        etag: createTextTag(toState(stored.version, stored.item), text),
        ...createExternalIdHeader(stored),
      }
      return jsonResponse<Full & IncludedFields<Details>>(c, text, headers)
    },

    async updated(c: Context<Env>, stored: StoredObject<Item>) {
      const renderContext = getRenderContext(c)
      const ETag = createStateTag(
        toState(stored.version, stored.item),
        await resource.toFullView(stored.item, renderContext),
      )
      const headers = { ETag, ...createExternalIdHeader(stored) }
      const body: View & IncludedFields<Details> = resource.toView(stored.item, renderContext)
      return c.json(body, 200, headers)
    },

    async externalIdSet(c: Context<Env>, stored: StoredObject<Item>) {
      const { id, item, version, externalId = null } = stored
      const ETag = createStateTag(toState(version, item), await resource.toFullView(item, getRenderContext(c)))
      return c.json({ id, externalId }, 200, { ETag, ...createExternalIdHeader(stored) })
    },

    deleted(c: Context<Env>, removed: ReadObject<Item>) {
      const { id } = removed
      if (removed.damaged) {
        const object = readableParts(resource, id, removed.damaged.readable)
        return c.json({ id, object, message, deleted: true as const }, 200)
      }
      const object: View & IncludedFields<Details> = resource.toView(removed.item, getRenderContext(c))
      return c.json({ id, object, message, deleted: true as const }, 200)
    },
  }
}
