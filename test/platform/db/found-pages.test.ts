import { describe, expect, test } from 'vitest'
import { createCursor } from '../../../src/platform/http/pagination.ts'
import { indexTerms } from '../../../src/platform/lib/search-terms.ts'
import { toIssues } from '../../support/api.ts'
import { createProducts, type Listed, readPage, walk } from '../../support/counted-pages.ts'
import { queryHome } from '../../support/home.ts'
import { samples } from '../../support/samples.ts'

const limit = 100
const sizes = [1_000, 2_000, 4_000]
/** Rows by which a cost may differ: the depth of the indexes' trees. */
const tolerance = 30

/** A venue with so many products that a search for `hay` finds, and that have a modifier. */
async function createFound(home: string, count: number) {
  const venue = await createProducts(home, count)
  const { body } = await venue.post(
    '/modifiers',
    samples.find(({ collection }) => collection === 'modifiers')?.body('Milk'),
  )
  const ofVenue = 'from products where merchant_id = ?'
  await queryHome(
    venue.id,
    `insert into product_modifiers (owner, target) select seq, (select seq from modifiers where id = ?) ${ofVenue}`,
    body.id,
    venue.id,
  )
  const terms = indexTerms(venue.id, 'l', { names: ['hay'] })
  await queryHome(
    venue.id,
    'delete from products_search where rowid in (select seq from products where merchant_id = ?)',
    venue.id,
  )
  await queryHome(venue.id, `insert into products_search (rowid, terms) select seq, ? ${ofVenue}`, terms, venue.id)
  return { venue, queries: { reference: `modifier=${body.id}`, search: 'q=ha' } }
}

/** The products in the order in which they were stored. The one that the others are copies of has the highest id. */
const inOrder = (items: readonly Listed[]) => [...items.slice(-1), ...items.slice(0, -1)]

const kinds = ['reference', 'search'] as const
/** For each object of a page, an entry that finds it and its row; for the rest, the position and the depth of the trees. */
const most = { reference: 2 * limit + 20, search: 2 * limit + 20 } as const

describe.each(['d1', 'object'])('in a home of the kind %s', (home) => {
  test.each(kinds)('a page by %s reads the same rows, however many objects it finds', async (kind) => {
    const [plain, filtered]: [number[], number[]] = [[], []]
    for (const count of sizes) {
      const { venue, queries } = await createFound(home, count)
      const path = `/products?${queries[kind]}&limit=${limit}`
      const { rows: first, next = '' } = await readPage(venue, home, path)
      const { rows: second, items } = await readPage(venue, home, next)
      expect(items).toHaveLength(limit)
      plain.push(first, second)
      for (const rest of ['&visible=false', '&updatedSince=4000000000']) {
        const page = await readPage(venue, home, path + rest)
        expect(page.next).toContain('cursor=')
        filtered.push(page.rows)
      }
    }
    console.log(`figure: rows read by pages of ${limit} by ${kind}, ${home}, ${sizes}: ${plain}; filtered: ${filtered}`)
    expect(Math.min(...plain)).toBeGreaterThan(limit)
    expect(Math.max(...plain)).toBeLessThanOrEqual(most[kind])
    expect(Math.max(...filtered)).toBeLessThanOrEqual(2_000)
    expect(Math.max(...plain) - Math.min(...plain)).toBeLessThanOrEqual(tolerance)
  })

  test.each(kinds)('pages by %s have each object once, in the order of creation', async (kind) => {
    const { venue, queries } = await createFound(home, 500)
    const all = inOrder((await walk(venue, home, '/products?order=asc&limit=100')).items)
    expect(all).toHaveLength(500)
    for (const [rest, expected] of [
      ['limit=7', all.toReversed()],
      ['limit=100&order=asc', all],
      ['limit=100&updatedSince=1', all],
      ['limit=30&visible=true', all.filter(({ id }) => !/00[12]$/.test(id)).toReversed()],
      ['visible=false&order=asc', all.filter(({ id }) => /00[12]$/.test(id))],
      ['visible=false', all.filter(({ id }) => /00[12]$/.test(id)).toReversed()],
    ] as const) {
      const { items } = await walk(venue, home, `/products?${queries[kind]}&${rest}`)
      expect([rest, items]).toEqual([rest, expected])
    }
    const both = await walk(venue, home, `/products?${queries.reference}&${queries.search}&limit=100`)
    expect(both.items).toEqual(all.toReversed())
  })

  test.each(kinds)('pages by %s continue behind objects whose deletion is under way', async (kind) => {
    const { venue, queries } = await createFound(home, 60)
    const all = inOrder((await walk(venue, home, '/products?order=asc&limit=100')).items)
    const hidden = all.slice(10, 45).concat(all.slice(-1))
    const ids = JSON.stringify(hidden.map(({ id }) => id))
    const hide = 'update products set test_mode = 2 where id in (select value from json_each(?)) and merchant_id = ?'
    await queryHome(venue.id, hide, ids, venue.id)
    const shown = all.filter((item) => !hidden.includes(item))
    for (const pageLimit of [1, 7, 24, 100]) {
      for (const [order, expected] of [
        ['asc', shown],
        ['desc', shown.toReversed()],
      ] as const) {
        const { items, most } = await walk(venue, home, `/products?${queries[kind]}&order=${order}&limit=${pageLimit}`)
        expect([pageLimit, order, items]).toEqual([pageLimit, order, expected])
        expect(most).toBeLessThanOrEqual(2 * pageLimit + 20)
      }
    }
  })

  test.each(kinds)('no object is missing if others are deleted between the pages by %s', async (kind) => {
    const { venue, queries } = await createFound(home, 30)
    const all = inOrder((await walk(venue, home, '/products?order=asc&limit=100')).items).map(({ id }) => id)
    const gone: string[] = []
    const { items } = await walk(venue, home, `/products?${queries[kind]}&limit=3`, async (page) => {
      const id = page.at(-1)?.id ?? ''
      gone.push(id)
      await venue.remove(`/products/${id}`)
    })
    expect(gone).toHaveLength(10)
    expect(items.map(({ id }) => id)).toEqual(all.toReversed())
  })

  test.each(kinds)('cursors of earlier releases for a list by %s are rejected', async (kind) => {
    const { venue, queries } = await createFound(home, 5)
    const [[{ id }], [name = '', value = '']] = [(await venue.get('/products?limit=1')).body, queries[kind].split('=')]
    const cursor = createCursor('products', { merchantId: venue.id, testMode: false }, { [name]: value }, id)
    expect(toIssues(await venue.get(`/products?${queries[kind]}&cursor=${cursor}`))).toEqual(['cursor invalid_value'])
  })
})
