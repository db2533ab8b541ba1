import { describe, expect, test } from 'vitest'
import { getResource } from '../../../src/bulk/import/rows/imported-resource.ts'
import { resources } from '../../../src/catalogue/resources/registry.ts'
import { type ResourcePath, resourcePaths } from '../../../src/platform/names.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { check, csv, importFile, jsonl, listIssues, toCounts, toJsonLines, upload } from '../../support/imports.ts'
import { samples } from '../../support/samples.ts'

type Fields = Record<string, unknown>

const byTitle = 'match=title'
const keeping = 'match=title&existing=keep'
const load = (venue: Venue, query: string, lines: readonly Fields[]) =>
  importFile(venue, query, toJsonLines(lines), jsonl)
const list = async (venue: Venue, path: string): Promise<Fields[]> =>
  (await venue.get(`/${path}?order=asc&include=externalId,version`)).body
const tea = (more: Fields = {}) => ({ resource: 'products', title: 'Tea', price: 3, ...more })

/** The path of a resource. */
function requireResource(collection: string): ResourcePath {
  const path = resourcePaths.find((each) => each === collection)
  if (path === undefined) throw new Error(`${collection} is no resource`)
  return path
}

describe.each(samples)('$collection', ({ collection, body }) => {
  const resource = requireResource(collection)
  const line = { resource, ...body('Sample 1') }

  test('are not created again by a file that was applied', async () => {
    const venue = await createVenue()
    const lines = [{ ...line, id: 'own/1' }]
    expect(toCounts(await load(venue, byTitle, lines))).toMatchObject({ created: 1 })
    const [object] = await list(venue, resource)
    for (const query of [keeping, byTitle]) {
      const again = await load(venue, query, lines)
      expect(toCounts(again)).toEqual({ rows: 1, checked: 1, applied: 1, unchanged: 1 })
      expect(again).toMatchObject({ outcomes: { [resource]: { created: 0, updated: 0, unchanged: 1 } }, notices: [] })
    }
    expect(await list(venue, resource)).toEqual([object])
  })

  test('have a title of fields that clients write', () => {
    const { [resource]: definition } = resources
    const fields = Object.keys(definition.item.shape)
    expect(getResource(resource).titleFields.filter((field) => !fields.includes(field))).toEqual([])
  })
})

describe('rows with the same title', () => {
  const lines = [3, 4, 3].map((price, index) => tea({ price, id: `own/${index}` }))

  test('belong to objects with it in their order, as many as there are', async () => {
    const venue = await createVenue()
    expect(toCounts(await load(venue, keeping, lines.slice(0, 2)))).toMatchObject({ created: 2 })
    expect(toCounts(await load(venue, keeping, lines))).toMatchObject({ created: 1, unchanged: 2 })
    const raised = lines.map((each, index) => ({ ...each, price: 5 + index }))
    expect(toCounts(await load(venue, byTitle, raised))).toMatchObject({ updated: 3 })
    expect((await list(venue, 'products')).map(({ price }) => price)).toEqual([5, 6, 7])
  })

  test('are numbered over all chunks of a file', async () => {
    const venue = await createVenue()
    const many = Array.from({ length: 600 }, (_, index) => tea({ id: `own/${index}` }))
    expect(toCounts(await load(venue, keeping, many))).toMatchObject({ created: 600 })
    expect(toCounts(await load(venue, keeping, many))).toMatchObject({ unchanged: 600 })
  })

  test('of another resource or in other words are others', async () => {
    const venue = await createVenue()
    const modifier = { resource: 'modifiers', title: 'Tea', instructions: '' }
    expect(toCounts(await load(venue, keeping, [tea(), modifier, tea({ title: 'tea' })]))).toMatchObject({ created: 3 })
    expect(toCounts(await load(venue, keeping, [tea({ title: ' Tea ' })]))).toMatchObject({ unchanged: 1 })
  })
})

