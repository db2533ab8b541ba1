import { describe, expect, test } from 'vitest'
import { eventNames } from '../../../src/catalogue/events/event-types.ts'
import type { Venue } from '../../support/api.ts'
import { type FeedEvent, findMisplaced, listOwnIds } from '../../support/event-order.ts'
import { createShop } from '../../support/event-shop.ts'
import { ways } from './event-ways.ts'

const listEvents = async ({ get }: Venue): Promise<FeedEvent[]> => (await get('/events?limit=100')).body

const raised = new Set<string>()
/** How an event counts towards the order: those of the change itself come first. */
const isOwn = (subjects: readonly string[]) => (event: FeedEvent) =>
  listOwnIds(event).some((id) => subjects.includes(id))

describe.each(['d1', 'object'])('in a merchant of home %s', (home) => {
  test.each(Object.entries(ways))(
    'what is caused by %s comes after its event',
    async (_, { effects, prepare, write }) => {
      const shop = await createShop(home)
      await prepare?.(shop)
      const before = (await listEvents(shop)).length
      const subjects = await write(shop)
      const events = (await listEvents(shop)).slice(before)
      for (const { type } of events) raised.add(type)
      const types = events.map(({ type }) => type)
      const own = events.filter(isOwn(subjects))
      expect(own.flatMap(listOwnIds)).toEqual(expect.arrayContaining(subjects))
      expect([...own, ...events.filter((event) => !own.includes(event))].map(({ type }) => type)).toEqual(types)
      expect(findMisplaced(events, subjects)).toEqual([])
      expect(types).toHaveLength(own.length + effects)
    },
  )
})

test('each type of event that is not of a change of an object is raised by one of these ways', () => {
  const isOfChange = (type: string) => /^(?!order)\w+\.(?:created|updated|deleted)$/.test(type)
  // The scheduler raises it: test/bulk/release/schedule.test.ts.
  const missing = eventNames.filter((type) => !isOfChange(type) && !raised.has(type))
  expect(missing).toEqual(['release.failed'])
})
