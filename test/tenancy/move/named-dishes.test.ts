import { expect, test } from 'vitest'
import { createVenue, send } from '../../support/api.ts'
import { moveTo } from '../../support/moves.ts'
import {
  addUnknownMembers,
  countUnknownMembers,
  createNamedDishes,
  readNamedDetails,
} from '../../support/named-dishes.ts'

test('a move to an object and back keeps all that details name, and members of a later release', async () => {
  const venue = await createVenue({ home: 'd1' })
  const { of, setDetails } = await createNamedDishes(venue)
  await addUnknownMembers(venue.id)
  const read = async () => ({
    named: await readNamedDetails(venue),
    unknown: await countUnknownMembers(venue.id),
    modifiers: (await send(`/m/${venue.id}.json`)).body.modifiers,
  })
  const before = await read()
  for (const home of ['object', 'd1'] as const) {
    expect(await moveTo(venue.id, home)).toMatchObject({ state: 'done', home })
    expect(await read()).toEqual(before)
    // Both homes run the same statements: a reference that is gone is hidden in both.
    await setDetails(`products/${of('Set')}`, { diets: home === 'object' ? ['vegan'] : ['vegetarian'] })
    await setDetails(`products/${of('Set')}`, { diets: ['vegetarian'] })
  }
  await venue.remove(`/modifiers/${of('Size')}`)
  expect(JSON.stringify(await venue.get(`/products/${of('Set')}/details`))).not.toContain(of('Size S'))
})