describe('objects that a row finds by its title', () => {
  test('get the external id of the row, in one change and one event', async () => {
    const venue = await createVenue()
    for (const title of ['Tea', 'Milk']) expect((await venue.post('/products', { title, price: 3 })).status).toBe(201)
    const lines = [tea({ externalId: 'T', price: 4 }), tea({ title: 'Milk', externalId: 'M' })]
    expect(toCounts(await load(venue, byTitle, lines))).toMatchObject({ updated: 2 })
    expect(await list(venue, 'products')).toMatchObject([
      { title: 'Tea', price: 4, externalId: 'T', version: 2 },
      { title: 'Milk', price: 3, externalId: 'M', version: 2 },
    ])
    const events: Fields[] = (await venue.get('/events?types=product.updated')).body
    expect(events.map(({ externalId, previous }) => [externalId, previous])).toEqual([
      ['T', expect.objectContaining({ price: 3, externalId: null })],
      ['M', { externalId: null }],
    ])
    expect(toCounts(await load(venue, byTitle, lines))).toMatchObject({ unchanged: 2 })
    // From now on the external id finds the object, whatever its title is.
    expect(toCounts(await load(venue, byTitle, [tea({ title: 'Chai', externalId: 'T' })]))).toMatchObject({
      updated: 1,
    })
  })

  test('keep an external id that differs from that of the row, which creates another object', async () => {
    const venue = await createVenue()
    await load(venue, byTitle, [tea({ externalId: 'POS-1' })])
    expect(toCounts(await load(venue, byTitle, [tea({ externalId: 'FILE-1' })]))).toMatchObject({ created: 1 })
    expect((await list(venue, 'products')).map(({ externalId }) => externalId)).toEqual(['POS-1', 'FILE-1'])
  })
})

describe('existing=keep', () => {
  test('changes no object, says which differ, and creates the others with their references', async () => {
    const venue = await createVenue()
    await load(venue, keeping, [tea({ externalId: 'T' }), tea({ title: 'Milk' })])
    const before = await list(venue, 'products')
    const lines = [
      tea({ externalId: 'T', price: 9 }),
      tea({ title: 'Milk', id: 'own/milk', description: 'Cold' }),
      { resource: 'menus', title: 'Day', sections: [{ title: 'All', items: ['T', 'own/milk'] }] },
    ]
    const checked = await check(venue, keeping, toJsonLines(lines), jsonl)
    expect(checked.existing).toBe('keep')
    expect(checked.notices).toEqual([
      { code: 'existing_kept', resource: 'products', count: 2, message: '2 products differ from the file and stay' },
    ])
    const applied = await load(venue, keeping, lines)
    expect(applied.outcomes).toEqual({
      products: { created: 0, updated: 0, unchanged: 2 },
      menus: { created: 1, updated: 0, unchanged: 0 },
    })
    expect(await list(venue, 'products')).toEqual(before)
    const [menu] = await list(venue, 'menus')
    expect(menu?.['sections']).toMatchObject([{ items: before.map(({ id }) => id) }])
    // A menu that names objects by ids of the file is as the file says.
    expect((await check(venue, keeping, toJsonLines(lines.slice(1)), jsonl)).notices).toMatchObject([
      { resource: 'products', count: 1 },
    ])
  })

  test('leaves out rows that are not valid, those of objects that exist too', async () => {
    const venue = await createVenue()
    await load(venue, keeping, [tea()])
    const checked = await check(venue, keeping, toJsonLines([tea({ price: -1 }), tea({ title: 'Milk' })]), jsonl)
    expect(await listIssues(venue, checked.id)).toEqual(['1 /price too_small'])
  })

  test('cannot set counters, and titles cannot delete', async () => {
    const venue = await createVenue()
    for (const query of ['existing=keep&counters=set', 'match=title&delete=missing', 'existing=all']) {
      expect((await upload(venue, `${query}&resource=products`, 'title\nTea', csv)).status).toBe(422)
    }
  })
})

