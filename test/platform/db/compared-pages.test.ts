import { describe, expect, test } from 'vitest'
import { indexTerms } from '../../../src/platform/lib/search-terms.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { createProducts, type Listed, readPage, walk } from '../../support/counted-pages.ts'
import { queryHome } from '../../support/home.ts'
import { samples } from '../../support/samples.ts'

const limit = 100
const sizes = [1_000, 2_000, 4_000]
/** Rows by which a cost may differ: the depth of the indexes' trees. */
const tolerance = 40

/** A venue with so many products, which all have the title, the SKU and the modifier of the query. Every tenth has another title. */
async function createAlike(home: string, count: number) {
  const venue = await createProducts(home, count)
  const { body: modifier } = await venue.post(
    '/modifiers',
    samples.find(({ collection }) => collection === 'modifiers')?.body('Milk'),
  )
  const ofVenue = 'from products where merchant_id = ?'
  const run = (sql: string, ...values: unknown[]) => queryHome(venue.id, sql, ...values, venue.id)
  await run(`update products set sku = 'SAME', title = iif(seq % 10 = 3, 'Juice', 'Tea') where merchant_id = ?`)
  await run(
    `insert into product_modifiers (owner, target) select seq, (select seq from modifiers where id = ?) ${ofVenue}`,
    modifier.id,
  )
  await run(
    `insert into external_ids (merchant_id, test_mode, resource, external_id, object)
     select merchant_id, test_mode, 'products', 'ART-' || seq, seq ${ofVenue}`,
  )
  await run(`delete from products_search where rowid in (select seq ${ofVenue})`)
  const [juice, tea] = ['Juice', 'Tea'].map((title) => indexTerms(venue.id, 'l', { names: [title] }))
  await run(`insert into products_search (rowid, terms) select seq, iif(title = 'Juice', ?, ?) ${ofVenue}`, juice, tea)
  const named = await queryHome(
    venue.id,
    `select id, seq from products where merchant_id = ? order by id desc limit 50`,
    venue.id,
  )
  const list = (key: 'id' | 'seq', prefix = '') => named.map((row) => `${prefix}${row[key]}`).join(',')
  return {
    venue,
    queries: {
      ids: `q=te&ids=${list('id')}`,
      externalIds: `q=te&externalIds=${list('seq', 'ART-')}`,
      text: 'q=te&sku=SAME',
      'text of few': 'q=ju&sku=SAME',
      'text and flag': 'q=te&sku=SAME&visible=false',
      'text and no match': 'q=absent&sku=SAME',
      'flag beside a text': 'sku=SAME&visible=false',
      'time beside a text': 'sku=SAME&updatedSince=4000000000',
      'text beside a text': 'sku=SAME&upc=0',
      'reference beside a text': `sku=SAME&modifier=${modifier.id}`,
    },
  }
}

const kinds = [
  'ids',
  'externalIds',
  'text',
  'text of few',
  'text and flag',
  'text and no match',
  'flag beside a text',
  'time beside a text',
  'text beside a text',
  'reference beside a text',
] as const

describe.each(['d1', 'object'])('in a home of the kind %s', (home) => {
  test('a page by several conditions reads the same rows, however many objects meet one of them', async () => {
    const costs = new Map<string, number[]>(kinds.map((kind) => [kind, []]))
    for (const count of sizes) {
      const { venue, queries } = await createAlike(home, count)
      for (const kind of kinds) {
        const { rows, next } = await readPage(venue, home, `/products?${queries[kind]}&limit=${limit}`)
        const second = next === undefined ? { rows: 0 } : await readPage(venue, home, next)
        costs.get(kind)?.push(Math.max(rows, second.rows))
      }
    }
    console.log(`figure: rows read by pages of ${limit}, ${home}, ${sizes}: ${JSON.stringify([...costs])}`)
    const grown = [...costs].filter(
      ([, rows]) => Math.max(...rows) > 2_000 || Math.max(...rows) - Math.min(...rows) > tolerance,
    )
    expect(grown).toEqual([])
  })

  test('pages by several conditions have each object once, in the order of ids', async () => {
    const { venue, queries } = await createAlike(home, 700)
    const all = (await walk(venue, home, '/products?limit=100')).items
    const tea = all.filter(({ title }) => title === 'Tea')
    const hidden = (items: readonly Listed[]) => items.filter(({ id }) => /00[12]$/.test(id))
    expect(tea.length).toBeLessThan(all.length)
    const named = new Set(all.slice(0, 50).map(({ id }) => id))
    for (const [kind, expected] of [
      ['ids', tea.filter(({ id }) => named.has(id))],
      ['externalIds', tea.filter(({ id }) => named.has(id))],
      ['text', tea],
      ['text of few', all.filter(({ title }) => title === 'Juice')],
      ['text and flag', hidden(tea)],
      ['text and no match', []],
      ['flag beside a text', hidden(all)],
      ['time beside a text', []],
      ['text beside a text', []],
      ['reference beside a text', all],
    ] as const) {
      for (const rest of ['limit=100', 'limit=7']) {
        const { items, lengths } = await walk(venue, home, `/products?${queries[kind]}&${rest}`)
        expect([kind, rest, items]).toEqual([kind, rest, expected])
        expect(Math.max(...lengths)).toBeLessThanOrEqual(Number(rest.slice(6)))
      }
      const { items } = await walk(venue, home, `/products?${queries[kind]}&order=asc&limit=30`)
      expect([kind, items]).toEqual([kind, expected.toReversed()])
    }
  })
})

test('a search finds the same objects beside ids as alone', async () => {
  const venue: Venue = await createVenue()
  const titles = [
    'Gin Tonic',
    'Crème brûlée, hausgemacht',
    'ŁÓDŹ Straße 7½',
    '東京ラーメン',
    'ラーメン',
    'ผัดไทย',
    '100% Arabica',
    'Ｆｕｌｌ width',
    'İstanbul ışık',
    'Œuf – œuvre',
    '🍕 pizza',
    'a.b-c_d',
    "rock'n'roll",
    '!!!',
    'नमस्ते',
    'ΣΊΣΥΦΟΣ',
  ]
  const ids: string[] = []
  for (const title of titles) ids.push((await venue.post('/products', { title, price: 1 })).body.id)
  const queries = titles.flatMap((title) => {
    const characters = [...title]
    return [title, characters.slice(0, 2).join(''), characters.slice(-3).join(''), title.toUpperCase()]
  })
  let found = 0
  for (const q of [...queries, 'g t', 'ton gin', '東', 'e', '%', '.', '7', 'ss', 'zzz', '+ gin']) {
    const idsOf = async (rest: string) => {
      const { body } = await venue.get(`/products?q=${encodeURIComponent(q)}${rest}&limit=100`)
      return body.map(({ id }: Listed) => id).sort()
    }
    const alone = await idsOf('')
    expect([q, await idsOf(`&ids=${ids}`)]).toEqual([q, alone])
    found += alone.length
  }
  expect(found).toBeGreaterThan(queries.length)
})
