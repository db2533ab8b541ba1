import { describe, expect, test } from 'vitest'
import { createVenue, send, type Venue } from '../../../support/api.ts'
import {
  addUnknownMembers,
  countUnknownMembers,
  createNamedDishes,
  readNamedDetails,
} from '../../../support/named-dishes.ts'

/**
 * Everything that people and programs read of a venue, without costs by size in details: they name an option of any modifier, so that nothing but all
 * modifiers tells whether it exists. Costs at a size that is gone stay there without effect, and guests do not see them.
 */
async function readAll(venue: Venue) {
  const lists = await Promise.all(
    ['modifiers', 'products', 'menus'].map(
      async (name) => (await venue.get(`/${name}?include=details&limit=100`)).body,
    ),
  )
  const single = await Promise.all(
    ['modifiers', 'products', 'menus'].flatMap((name, index) =>
      lists[index].map(async ({ id }: { id: string }) => (await venue.get(`/${name}/${id}/details`)).body),
    ),
  )
  const all = {
    ...{ lists, single },
    export: (await venue.get('/export?resources=modifiers,products,menus')).body,
    data: (await send(`/m/${venue.id}.json`)).body,
    page: (await send(`/m/${venue.id}`)).body,
    sheet: (await send(`/m/${venue.id}/allergens`)).body,
  }
  const withoutCosts = (content: unknown) =>
    (typeof content === 'string' ? content : JSON.stringify(content)).replace(
      /"sizedCosts":\{("[^"]+":\{[^}]*\},?)+\}/g,
      '',
    )
  return Object.entries(all).map(
    ([place, content]) => [place, place === 'data' ? JSON.stringify(content) : withoutCosts(content)] as const,
  )
}

/** Names of everything that goes with an object: itself and its options. */
const namesOf = (all: ReadonlyMap<string, string>, name: string) =>
  [...all.keys()].filter((each) => each === name || each.startsWith(`${name} `))

type Details = Record<string, unknown>
const isDetails = (value: unknown): value is Details => typeof value === 'object' && value !== null

/** Details by title, without costs by size. */
const toComparable = (details: Details) =>
  Object.fromEntries(
    Object.entries(details).map(([title, each]) => {
      const { sizedCosts: _, ...others } = isDetails(each) ? each : {}
      return [title, others]
    }),
  )

/** Details without the entries and members that name what is gone, and what is empty then. */
function without(value: unknown, gone: readonly string[]): unknown {
  const isGone = (text: unknown) => typeof text === 'string' && gone.includes(text)
  if (Array.isArray(value)) return value.map((each) => without(each, gone)).filter((each) => each !== undefined)
  if (!isDetails(value)) return isGone(value) ? undefined : value
  if (['product', 'modifier', 'size'].some((member) => isGone(value[member]))) return undefined
  const left = Object.entries(value).flatMap(([key, inner]) => {
    const kept = isGone(key) ? undefined : without(inner, gone)
    const isEmpty =
      kept === undefined ||
      (isDetails(kept) && Object.keys(kept).length === 0 && isDetails(inner) && Object.keys(inner).length > 0)
    return isEmpty && key !== 'items' ? [] : [[key, kept]]
  })
  const names = left.map(([key]) => key)
  // Sizes need a price, and so does an entry of the prices of a menu.
  if ('prices' in value && 'modifier' in value && !names.includes('prices')) return undefined
  if ('product' in value && 'sizes' in value && !names.includes('sizes') && !names.includes('price')) return undefined
  return Object.fromEntries(left)
}

describe.each(['d1', 'object'])('in the home %s, after the deletion of', (home) => {
  test.each(['Size L', 'Milk Oat', 'Size', 'Foam', 'Milk', 'Latte', 'Cake', 'Set', 'All'])(
    '%s, nothing that is shown names it, and nothing else is lost',
    async (name) => {
      const venue = await createVenue({ home })
      const { ids, of, setDetails } = await createNamedDishes(venue)
      await addUnknownMembers(venue.id)
      const [stored] = await countUnknownMembers(venue.id)
      const before = toComparable(await readNamedDetails(venue))
      const gone = namesOf(ids, name)
      const [owner = '', label] = name.split(' ')
      const collection = ['Size', 'Foam', 'Milk'].includes(owner) ? 'modifiers' : owner === 'All' ? 'menus' : 'products'
      const path = `/${collection}/${of(owner)}`
      if (label === undefined) expect((await venue.remove(path)).status).toBe(200)
      else {
        const { options } = (await venue.get(path)).body
        const left = options.filter(({ id }: { id: string }) => id !== of(name))
        expect((await venue.post(path, { options: left })).status).toBe(200)
      }
      const places = async () =>
        (await readAll(venue)).flatMap(([place, content]) =>
          gone.filter((each) => content.includes(of(each))).map((each) => `${each} in ${place}`),
        )
      expect.soft(await places()).toEqual([])
      const { [name]: _gone, ...others } = before
      const expected = Object.fromEntries(
        Object.entries(others).map(([title, details]) => [title, without(details, gone)]),
      )
      expect.soft(toComparable(await readNamedDetails(venue))).toEqual(expected)

      // A change of another field keeps what this release does not know, and what is not shown does not come back.
      for (const title of Object.keys(expected)) {
        const where = ['Size', 'Foam', 'Milk', 'Cocoa'].includes(title)
          ? 'modifiers'
          : title === 'All'
            ? 'menus'
            : 'products'
        await setDetails(`${where}/${of(title)}`, { translations: { de: { title: 'Neu' } } })
      }
      expect.soft(await places()).toEqual([])
      const isStored = label === undefined && Object.keys(before[name] ?? {}).length > 0
      const left = Object.keys(expected).length
      expect(await countUnknownMembers(venue.id)).toEqual([isStored ? stored - 1 : stored, left])
    },
  )
})

test.each([
  [false, 1, 'not_stated'],
  [true, 2, true],
])('an option whose modifier is gone (%s) suits what it states itself', async (isGone, shown, suits) => {
  const venue = await createVenue()
  const { of, setDetails } = await createNamedDishes(venue)
  for (const title of ['Latte', 'Tea']) await setDetails(`products/${of(title)}`, { sizes: { sameContents: true } })
  // Nobody states what the foam contains that must be chosen.
  await setDetails(`modifiers/${of('Foam')}`, { min: 1, max: 1 })
  if (isGone) await venue.remove(`/modifiers/${of('Foam')}`)
  const { menus, modifiers } = (await send(`/m/${venue.id}.json?without=milk`)).body
  const milk = modifiers.find(({ id }: { id: string }) => id === of('Milk'))
  const found = milk.options.map((option: { suits: unknown }) => option.suits)
  expect([menus[0].sections[0].products.length, found]).toEqual([shown, [false, suits]])
})
