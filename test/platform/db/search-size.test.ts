import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { indexTerms } from '../../../src/platform/lib/search-terms.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'

/** Parts of names of dishes, as a menu in German has them: long words made of several. */
const first = [
  'Kürbis',
  'Kartoffel',
  'Zwiebel',
  'Tomaten',
  'Champignon',
  'Rinder',
  'Hähnchen',
  'Spargel',
  'Erdbeer',
  'Apfel',
]
const second = [
  'cremesuppe',
  'kuchen',
  'auflauf',
  'salat',
  'roulade',
  'gratin',
  'strudel',
  'eintopf',
  'pfanne',
  'torte',
]
const third = ['mit Petersilie', 'vom Grill', 'nach Art des Hauses', 'hausgemacht', 'mit Feldsalat', 'und Baguette']
const product = (n: number) => ({
  title: `${first[n % 10]}${second[Math.floor(n / 10) % 10]} ${third[n % 6]}`,
  description: 'Frisch aus der Region, mit Kräutern aus unserem Garten, dazu ein Stück Brot.',
  price: 9.5,
  sku: `DISH-${n}`,
  metadata: [{ key: 'station', value: 'kitchen' }],
})
const count = 200

async function fill(venue: Venue) {
  const { meta: before } = await env.DB.prepare('select 1').run()
  let written = 0
  for (let n = 0; n < count; n++) {
    const { status, trips } = await observe('POST', venue.path('/products'), { key: venue.key, json: product(n) })
    expect(status).toBe(201)
    written += trips.reduce((sum, trip) => sum + trip.rowsWritten, 0)
  }
  const { meta: after } = await env.DB.prepare('select 1').run()
  return { rows: written / count, bytes: after.size_after - before.size_after }
}

/** Bytes of the index with the terms of all products, merged. */
async function measureIndex(terms: readonly string[]): Promise<number> {
  await env.DB.prepare(
    `create virtual table measured using fts5(terms, content='', contentless_delete=1, detail=none, tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'")`,
  ).run()
  await env.DB.batch(
    terms.map((text, n) => env.DB.prepare('insert into measured (rowid, terms) values (?, ?)').bind(n + 1, text)),
  )
  await env.DB.prepare(`insert into measured (measured) values ('optimize')`).run()
  const [{ bytes = 0 } = {}] = (
    await env.DB.prepare('select sum(length(block)) as bytes from measured_data').all<{ bytes: number }>()
  ).results
  await env.DB.prepare('drop table measured').run()
  return bytes
}

test('parts of words cost less than a tenth of the bytes of a venue, and no written rows', async () => {
  const venue = await createVenue()
  const { rows, bytes } = await fill(venue)
  const texts = Array.from({ length: count }, (_, n) => product(n))
  const others = ({ description, sku }: ReturnType<typeof product>) => [description, sku]
  const after = await measureIndex(
    texts.map((each) => indexTerms(venue.id, 'l', { names: [each.title], others: others(each) })),
  )
  const before = await measureIndex(
    texts.map((each) => indexTerms(venue.id, 'l', { names: [], others: [each.title, ...others(each)] })),
  )
  const share = (after - before) / (bytes - (after - before))
  console.log(
    `figure: index of the search per product, ${Math.round(before / count)} bytes without parts of words, ${Math.round(after / count)} with them`,
  )
  console.log(
    `figure: bytes per product that was created alone, ${Math.round(bytes / count)}; parts of words add ${(share * 100).toFixed(1)} %`,
  )
  console.log(`figure: D1 rows written by a create of a product, ${rows}`)
  expect(after).toBeGreaterThan(before)
  expect(share).toBeLessThan(0.1)
})
