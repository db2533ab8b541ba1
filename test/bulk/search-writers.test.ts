import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createVenue, type Venue } from '../support/api.ts'
import { csv, importFile } from '../support/imports.ts'
import { moveTo } from '../support/moves.ts'
import { backUp, restore } from '../tenancy/backup/restores.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => vi.useRealTimers())

const sources = import.meta.glob<string>('../../src/**/*.ts', { query: '?raw', import: 'default', eager: true })

/** Files that write rows of the full-text index, with the way that the tests below take. */
const writers: Readonly<Record<string, string>> = {
  'bulk/reindex.ts': 'test/bulk/reindex.test.ts',
  'catalogue/resource/statements/row-writes.ts': 'create, update, upsert, batch, import, publish, restore, undo',
  'tenancy/backup/restore/load-page.ts': 'backup',
  'tenancy/move/copy-rows.ts': 'move',
}

test('every file that writes the full-text index is listed, and gets the terms from one function', () => {
  const found = Object.entries(sources).flatMap(([path, source]) =>
    /insert (?:or replace )?into \$\{(?:getSearchTable|search|index)\b/.test(source)
      ? [[path.replace('../../src/', ''), source] as const]
      : [],
  )
  expect(found.map(([path]) => path).toSorted()).toEqual(Object.keys(writers))
  expect(found.filter(([, source]) => !source.includes('planSearchTerms(')).map(([path]) => path)).toEqual([])
})

const name = 'Kürbiscremesuppe'
const changeBy = async (venue: Venue, operation: object) => {
  const { status, body } = await venue.post('/batch', { operations: [operation] })
  expect([status, body]).toEqual([200, body])
}
const create = async (venue: Venue, title: string): Promise<string> =>
  (await venue.post('/products', { title, price: 1 })).body.id

/** Ways in which the name comes into the index. Each returns how many products have it. */
const ways: Readonly<Record<string, (venue: Venue, home: 'd1' | 'object') => Promise<number>>> = {
  async create(venue) {
    await create(venue, name)
    return 1
  },
  async update(venue) {
    await venue.post(`/products/${await create(venue, 'Other')}`, { title: name })
    return 1
  },
  async upsert(venue) {
    await venue.request('PUT', '/products/external/A', { title: name, price: 1 })
    return 1
  },
  async batch(venue) {
    await changeBy(venue, { op: 'create', resource: 'products', body: { title: name, price: 1 } })
    await changeBy(venue, {
      op: 'update',
      resource: 'products',
      id: await create(venue, 'Other'),
      body: { title: name },
    })
    return 2
  },
  async import(venue) {
    const { state } = await importFile(venue, 'resource=products', `title,price\n${name},3\n`, csv)
    expect(state).toBe('done')
    return 1
  },
  async publish(venue) {
    const operations = [
      { op: 'create', resource: 'products', body: { title: name, price: 1 } },
      { op: 'update', resource: 'products', id: await create(venue, 'Other'), body: { title: name } },
    ]
    const { body } = await venue.post('/releases', { title: 'Autumn', operations })
    expect((await venue.post(`/releases/${body.id}/publish`, {})).body.state).toBe('published')
    return 2
  },
  async restore(venue) {
    const id = await create(venue, name)
    await venue.remove(`/products/${id}`)
    expect((await venue.get('/products?q=suppe')).body).toEqual([])
    expect((await venue.post(`/products/${id}/restore`, {})).status).toBe(200)
    return 1
  },
  async move(venue, home) {
    await create(venue, name)
    await moveTo(venue.id, home === 'd1' ? 'object' : 'd1')
    return 1
  },
  async backup(venue) {
    const id = await create(venue, name)
    const takenAt = await backUp(venue.id)
    await venue.remove(`/products/${id}`)
    await restore(venue.id, takenAt)
    return 1
  },
}

describe.each(['d1', 'object'] as const)('a name is found from within in %s after', (home) => {
  test.each(Object.entries(ways))('%s', async (_, go) => {
    const venue = await createVenue({ home })
    const count = await go(venue, home)
    for (const q of ['suppe', 'creme', 'kürbis']) {
      const { headers, body } = await venue.get(`/products?q=${encodeURIComponent(q)}`)
      expect([q, headers.get('search-match'), body.map(({ title }: { title: string }) => title)]).toEqual([
        q,
        null,
        Array(count).fill(name),
      ])
    }
  })
})
