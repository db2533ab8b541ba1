import { eventTypes } from '../../src/catalogue/events/event-catalogue.operations.ts'
import type { Venue } from './api.ts'
import type { FeedEvent } from './event-order.ts'

type Fields = Record<string, unknown>
/** An object of a copy. `details` are absent if the object has no details. */
interface Copied {
  object: Fields
  externalId?: string | undefined
  details?: unknown
}
export type Copy = Map<string, Copied>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const rules = new Map(eventTypes.map(({ type, copy }) => [String(type), copy]))

/** The copy that an export is, and the event behind which it goes on. */
export async function readExport(venue: Pick<Venue, 'get'>): Promise<{ copy: Copy; lastEvent: string }> {
  const lines = String((await venue.get('/export')).body)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const copy = lines
    .filter(({ object }) => object)
    .map(({ object, externalId, details }): [string, Copied] => [object.id, { object, externalId, details }])
  return { copy: new Map(copy), lastEvent: lines[0].export.lastEvent }
}

/** Follows the log of events to its end. */
export async function readEvents(venue: Pick<Venue, 'get'>, after: string): Promise<FeedEvent[]> {
  const { body } = await venue.get(`/events?limit=100&after=${after}`)
  const last = body.at(-1)?.id
  return last === undefined ? [] : [...body, ...(await readEvents(venue, last))]
}

/** The objects that an event sets: its data, or what that names. */
export function listParts({
  type,
  data,
  externalId,
}: Pick<FeedEvent, 'type' | 'data' | 'externalId'>): { id: string; fields: Fields; externalId?: string | undefined }[] {
  const noun = type.split('.')[0] ?? ''
  const inner = data[noun]
  if (isFields(inner)) return [{ id: String(inner['id']), fields: inner }]
  if (!Array.isArray(data['changes'])) return [{ id: String(data['id']), fields: data, externalId }]
  return data['changes'].map(({ product, soldOut: _, ...fields }) => ({ id: product, fields }))
}

/** Applies an event by the rule of its type alone. */
export function applyEvent(copy: Copy, event: FeedEvent): void {
  const rule = rules.get(event.type)
  for (const { id, fields, externalId } of listParts(event)) {
    const known = copy.get(id)
    if (rule === 'delete') copy.delete(id)
    else if (rule === 'create') copy.set(id, { object: fields, externalId, details: known?.details })
    else if (rule === 'replace' && known)
      copy.set(id, { ...known, object: fields, ...('id' in event.data && { externalId }) })
    else if (rule === 'merge' && known) {
      const { id: _id, details, version: _version, ...merged } = fields
      copy.set(id, { ...known, object: { ...known.object, ...merged }, ...(isFields(details) && { details }) })
    }
  }
}

/** The objects of a copy by their ids. Details may name deleted products, which responses leave out: so does a copy. */
export const sortCopy = (copy: Copy): Copied[] =>
  [...copy.values()]
    .sort((a, b) => (String(a.object['id']) < String(b.object['id']) ? -1 : 1))
    .map((each) => {
      if (!isFields(each.details) || !Array.isArray(each.details['prices'])) return each
      const prices = each.details['prices'].filter(({ product }) => copy.has(product))
      return { ...each, details: { ...each.details, prices } }
    })
