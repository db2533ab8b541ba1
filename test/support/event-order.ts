/** An event of the feed, as far as its place is concerned. */
export interface FeedEvent {
  id: string
  type: string
  version: number
  externalId?: string
  restored?: boolean
  data: Record<string, unknown>
  previous?: Record<string, unknown>
}

function* listTexts(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* listTexts(each)
}

const getId = (value: unknown): string[] => {
  const id: unknown = Object(value)['id']
  return typeof id === 'string' ? [id] : []
}

/** Ids of what an event is about: the published event, the object, the adjustment or the redemption. */
export const listOwnIds = ({ id, data }: FeedEvent): string[] => [
  id,
  ...getId(data),
  ...getId(data['redemption']),
  ...(typeof data['reference'] === 'string' ? [data['reference']] : []),
]

/** Ids of the objects of which an event has a new version. */
const listMoved = ({ data }: FeedEvent): string[] => [
  ...getId(data),
  ...getId(data['coupon']),
  ...(Array.isArray(data['changes']) ? data['changes'].map(({ product }) => String(product)) : []),
]

/**
 * Events of one change, `a` before `b`, whose order is wrong: `a` names an object of which only `b` has the new version. The names
 * in a deleted object do not matter any more.
 */
export function findMisplaced(events: readonly FeedEvent[], subjects: readonly string[] = []): string[] {
  return events.flatMap((event, index) => {
    // Published orders can name any object.
    if (subjects.includes(event.id) || event.type.endsWith('.deleted')) return []
    const own = new Set(listMoved(event))
    const named = new Set([...listTexts(event.data), ...listTexts(event.previous)].filter((text) => !own.has(text)))
    return events
      .slice(index + 1)
      .filter((later) => listMoved(later).some((id) => named.has(id)))
      .map((later) => `${event.type} before ${later.type}`)
  })
}
