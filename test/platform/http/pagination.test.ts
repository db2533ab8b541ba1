import { describe, expect, test } from 'vitest'
import { nextLink } from '../../../src/platform/http/pagination.ts'
import { createKey, createVenue, origin, type Venue } from '../../support/api.ts'
import { multiply } from '../../support/d1.ts'
import { samples } from '../../support/samples.ts'

const idsIn = (body: { id: string }[]) => body.map(({ id }) => id)

/** Creates objects one after the other: their ids, oldest first. */
async function fill(venue: Pick<Venue, 'post'>, { collection, body }: (typeof samples)[number], count: number) {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push((await venue.post(`/${collection}`, body(`n${n}`))).body.id)
  return ids
}

/** The address behind a `Link` header, without the merchant's part. */
function nextOf(venue: Venue, headers: Headers): string | undefined {
  const link = headers.get('link')
  if (link === null) return undefined
  const [, address = ''] = /^<([^>]+)>; rel="next"$/.exec(link) ?? []
  expect(address.startsWith(venue.path('/'))).toBe(true)
  return address.slice(venue.path('').length)
}

/** Every id of a list, page by page; `between` runs after each page. */
async function walk(venue: Venue, first: string, between: () => unknown = () => undefined) {
  const seen: string[] = []
  let pages = 0
  for (let next: string | undefined = first; next !== undefined && pages < 50; pages++) {
    const { status, headers, body } = await venue.get(next)
    expect(status).toBe(200)
    seen.push(...idsIn(body))
    next = nextOf(venue, headers)
    await between()
  }
  return { seen, pages }
}

describe.each(samples)('a list of $collection', (sample) => {
  const { collection } = sample

  test('is an array, newest first by default', async () => {
    const venue = await createVenue()
    expect((await venue.get(`/${collection}`)).body).toEqual([])
    const ids = await fill(venue, sample, 4)
    const { status, headers, body } = await venue.get(`/${collection}`)
    expect([status, headers.get('content-type'), headers.get('link')]).toEqual([200, 'application/json', null])
    expect(idsIn(body)).toEqual(ids.toReversed())
    expect(idsIn((await venue.get(`/${collection}?order=desc`)).body)).toEqual(ids.toReversed())
    expect(idsIn((await venue.get(`/${collection}?order=asc`)).body)).toEqual(ids)
  })

  test('has 50 objects per page by default, 1 to 100 with limit', async () => {
    const venue = await createVenue()
    const [id = ''] = await fill(venue, sample, 1)
    await multiply(collection, id, 100)
    for (const [query, length] of [
      ['', 50],
      ['?limit=1', 1],
      ['?limit=050', 50],
      ['?limit=99', 99],
      ['?limit=100', 100],
    ] as const) {
      const { headers, body } = await venue.get(`/${collection}${query}`)
      expect(body).toHaveLength(length)
      expect(nextOf(venue, headers)).toMatch(/[?&]cursor=/)
    }
    for (const limit of ['0', '101', '-1', '1.5', '1e1', '', 'ten', '%20', '٣', '99999999999999999999']) {
      const { status, body } = await venue.get(`/${collection}?limit=${limit}`)
      expect([status, body.errors.map(({ parameter }: { parameter: string }) => parameter)]).toEqual([422, ['limit']])
    }
  })

  test.each(['asc', 'desc'])('pages contain each object once, %s, for every page size', async (order) => {
    const venue = await createVenue()
    const ids = await fill(venue, sample, 6)
    if (order === 'desc') ids.reverse()
    for (const [limit, pages] of [
      [1, 6],
      [3, 2],
      [4, 2],
      [6, 1],
      [7, 1],
    ]) {
      expect(await walk(venue, `/${collection}?order=${order}&limit=${limit}`)).toEqual({ seen: ids, pages })
    }
  })

  test.each(['asc', 'desc'])('pages neither repeat nor skip an object during concurrent changes, %s', async (order) => {
    const venue = await createVenue()
    const ids = await fill(venue, sample, 10)
    if (order === 'desc') ids.reverse()
    // The row of the cursor, one before it, one after it, and the last one.
    const doomed = [1, 0, 7, 9].map((index) => ids[index] ?? '')
    const gone: string[] = []
    const { seen } = await walk(venue, `/${collection}?order=${order}&limit=2`, async () => {
      const [id] = doomed.splice(0, 1)
      if (id === undefined) return
      gone.push(id)
      await venue.remove(`/${collection}/${id}`)
      await venue.post(`/${collection}`, sample.body('late'))
    })
    expect(gone).toHaveLength(4)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.filter((id) => ids.includes(id))).toEqual(ids.filter((_, index) => index !== 7 && index !== 9))
    // Objects created in between are newer than all others: first in a list with the newest first, last in the other one.
    expect(seen.filter((id) => !ids.includes(id))).toHaveLength(order === 'asc' ? 4 : 0)
  })

  test('accepts only its own cursors', async () => {
    const venue = await createVenue()
    const stranger = await createVenue()
    const tester = await createKey(venue.id, { mode: 'test' })
    const other = samples[(samples.indexOf(sample) + 1) % samples.length] ?? sample
    for (const who of [venue, stranger, tester]) await fill(who, sample, 3)
    await fill(venue, other, 3)
    const cursorOf = async (who: Pick<Venue, 'get'>, path: string) => {
      const link = (await who.get(path)).headers.get('link') ?? ''
      return new URL(link.slice(1, link.indexOf('>')), origin).searchParams.get('cursor') ?? ''
    }
    const [own, ascending, narrowed, searched] = [
      await cursorOf(venue, `/${collection}?limit=1`),
      await cursorOf(venue, `/${collection}?limit=1&order=asc`),
      await cursorOf(venue, `/${collection}?limit=1&updatedSince=1`),
      await cursorOf(venue, `/${collection}?limit=1&q=n`),
    ]
    for (const [query, cursor] of [
      ['', own],
      ['&limit=2', own],
      ['&limit=100', own],
      ['&order=desc', own],
      ['&order=asc', ascending],
      ['&updatedSince=1', narrowed],
      ['&q=n', searched],
    ]) {
      expect((await venue.get(`/${collection}?cursor=${cursor}${query}`)).body.length).toBeGreaterThan(0)
    }
    const refused = {
      'of another resource': `cursor=${await cursorOf(venue, `/${other.collection}?limit=1`)}`,
      'of another merchant': `cursor=${await cursorOf(stranger, `/${collection}?limit=1`)}`,
      'of another mode': `cursor=${await cursorOf(tester, `/${collection}?limit=1`)}`,
      'of the other order': `cursor=${ascending}`,
      'of this order for the other': `order=asc&cursor=${own}`,
      'of a filtered list': `cursor=${narrowed}`,
      'of a search': `cursor=${searched}`,
      'of another search': `q=n1&cursor=${searched}`,
      'of another value of a filter': `updatedSince=2&cursor=${narrowed}`,
      'of a list without a filter': `updatedSince=1&cursor=${own}`,
      truncated: `cursor=${own.slice(0, -1)}`,
      'truncated to its seal': `cursor=${own.slice(0, 16)}`,
      lengthened: `cursor=${own}0`,
      'with another id': `cursor=${own.slice(0, -1)}${own.endsWith('0') ? '1' : '0'}`,
      'with another seal': `cursor=${own.startsWith('0') ? '1' : '0'}${own.slice(1)}`,
      'in lower case': `cursor=${own.toLowerCase()}`,
      'a bare id': `cursor=${own.slice(16)}`,
      empty: 'cursor=',
      huge: `cursor=${own.repeat(100)}`,
      SQL: `cursor=${encodeURIComponent("' or 1=1 --")}`,
    }
    for (const [what, query] of Object.entries(refused)) {
      const { status, body } = await venue.get(`/${collection}?${query}`)
      expect([what, status, body.errors?.[0]?.parameter]).toEqual([what, 422, 'cursor'])
    }
  })
})

