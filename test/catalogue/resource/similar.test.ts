import { describe, expect, test } from 'vitest'
import { createKey, createVenue, send, type Venue } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { samples } from '../../support/samples.ts'

async function find(venue: Pick<Venue, 'get'>, collection: string, q: string, rest = '') {
  const { status, body, headers } = await venue.get(`/${collection}?q=${encodeURIComponent(q)}${rest}`)
  expect([q, status, headers.get('link') ?? '']).toEqual([
    q,
    200,
    headers.get('search-match') ? '' : (headers.get('link') ?? ''),
  ])
  const ids: string[] = body.map(({ id }: { id: string }) => id)
  return [headers.get('search-match') ?? 'exact', ...ids]
}

describe.each(samples)('a search of $collection', ({ collection, body: bodyOf, change }) => {
  test('finds words from within, and with a typing error where nothing has the word', async () => {
    const venue = await createVenue()
    const { id } = (await venue.post(`/${collection}`, bodyOf('Kürbiscremesuppe'))).body
    await venue.post(`/${collection}`, bodyOf('Other'))
    expect(await find(venue, collection, 'suppe')).toEqual(['exact', id])
    expect(await find(venue, collection, 'su')).toEqual(['exact', id])
    expect(await find(venue, collection, 'supppe')).toEqual(['similar', id])
    expect(await find(venue, collection, 'Krübiscreme')).toEqual(['similar', id])
    expect(await find(venue, collection, 'Kuerbiscremesuppe')).toEqual(['similar', id])
    expect(await find(venue, collection, 'kuerbis suppe')).toEqual(['similar', id])
    expect(await find(venue, collection, 'sxppx')).toEqual(['exact'])
    await venue.post(`/${collection}/${id}`, change)
    expect(await find(venue, collection, 'suppe')).toEqual(['exact', id])
    await venue.remove(`/${collection}/${id}`)
    expect(await find(venue, collection, 'suppe')).toEqual(['exact'])
    expect(await find(venue, collection, 'supppe')).toEqual(['exact'])
  })

  test('finds names of its merchant and mode only', async () => {
    const venue = await createVenue()
    const tester = await createKey(venue.id, { mode: 'test' })
    const ids = []
    for (const who of [venue, tester]) ids.push((await who.post(`/${collection}`, bodyOf('Kürbiscremesuppe'))).body.id)
    const [live, test] = ids
    expect(await find(venue, collection, 'supppe')).toEqual([
      'similar',
      ...(collection === 'tags' ? [test, live] : [live]),
    ])
    expect(await find(tester, collection, 'supppe')).toEqual(['similar', test])
    expect(await find(await createVenue(), collection, 'supppe')).toEqual(['exact'])
  })
})

const create = async (venue: Venue, title: string, rest: object = {}) =>
  String((await venue.post('/products', { title, price: 1, ...rest })).body.id)

test('a typing error is looked for only where a word finds nothing', async () => {
  const venue = await createVenue()
  const [soup, cake] = [await create(venue, 'Suppe'), await create(venue, 'Kuchen', { visible: false })]
  // Both words are known, but no product has both.
  expect(await find(venue, 'products', 'suppe kuchen')).toEqual(['exact'])
  // A filter leaves nothing out that a typing error would bring back.
  expect(await find(venue, 'products', 'kuchen', '&visible=true')).toEqual(['exact'])
  expect(await find(venue, 'products', 'kuchne', '&visible=true')).toEqual(['exact'])
  expect(await find(venue, 'products', 'kuchne', '&visible=false')).toEqual(['similar', cake])
  expect(await find(venue, 'products', 'kuchne', `&ids=${soup},${cake}`)).toEqual(['similar', cake])
  expect(await find(venue, 'products', 'kuchne', `&ids=${soup}`)).toEqual(['exact'])
})

test('a typing error is looked for in titles only, not in descriptions', async () => {
  const venue = await createVenue()
  const id = await create(venue, 'Soup', { description: 'with pumpkin', sku: 'PUMPKINS-1' })
  expect(await find(venue, 'products', 'pumpkni')).toEqual(['exact'])
  expect(await find(venue, 'products', 'mpkin')).toEqual(['exact'])
  expect(await find(venue, 'products', 'pumpk')).toEqual(['exact', id])
  expect(await find(venue, 'products', 'soup pumpk')).toEqual(['exact', id])
})

test('similar objects are one page, newest first or oldest first, and the header is exposed to browsers', async () => {
  const venue = await createVenue()
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.push(await create(venue, `Lasagne ${n}`))
  const [a, b, c, d, e] = ids
  expect(await find(venue, 'products', 'lasange')).toEqual(['similar', e, d, c, b, a])
  expect(await find(venue, 'products', 'lasange', '&order=asc&limit=2')).toEqual(['similar', a, b])
  const response = await send(venue.path('/products?q=lasange'), { headers: { authorization: `Bearer ${venue.key}` } })
  expect(response.headers.get('access-control-expose-headers')).toContain('Search-Match')
})

test('at most 500 rows are compared, in two more round trips', async () => {
  const venue = await createVenue()
  const operations = Array.from({ length: 100 }, (_, n) => ({
    op: 'create',
    resource: 'products',
    body: { title: `Lasagne ${n}`, price: 1 },
  }))
  for (let n = 0; n < 6; n++) expect((await venue.post('/batch', { operations })).status).toBe(200)
  const read = async (q: string) => {
    const { trips } = await observe('GET', venue.path(`/products?q=${q}&limit=1`), { key: venue.key })
    return [trips.length, trips.reduce((sum, { rowsRead }) => sum + rowsRead, 0)] as const
  }
  const [exact] = await read('pizza')
  const [similar, rows] = await read('lasange')
  expect(similar - exact).toBeLessThanOrEqual(2)
  expect(rows).toBeLessThan(500 * 6)
})

test('deleted objects are found with a typing error', async () => {
  const venue = await createVenue()
  const id = await create(venue, 'Kürbiscremesuppe')
  await venue.remove(`/products/${id}`)
  expect(await find(venue, 'products', 'suppe', '&deleted=true')).toEqual(['exact', id])
  expect(await find(venue, 'products', 'supppe', '&deleted=true')).toEqual(['similar', id])
  await venue.post(`/products/${id}/restore`, {})
  expect(await find(venue, 'products', 'suppe')).toEqual(['exact', id])
})
