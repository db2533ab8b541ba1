import { describe, expect, test } from 'vitest'
import { createVenue, type Venue } from '../../support/api.ts'
import {
  check,
  csv,
  importFile,
  jsonl,
  listIssues,
  settle,
  toCounts,
  toJsonLines,
  upload,
} from '../../support/imports.ts'
import { samples } from '../../support/samples.ts'

const exportFile = async (venue: Pick<Venue, 'get'>, query = '') => String((await venue.get(`/export${query}`)).body)
const list = async (venue: Pick<Venue, 'get'>, collection: string) =>
  (await venue.get(`/${collection}?order=asc&limit=100`)).body

/** A venue with objects of every resource that name each other. */
async function createFullVenue() {
  const venue = await createVenue()
  const create = async (collection: string, body: object) => (await venue.post(`/${collection}`, body)).body.id
  const modifier = await create('modifiers', { title: 'Milk', instructions: '' })
  const product = await create('products', { title: 'Tea', price: 1, modifiers: [modifier] })
  for (const { collection, full } of samples) await create(collection, full({ product, modifier }))
  // Sections with equal titles keep their order.
  await create('menus', {
    title: 'All',
    sections: [
      { title: '', items: [product] },
      { title: '', items: [] },
    ],
  })
  return venue
}

/** Ids of the objects of a venue, each as its resource and position, so that objects of two venues can be compared. */
async function toPortable(venue: Pick<Venue, 'get'>) {
  const all = await Promise.all(
    samples.map(async ({ collection }) => [collection, await list(venue, collection)] as const),
  )
  const names = new Map(
    all.flatMap(([collection, objects]) =>
      objects.map(({ id }: { id: string }, index: number) => [id, `${collection} ${index}`] as const),
    ),
  )
  const ofVenue = new Set(['id', 'createdAt', 'updatedAt', 'alias', 'url', 'qrUrl'])
  return JSON.parse(
    JSON.stringify(all, (key, value) => {
      if (ofVenue.has(key)) return undefined
      return typeof value === 'string' ? (names.get(value) ?? value) : value
    }),
  )
}

describe('an export that is imported', () => {
  test('unchanged into its venue leaves every object unchanged', async () => {
    const venue = await createFullVenue()
    const before = await exportFile(venue)
    const done = await importFile(venue, '', before, jsonl)
    expect(toCounts(done)).toEqual({ rows: 10, checked: 10, applied: 10, unchanged: 10 })
    expect(done).not.toHaveProperty('resource')
    const after = await exportFile(venue)
    expect(after.split('\n').slice(1)).toEqual(before.split('\n').slice(1))
  })

  test('into an empty venue makes equal objects, with references among them', async () => {
    const venue = await createFullVenue()
    const empty = await createVenue()
    const done = await importFile(empty, '', await exportFile(venue), jsonl)
    expect(toCounts(done)).toEqual({ rows: 10, checked: 10, applied: 10, created: 10 })
    expect(await toPortable(empty)).toEqual(await toPortable(venue))
  })

  test.each(['products', 'coupons', 'customers', 'tags', 'webhooks'])('as CSV of %s is unchanged too', async (path) => {
    const venue = await createFullVenue()
    const file = await exportFile(venue, `?format=csv&resources=${path}`)
    const done = await importFile(venue, `resource=${path}`, file, csv)
    expect(toCounts(done)).toEqual({ rows: done.rows, checked: done.rows, applied: done.rows, unchanged: done.rows })
    expect(done.rows).toBeGreaterThan(0)
    expect(await exportFile(venue, `?format=csv&resources=${path}`)).toBe(file)
  })

  test.each(['customers', 'tags', 'webhooks'])('as CSV of %s into an empty venue makes equal objects', async (path) => {
    const venue = await createFullVenue()
    const empty = await createVenue()
    const read = async (from: Pick<Venue, 'get'>) =>
      (await exportFile(from, `?format=csv&resources=${path}`)).replace(/^[a-z]+_\w+/gm, '')
    const done = await importFile(
      empty,
      `resource=${path}`,
      await exportFile(venue, `?format=csv&resources=${path}`),
      csv,
    )
    expect(done.created).toBe(done.rows)
    expect(await read(empty)).toBe(await read(venue))
  })
})

test('a CSV export keeps descriptions that are white space', async () => {
  const venue = await createVenue()
  const descriptions = ['\uFEFF', '\u2028', '\u2003 ', ' tea ']
  for (const description of descriptions) await venue.post('/products', { title: 'Tea', price: 1, description })
  const empty = await createVenue()
  const file = await exportFile(venue, '?format=csv&resources=products')
  expect(toCounts(await importFile(empty, 'resource=products', file))).toMatchObject({ created: 4 })
  const imported = await list(empty, 'products')
  expect(imported.map(({ description }: { description?: string }) => description)).toEqual(descriptions)
})

