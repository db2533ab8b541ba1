import { describe, expect, test } from 'vitest'
import { createVenue } from '../../support/api.ts'
import { importFile, jsonl, listIssues, toCounts, toJsonLines } from '../../support/imports.ts'
import { createNamedDishes, readNamedDetails } from '../../support/named-dishes.ts'

const lists = '/export?resources=modifiers,products,menus'

describe('details that name objects and options', () => {
  test('come out of an export in another venue as they were, whatever stands first', async () => {
    const [venue, other] = [await createVenue(), await createVenue()]
    await createNamedDishes(venue)
    const file = String((await venue.get(lists)).body)
    const order = Array.from(file.matchAll(/"title":"(\w+)"/g), ([, title]) => title)
    // The bundle stands before its parts.
    expect(order.indexOf('Set')).toBeLessThan(order.indexOf('Latte'))
    const done = await importFile(other, '', file, jsonl)
    expect([await listIssues(other, done.id), done.failed, done.created]).toEqual([[], 0, 9])
    const expected = await readNamedDetails(venue)
    expect(await readNamedDetails(other)).toEqual(expected)
    // Nothing names the venue that the file is from.
    const { ids } = await createNamedDishes(await createVenue())
    const text = String((await other.get(lists)).body)
    const objects = [...ids.keys()].filter((name) => !name.includes(' '))
    const of = new Map((await venue.get('/products?limit=100')).body.map(({ id, title }: Titled) => [title, id]))
    expect(objects.filter((name) => of.has(name) && text.includes(String(of.get(name))))).toEqual([])

    expect(toCounts(await importFile(other, '', file, jsonl))).toMatchObject({ created: 9 })
  })

  test('name the options of objects that are kept, which have ids of their own', async () => {
    const [venue, other] = [await createVenue(), await createVenue()]
    await createNamedDishes(venue)
    const file = String((await venue.get(lists)).body)
    // The other venue has the modifiers, and nothing that uses them.
    await createNamedDishes(other)
    for (const collection of ['menus', 'products'])
      for (const { id } of (await other.get(`/${collection}?limit=100`)).body)
        await other.remove(`/${collection}/${id}`)
    const done = await importFile(other, 'match=title&existing=keep', file, jsonl)
    expect([await listIssues(other, done.id), toCounts(done)]).toEqual([
      [],
      { rows: 9, checked: 9, applied: 9, created: 5, unchanged: 4 },
    ])
    expect(await readNamedDetails(other)).toEqual(await readNamedDetails(venue))
  })

  test('that name an option which the kept object lacks are an issue of the row', async () => {
    const venue = await createVenue()
    await venue.post('/modifiers', { title: 'Size', instructions: '', type: 'RADIO', options: [{ label: 'S' }] })
    const lines = [
      {
        resource: 'modifiers',
        id: 'm',
        title: 'Size',
        type: 'RADIO',
        options: [
          { id: 's', label: 'S' },
          { id: 'l', label: 'L' },
        ],
      },
      {
        ...{ resource: 'products', title: 'Tea', price: 1, modifiers: ['m'] },
        details: { sizes: { modifier: 'm', prices: { s: { price: 1 }, l: { price: 2 } } } },
      },
    ]
    const done = await importFile(venue, 'match=title&existing=keep', toJsonLines(lines), jsonl)
    expect(await listIssues(venue, done.id)).toEqual(['2 /details/sizes/prices/l not_found'])
  })
})
interface Titled {
  id: string
  title: string
}
