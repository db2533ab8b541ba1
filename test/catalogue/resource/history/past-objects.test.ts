import { afterEach, describe, expect, test, vi } from 'vitest'
import { createVenue, type Venue } from '../../../support/api.ts'
import { observe } from '../../../support/d1.ts'
import { queryHome } from '../../../support/home.ts'

const start = Math.floor(Date.now() / 1000) - 20 * 86_400
const setTime = (second: number) => vi.useFakeTimers({ toFake: ['Date'], now: second * 1000 + 300 })
afterEach(() => vi.useRealTimers())

/** Repeats the events of an object behind the last event of the log, `count` in all. */
async function repeatEvents(venue: Venue, id: string, count: number) {
  const columns = 'merchant_id, test_mode, type, version, at, row, previous, external_id, object'
  await queryHome(
    venue.id,
    `with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ?)
    insert into events (id, seq, ${columns})
    select 'evt_' || substr('0000000000' || n, -10) || substr(hex(randomblob(8)), 1, 16), (select max(seq) from events where merchant_id = ?) + n, ${columns
      .split(', ')
      .map((name) => `one.${name}`)
      .join(', ')}
    from counter cross join (select * from events where merchant_id = ? and object = ? order by seq desc limit 1) as one`,
    count,
    venue.id,
    venue.id,
    id,
  )
}

describe.each(['d1', 'object'] as const)('objects as they were, in a home of the kind %s', (home) => {
  test('are found by their external ids, also if they were deleted since', async () => {
    const venue = await createVenue({ home })
    setTime(start)
    const { id } = (await venue.request('PUT', '/products/external/tea%2F1', { title: 'Tea', price: 1 })).body
    const created = (await venue.get(`/products/${id}`)).body
    setTime(start + 10)
    await venue.post(`/products/${id}`, { price: 2 })
    const at = async (second: number) => venue.get(`/products/external/tea%2F1?at=${second}`)
    expect((await at(start + 5)).body).toEqual(created)
    expect((await at(start + 10)).body).toMatchObject({ id, price: 2 })
    expect((await at(start + 60)).status).toBe(422)
    setTime(start + 20)
    await venue.remove(`/products/${id}`)
    expect((await at(start + 5)).body).toEqual(created)
    expect((await at(start + 5)).headers.get('external-id')).toBe('tea%2F1')
    expect((await at(start + 20)).status).toBe(404)
    expect((await at(start - 1)).status).toBe(404)
    expect((await venue.get(`/products/external/none?at=${start}`)).status).toBe(404)
    const other = await createVenue({ home })
    expect((await other.get(`/products/external/tea%2F1?at=${start}`)).status).toBe(404)
    // Another object has the external id now.
    setTime(start + 30)
    const next = (await venue.request('PUT', '/products/external/tea%2F1', { title: 'New tea', price: 3 })).body
    expect((await at(start + 30)).body).toMatchObject({ id: next.id, title: 'New tea' })
    expect((await at(start + 5)).status).toBe(404)
  })

  test('have their details from before the history, also if they were deleted since', async () => {
    const venue = await createVenue({ home })
    setTime(start)
    const { id } = (await venue.post('/products', { title: 'Tea', price: 1 })).body
    const bare = (await venue.post('/products', { title: 'Cup', price: 1 })).body.id
    const details = { ageLimit: 16, translations: { de: { title: 'Tee' } } }
    const set = await venue.post(`/products/${id}/details`, details)
    await queryHome(venue.id, 'delete from events where merchant_id = ?', venue.id)
    setTime(start + 10)
    await venue.remove(`/products/${id}`)
    await venue.remove(`/products/${bare}`)
    const at = async (one: string) => venue.get(`/products/${one}/details?at=${start + 5}`)
    expect((await at(id)).body).toEqual(details)
    expect((await at(id)).headers.get('etag')).toBe(set.headers.get('etag'))
    expect((await at(bare)).body).toEqual({})
    setTime(start + 20)
    await venue.post(`/products/${id}/restore`, {})
    await venue.post(`/products/${id}/details`, { ageLimit: 18 })
    expect((await at(id)).body).toEqual(details)
  })

  test('are not read back through more than 5,000 events', async () => {
    const venue = await createVenue({ home })
    setTime(start)
    const { id } = (await venue.post('/products', { title: 'Tea', price: 1 })).body
    await venue.post(`/products/${id}/details`, { ageLimit: 16 })
    setTime(start + 100)
    await venue.post(`/products/${id}`, { price: 2 })
    setTime(start + 200)
    const paths = [`/products/${id}`, `/products/${id}/details`]
    const read = async (second: number) => Promise.all(paths.map((path) => venue.get(`${path}?at=${second}`)))
    // Three events are there.
    await repeatEvents(venue, id, 4_997)
    expect((await read(start + 50)).map(({ status }) => status)).toEqual([200, 200])
    await repeatEvents(venue, id, 1)
    const late = await read(start + 50)
    expect(late.map(({ status, body }) => [status, body.errors[0].code])).toEqual([
      [422, 'too_many'],
      [422, 'too_many'],
    ])
    // The last event tells of the time after it.
    const [object, details] = await read(start + 150)
    expect([object?.body.price, details?.status]).toEqual([2, 200])
  })
})

test('an object as it was and its details take at most three round trips', async () => {
  const venue = await createVenue()
  setTime(start)
  const { id } = (await venue.request('PUT', '/products/external/tea', { title: 'Tea', price: 1 })).body
  const unchanged = (await venue.request('PUT', '/products/external/cup', { title: 'Cup', price: 1 })).body.id
  await queryHome(venue.id, 'delete from events where merchant_id = ? and object = ?', venue.id, unchanged)
  setTime(start + 10)
  await venue.post(`/products/${id}/details`, { ageLimit: 18 })
  const count = async (path: string) => {
    const { status, trips } = await observe('GET', venue.path(`${path}?at=${start + 5}`), { key: venue.key })
    return [status, trips.length]
  }
  // The key of the venue.
  await venue.get('/products')
  expect(await count(`/products/${id}`)).toEqual([200, 1])
  expect(await count(`/products/${id}/details`)).toEqual([200, 1])
  expect(await count('/products/external/tea')).toEqual([200, 2])
  expect(await count(`/products/${unchanged}`)).toEqual([200, 2])
  expect(await count(`/products/${unchanged}/details`)).toEqual([200, 3])
  expect(await count('/products/external/cup')).toEqual([200, 3])
  expect(await count('/products/external/none')).toEqual([404, 2])
})