test('the link to the next page has the parameters of the request', () => {
  for (const [path, next] of [
    ['/products', '/products?cursor=C_1'],
    ['/products?', '/products?cursor=C_1'],
    ['/products?limit=20', '/products?limit=20&cursor=C_1'],
    ['/products?limit=20&order=asc&', '/products?limit=20&order=asc&cursor=C_1'],
    ['/products?cursor=OLD&limit=20', '/products?cursor=C_1&limit=20'],
    ['/products?c%75rsor=OLD&limit=20', '/products?cursor=C_1&limit=20'],
    ['/products?limit=20&cursor=OLD&cursor=OLDER', '/products?limit=20&cursor=C_1'],
    ['/products?ids=a,b', '/products?ids=a%2Cb&cursor=C_1'],
    ['/products?q=a%20b', '/products?q=a+b&cursor=C_1'],
    ['/products?q=%3E%22&visible', '/products?q=%3E%22&visible=&cursor=C_1'],
    ['/products?q=a>b', '/products?q=a%3Eb&cursor=C_1'],
    ['/products?q=a&&limit=1', '/products?q=a&limit=1&cursor=C_1'],
    ['/products?q=a#part', '/products?q=a&cursor=C_1'],
    ['/products?xcursor=OLD', '/products?xcursor=OLD&cursor=C_1'],
  ] as const) {
    expect([path, nextLink(`https://api.example.com${path}`, 'C_1')]).toEqual([path, `<${next}>; rel="next"`])
  }
  expect(nextLink('http://localhost:8787/events?limit=1', 'C_1', 'after')).toBe(
    '</events?limit=1&after=C_1>; rel="next"',
  )
})
