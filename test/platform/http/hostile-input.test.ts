import { describe, expect, test } from 'vitest'
import { type ApiResponse, createVenue } from '../../support/api.ts'
import { isLong } from '../../support/rounds.ts'
import { samples } from '../../support/samples.ts'

const collected = import.meta.glob<string>('../../../../shared/data/naughty/blns.json', {
  eager: true,
  query: '?raw',
  import: 'default',
})
/** The Big List of Naughty Strings, where it is at hand: in CI all, otherwise one in eight. */
const naughty = Object.values(collected).map((text): [string, string[]] => [
  'of the list of naughty ones',
  JSON.parse(text).filter((_: unknown, index: number) => isLong || index % 8 === 0),
])
const own = [
  "' or 1=1 --",
  '"; drop table products; --',
  '%',
  '_',
  '\0',
  'a\0b',
  '\u202e\u2066',
  '\ufffe',
  '\u{10ffff}',
  '{"$ne":1}',
  '[1]',
  '*'.repeat(300),
  '"'.repeat(301),
  'x'.repeat(10_000),
  'NEAR(a b, 2) AND NOT (c OR {d e}:f^',
]
/** Percent-encoding that is broken, or that decodes to what is not UTF-8. */
const broken = ['%', '%zz', '%ff', '%c3%28', '%ed%a0%80', 'a%', '%2']

const isValidResponse = ({ status, body, headers }: ApiResponse) => {
  if (status === 200) return Array.isArray(body)
  return status === 422 && body.code === 'invalid_request' && headers.get('content-type') === 'application/problem+json'
}

/** The filters that take any text; a long list of strings goes to each collection in turn. */
const texts: [collection: string, names: string[]][] = [
  ['products', ['q', 'sku', 'upc']],
  ['coupons', ['q', 'code']],
  ['customers', ['q', 'email', 'phone']],
]
const structured = ['limit', 'cursor', 'order', 'ids', 'updatedSince', 'visible']

test.each<[string, string[]]>([['of our own', own], ...naughty])(
  'strings %s never break a list',
  { timeout: 30_000 },
  async (_, strings) => {
    const venue = await createVenue()
    await venue.post('/products', { title: 'Tea', price: 1 })
    for (const [index, string] of strings.entries()) {
      const value = encodeURIComponent(string)
      const query = (names: readonly string[]) => names.map((name) => `${name}=${value}`).join('&')
      for (const [collection, names] of texts.filter((_, place) => strings === own || place === index % texts.length)) {
        const response = await venue.get(`/${collection}?${query(names)}`)
        expect([string, response.status, isValidResponse(response)]).toEqual([string, 200, true])
      }
      const refused = await venue.get(`/products?${query(structured)}`)
      expect([string, refused.status, isValidResponse(refused)]).toEqual([string, 422, true])
      const unknown = await venue.get(`/products?${value}=1`)
      expect([string, isValidResponse(unknown)]).toEqual([string, true])
    }
  },
)

describe.each(samples)('$collection', ({ collection }) => {
  test.each(['q', 'ids', 'cursor', 'order', 'limit', 'updatedSince', 'nothing'])(
    'outlive broken percent-encoding in %s',
    async (name) => {
      const venue = await createVenue()
      for (const value of broken) expect(isValidResponse(await venue.get(`/${collection}?${name}=${value}`))).toBe(true)
    },
  )
})
