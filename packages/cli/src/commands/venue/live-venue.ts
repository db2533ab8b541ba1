import type { Client } from 'merchant-ordering-client'
import { isRecord } from '../../files.ts'
import { type VenueResource, venueResources } from './venue-fields.ts'

/** An object of the service. */
export interface LiveObject {
  resource: VenueResource
  id: string
  externalId?: string
  object: Record<string, unknown>
  details?: Record<string, unknown>
  limits?: Record<string, unknown>
}

/** The objects of a venue in the service. */
export interface LiveVenue {
  objects: readonly LiveObject[]
  /** The object with an external id, or else with an id. */
  find(resource: VenueResource, key: string): LiveObject | undefined
  /** The key of an object in a file: its external id, or else its id. Undefined for an unknown id. */
  keyOf(id: string): string | undefined
}

/** Key of an object of a venue: its resource with its id or external id. */
export const nameOf = (resource: VenueResource, key: string) => `${resource}/${key}`

/** Reads the objects of a venue that a file can have. */
export async function readLiveVenue(client: Client, signal: AbortSignal): Promise<LiveVenue> {
  const objects: LiveObject[] = []
  for await (const line of await client.export(venueResources, { signal })) {
    const { resource, externalId, object } = line
    const [details, limits]: unknown[] = [Reflect.get(line, 'details'), Reflect.get(line, 'limits')]
    objects.push({
      resource,
      id: object.id,
      ...(externalId !== undefined && { externalId }),
      object: { ...object },
      ...(isRecord(details) && { details }),
      ...(isRecord(limits) && { limits }),
    })
  }
  const byId = new Map(objects.map((each) => [nameOf(each.resource, each.id), each]))
  const byExternalId = new Map(
    objects.flatMap((each) =>
      each.externalId === undefined ? [] : [[nameOf(each.resource, each.externalId), each] as const],
    ),
  )
  const keys = new Map(objects.map(({ id, externalId }) => [id, externalId ?? id]))
  return {
    objects,
    find: (resource, key) => byExternalId.get(nameOf(resource, key)) ?? byId.get(nameOf(resource, key)),
    keyOf: (id) => keys.get(id),
  }
}
