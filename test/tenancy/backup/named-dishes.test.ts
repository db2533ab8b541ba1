import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createVenue } from '../../support/api.ts'
import {
  addUnknownMembers,
  countUnknownMembers,
  createNamedDishes,
  readNamedDetails,
} from '../../support/named-dishes.ts'
import { backUp, restore } from './restores.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => {
  vi.useRealTimers()
})

const lists = '/export?resources=modifiers,products,menus'

test.each(['d1', 'object'])(
  'a restore in the home %s brings back all that details name, and members of a later release',
  async (home) => {
    const venue = await createVenue({ home })
    const { of } = await createNamedDishes(venue)
    await addUnknownMembers(venue.id)
    const read = async () => ({
      named: await readNamedDetails(venue),
      unknown: await countUnknownMembers(venue.id),
      lines: String((await venue.get(lists)).body)
        .split('\n')
        .slice(1),
    })
    const before = await read()
    const takenAt = await backUp(venue.id)
    for (const path of ['modifiers/Size', 'modifiers/Foam', 'products/Latte', 'products/Cake', 'menus/All']) {
      const [collection, title = ''] = path.split('/')
      expect((await venue.remove(`/${collection}/${of(title)}`)).status).toBe(200)
    }
    expect(await read()).not.toEqual(before)
    expect((await restore(venue.id, takenAt)).omitted).toEqual({})
    expect(await read()).toEqual(before)
  },
)