describe('references', () => {
  test('refer to rows of the file by external id or by their own id, in any order of the lines', async () => {
    const venue = await createVenue()
    const lines = [
      { resource: 'menus', title: 'All', sections: [{ title: 'Hot', items: [{ externalId: 'TEA' }, 'p2'] }] },
      { resource: 'coupons', title: 'Ten', code: 'TEN', type: 'FIXED', value: 1, products: [{ externalId: 'TEA' }] },
      { resource: 'products', externalId: 'TEA', title: 'Tea', price: 1, modifiers: ['m1'] },
      { resource: 'products', id: 'p2', title: 'Cake', price: 2 },
      { resource: 'modifiers', id: 'm1', title: 'Milk', instructions: '' },
    ]
    const done = await importFile(venue, '', toJsonLines(lines), jsonl)
    expect(toCounts(done)).toEqual({ rows: 5, checked: 5, applied: 5, created: 5 })
    const [[modifier], [tea, cake], [menu], [coupon]] = await Promise.all(
      ['modifiers', 'products', 'menus', 'coupons'].map((path) => list(venue, path)),
    )
    expect(tea.modifiers).toEqual([modifier.id])
    expect(menu.sections[0].items).toEqual([tea.id, cake.id])
    expect(coupon.products).toEqual([tea.id])
  })

  test('name rows of another chunk', async () => {
    const venue = await createVenue()
    const products = Array.from({ length: 600 }, (_, n) => ({
      resource: 'products',
      id: `p${n}`,
      title: `P ${n}`,
      price: 1,
    }))
    const menu = { resource: 'menus', title: 'All', sections: [{ title: '', items: products.map(({ id }) => id) }] }
    const done = await importFile(venue, '', toJsonLines([menu, ...products]), jsonl)
    expect(toCounts(done)).toEqual({ rows: 601, checked: 601, applied: 601, created: 601 })
    const [{ sections }] = await list(venue, 'menus')
    const exported = (await exportFile(venue, '?resources=products')).trimEnd().split('\n').slice(1, -1)
    expect(sections[0].items).toEqual(exported.map((line) => JSON.parse(line).object.id))
  })

  test('in CSV are ids or external ids', async () => {
    const venue = await createVenue()
    const modifiers = toJsonLines(
      ['A', 'B|C'].map((externalId) => ({ externalId, title: externalId, instructions: '' })),
    )
    await importFile(venue, 'resource=modifiers', modifiers, jsonl)
    const [first, second] = await list(venue, 'modifiers')
    await importFile(venue, 'resource=products', `title,price,modifiers\nTea,1,${first.id}|B\\|C\n`)
    expect((await list(venue, 'products'))[0].modifiers).toEqual([first.id, second.id])
  })

  test('that name nothing, or a row with issues, are issues', async () => {
    const venue = await createVenue()
    const lines = [
      { resource: 'products', externalId: 'TEA', title: '', price: 1 },
      { resource: 'menus', title: 'All', sections: [{ title: '', items: ['prod_nothing', { externalId: 'TEA' }] }] },
      { resource: 'customers', firstName: 'A', lastName: 'B' },
    ]
    const checked = await check(venue, '', toJsonLines(lines), jsonl)
    expect([checked.state, checked.failed]).toEqual(['ready', 2])
    const issues = await listIssues(venue, checked.id)
    expect(issues.map((issue) => issue.replace(/ \w+$/, ''))).toEqual([
      '1 /title',
      '2 /sections/0/items/0',
      '2 /sections/0/items/1',
    ])
  })
})

describe('match', () => {
  test('by id updates the object, and creates one for an unknown id', async () => {
    const venue = await createVenue()
    const { id } = (await venue.post('/products', { title: 'Tea', price: 1 })).body
    const done = await importFile(venue, 'resource=products&match=id', `id,title,price\n${id},Green tea,1\nx,Cake,2\n`)
    expect(toCounts(done)).toMatchObject({ updated: 1, created: 1 })
    expect((await list(venue, 'products')).map(({ title }: { title: string }) => title)).toEqual(['Green tea', 'Cake'])
  })

  test('by SKU updates one product, and several are ambiguous', async () => {
    const venue = await createVenue()
    for (const sku of ['a', 'b', 'b']) await venue.post('/products', { title: 'Tea', price: 1, sku })
    const checked = await check(venue, 'resource=products&match=sku', 'sku,title,price\na,Tea,3\nb,Tea,3\nc,Tea,3\n')
    expect(await listIssues(venue, checked.id)).toEqual(['3 sku ambiguous'])
    await venue.post(`/imports/${checked.id}/apply`, undefined)
    expect(toCounts(await settle(venue, checked.id))).toMatchObject({ updated: 1, created: 1, failed: 1 })
  })

  test('by external id takes the id of rows without one, and never changes the external id of an object', async () => {
    const venue = await createVenue()
    const { id } = (await venue.post('/products', { title: 'Tea', price: 1 })).body
    const checked = await check(venue, 'resource=products', `id,externalId,price\n${id},,2\n`)
    expect(toCounts(checked)).toEqual({ rows: 1, checked: 1 })
    const other = await check(venue, 'resource=products', `id,externalId,price\n${id},NEW,2\n`)
    expect(await listIssues(venue, other.id)).toEqual(['2 externalId conflict'])
  })
})

test('apply=true applies a file without issues, and waits where there are some', async () => {
  const venue = await createVenue()
  const run = async (content: string) =>
    settle(venue, (await upload(venue, 'resource=products&apply=true', content)).body.id)
  expect((await run('title,price\nTea,1\n')).state).toBe('done')
  expect((await run('title,price\nTea,1\nCake,\n')).state).toBe('ready')
})
