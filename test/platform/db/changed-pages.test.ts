import { describe, expect, test } from 'vitest'
import { createCursor, maxExamined } from '../../../src/platform/http/pagination.ts'
import { fingerprint } from '../../../src/platform/lib/encoding/fnv1a.ts'
import { createVenue, toIssues } from '../../support/api.ts'
import { createProducts, type Listed, readPage, walk } from '../../support/counted-pages.ts'
import { queryHome } from '../../support/home.ts'
import { samples } from '../../support/samples.ts'

const limit = 100
const sizes = [1_000, 2_000, 4_000]
/** Rows by which a cost may differ: the depth of the indexes' trees. */
const tolerance = 20

const byChange = (a: Listed, b: Listed) => a.updatedAt - b.updatedAt || (a.id < b.id ? -1 : 1)

describe.each(['d1', 'object'])('in a home of the kind %s', (home) => {
  test('a page of updatedSince reads at most three rows for each object, however many there are', async () => {
    const costs: number[][] = []
    for (const count of sizes) {
      const venue = await createProducts(home, count)
      const { rows: first, next = '' } = await readPage(venue, home, `/products?updatedSince=0&limit=${limit}`)
      const { rows: second, items } = await readPage(venue, home, next)
      expect(items).toHaveLength(limit)
      costs.push([first, second])
    }
    console.log(`figure: rows read by pages of ${limit} of updatedSince=0, ${home}, ${sizes}: ${JSON.stringify(costs)}`)
    expect(Math.min(...costs.flat())).toBeGreaterThan(limit)
    expect(Math.max(...costs.flat())).toBeLessThanOrEqual(3 * limit)
    expect(Math.max(...costs.flat()) - Math.min(...costs.flat())).toBeLessThanOrEqual(tolerance)
  })

  test('a page of updatedSince with a filter that selects few examines a bounded number of objects', async () => {
    const costs: number[] = []
    for (const count of sizes) {
      const venue = await createProducts(home, count)
      const path = `/products?updatedSince=0&visible=false&limit=${limit}`
      const { items, lengths, most } = await walk(venue, home, path)
      expect(items.map(({ id }) => Number(id.slice(5))).toSorted()).toEqual([1, 2])
      expect(lengths[0]).toBe(0)
      expect(lengths).toHaveLength(Math.ceil((count + 1) / maxExamined))
      costs.push(most)
    }
    console.log(`figure: rows read by a page of updatedSince=0&visible=false, ${home}, ${sizes}: ${costs}`)
    expect(Math.max(...costs)).toBeLessThanOrEqual(2_000)
    expect(Math.max(...costs) - Math.min(...costs)).toBeLessThanOrEqual(tolerance)
  })

  test('pages have each object once, in the order of changes, whatever their size', async () => {
    const venue = await createProducts(home, 500)
    const { items: all } = await walk(venue, home, '/products?order=asc&limit=100')
    expect(all).toHaveLength(500)
    const expected = all.toSorted(byChange)
    for (const query of ['limit=7', 'limit=100', 'limit=100&order=asc', 'limit=30&visible=true']) {
      const { items } = await walk(venue, home, `/products?updatedSince=0&${query}`)
      const hidden = query.includes('visible') ? 2 : 0
      expect(items.length).toBe(500 - hidden)
      expect(items).toEqual(hidden === 0 ? expected : expected.filter(({ id }) => !/00[12]$/.test(id)))
    }
    const since = expected[200]?.updatedAt ?? 0
    const { items } = await walk(venue, home, `/products?updatedSince=${since}&limit=9`)
    expect(items).toEqual(expected.filter(({ updatedAt }) => updatedAt >= since))
  })

  test('a copy has all objects in their last state, whatever changes between the pages', async () => {
    const venue = await createProducts(home, 40)
    const all = (await walk(venue, home, '/products?limit=100')).items
    const copy = new Map<string, Listed>()
    const unseen = new Set(all.map(({ id }) => id))
    let changes = 0
    const change = (id: string | undefined) => venue.post(`/products/${id}`, { title: `Tea ${++changes}` })
    const copied: string[] = []
    await walk(venue, home, '/products?updatedSince=0&limit=5', async (items) => {
      for (const item of items) copy.set(item.id, item)
      copied.push(...items.map(({ id }) => id))
      for (const { id } of items) unseen.delete(id)
      if (changes >= 12) return
      // One that is on a later page, and one that is copied.
      await change([...unseen].toSorted()[0])
      await change(copied[0])
    })
    expect(changes).toBe(12)
    expect([...unseen]).toEqual([])
    const last = Math.max(...copy.values().map(({ updatedAt }) => updatedAt))
    for (const item of (await walk(venue, home, `/products?updatedSince=${last}`)).items) copy.set(item.id, item)
    const now = (await walk(venue, home, '/products?limit=100')).items
    expect([...copy.values()].toSorted(byChange)).toEqual(now.toSorted(byChange))
  })
})

test.each(samples)('updatedSince orders $collection by their changes', async (sample) => {
  const { collection, body: bodyOf, change } = sample
  const venue = await createVenue()
  const ids: string[] = []
  for (const text of ['a', 'b', 'c', 'd']) ids.push((await venue.post(`/${collection}`, bodyOf(text))).body.id)
  const start = Math.floor(Date.now() / 1000) + 100
  for (const [index, seconds] of [30, 10, 20, 10].entries()) {
    await queryHome(venue.id, `update ${collection} set updated_at = ? where id = ?`, start + seconds, ids[index])
  }
  const { items } = await walk(venue, 'd1', `/${collection}?updatedSince=0&limit=1`)
  expect(items).toHaveLength(4)
  expect(items).toEqual(items.toSorted(byChange))
  expect(items[3]?.id).toBe(ids[0])
  await venue.post(`/${collection}/${ids[1]}`, change)
  expect((await walk(venue, 'd1', `/${collection}?updatedSince=0&limit=3`)).items.length).toBe(4)
})

test('the other order and cursors of earlier releases are rejected', async () => {
  const venue = await createProducts('d1', 5)
  const [{ id }] = (await venue.get('/products?limit=1')).body
  const scope = { merchantId: venue.id, testMode: false }
  const sealed = (order: string) =>
    fingerprint(JSON.stringify(['products', venue.id, false, order, [['updatedSince', 0]], id])) + id
  expect(sealed('asc')).toBe(createCursor('products', scope, { updatedSince: 0 }, id))
  const issuesOf = async (query: string) => toIssues(await venue.get(`/products?updatedSince=0${query}`))
  for (const order of ['asc', 'desc'])
    expect(await issuesOf(`&cursor=${sealed(order)}`)).toEqual(['cursor invalid_value'])
  expect(await issuesOf('&order=desc')).toEqual(['order invalid_value'])
  expect(await issuesOf('&order=desc&visible=true&q=tea')).toEqual(['order invalid_value'])
})