test('rows of CSV have titles too', async () => {
  const venue = await createVenue()
  const tags = 'metadata.area,metadata.table\nBar,1\nBar,2\n'
  const products = 'title,price\nTea,3\n'
  for (const outcome of ['created', 'unchanged']) {
    expect(toCounts(await importFile(venue, `${keeping}&resource=tags`, tags))).toMatchObject({ [outcome]: 2 })
    expect(toCounts(await importFile(venue, `${byTitle}&resource=products`, products))).toMatchObject({ [outcome]: 1 })
  }
})

/** Two rows that create other objects. They are so large that a step takes one of them: rows before them and behind them are of different steps. */
const others = [1, 2].map((index) => {
  const metadata = Array.from({ length: 49 }, (_, key) => ({ key: `${key}`, value: 'x'.repeat(5_000) }))
  return tea({ title: `Other ${index}`, externalId: `O-${index}`, metadata })
})

describe('rows of different steps that select one object by different keys', () => {
  test.each<[string, Fields, Fields, Fields]>([
    ['id and title', {}, { title: 'Coffee' }, { title: 'Tea' }],
    ['title and id', {}, { title: 'Tea', price: 4 }, { title: 'Coffee' }],
    ['external id and title', { externalId: 'TEA' }, { externalId: 'TEA', title: 'Coffee' }, { title: 'Tea' }],
    [
      'title and external id',
      { externalId: 'TEA' },
      { title: 'Tea', price: 4 },
      { externalId: 'TEA', title: 'Coffee' },
    ],
  ])('are an issue of the second: %s', async (keys, existing, first, second) => {
    const venue = await createVenue()
    await load(venue, '', [tea(existing)])
    const [{ id } = {}] = await list(venue, 'products')
    const named = (row: Fields, isFirst: boolean) =>
      keys === (isFirst ? 'id and title' : 'title and id') ? tea({ ...row, id }) : tea(row)
    const lines = [named(first, true), ...others, named(second, false)]
    const checked = await check(venue, byTitle, toJsonLines(lines), jsonl)
    expect(await listIssues(venue, String(checked.id))).toEqual([`${lines.length} duplicate`])
  })

  test('are an issue too if the first one gives the object the title of the second', async () => {
    const venue = await createVenue()
    await load(venue, '', [tea({ title: 'Coffee' }), tea({ title: 'Younger' })])
    const younger = (await list(venue, 'products')).find(({ title }) => title === 'Younger')
    // Of two objects named Coffee, the second is the one that an earlier row has changed.
    const lines = [
      tea({ id: younger?.['id'], title: 'Coffee', price: 4 }),
      ...others,
      tea({ title: 'Coffee', price: 5 }),
    ]
    const checked = await check(venue, byTitle, toJsonLines(lines), jsonl)
    expect(await listIssues(venue, String(checked.id))).toEqual([])
    const done = await importFile(venue, byTitle, toJsonLines(lines), jsonl)
    expect(toCounts(done)).toMatchObject({ created: 2, updated: 1, failed: 1 })
    expect(await listIssues(venue, String(done.id))).toEqual([`${lines.length} duplicate`])
    const coffees = (await list(venue, 'products')).filter(({ title }) => title === 'Coffee')
    expect(coffees.map(({ price }) => price)).toEqual([3, 4])
  })
})

test('by external id and by id, one object is not changed by two rows of different steps', async () => {
  const venue = await createVenue()
  await load(venue, '', [tea({ externalId: 'TEA' })])
  const [{ id } = {}] = await list(venue, 'products')
  const lines = [tea({ externalId: 'TEA', price: 4 }), ...others, tea({ id, price: 5 })]
  const checked = await check(venue, '', toJsonLines(lines), jsonl)
  expect(await listIssues(venue, String(checked.id))).toEqual([`${lines.length} duplicate`])
})
