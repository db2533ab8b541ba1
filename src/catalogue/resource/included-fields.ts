import type { Include } from '../../platform/http/pagination.ts'
import { type DetailsDefinition, listPartIds, readDetails } from './details/details-definition.ts'
import type { LazyDetails } from './details/load-details.ts'
import type { StoredObject } from './row-mapping.ts'

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
