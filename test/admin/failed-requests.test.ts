import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { failureWindow } from '../../src/platform/auth/failures/count-failure.ts'
import { failedRequestLimits } from '../../src/platform/auth/failures/failure-statements.ts'
import { daySeconds } from '../../src/platform/lib/day.ts'
import { createKey, createVenue, type Venue } from '../support/api.ts'
import { observe, watch } from '../support/d1.ts'
import { purgeNow } from '../support/purges.ts'

const { ms } = failureWindow
beforeAll(() => {
  failureWindow.isCounting = true
})
afterEach(() => {
  failureWindow.ms = ms
})

/** The failed requests of a venue's key, after they were written. */
async function failures(venue: Pick<Venue, 'get'>, count: number, search = '') {
  await expect.poll(async () => (await venue.get(`/failed-requests${search}`)).body).toHaveLength(count)
  return (await venue.get(`/failed-requests${search}`)).body
}

test('groups failures without ids, values and names that a client chose', async () => {
  failureWindow.ms = 20
  const venue = await createVenue()
  await venue.post('/products', { title: 'Tea', price: -1, 'jane@example.com': 1, colour: 2 })
  await venue.post('/products', { title: 'Tea', price: -2, 'joe@example.com': 1, colour: 3 })
  await venue.get('/products/prod_secret?include=version')
  await venue.get('/products/prod_other')
  await venue.get('/products?secret_name=jane')
  await venue.post('/batch', { operations: [{ op: 'create', resource: 'products', body: { title: '' } }] })
  await venue.get('/nowhere/jane')
  const found = await failures(venue, 5)
  const lastAt = expect.any(Number)
  const of = { key: venue.keyId, lastAt }
  const base = '/merchants/:merchantId'
  const notFound = { ...of, method: 'GET', status: 404, code: 'not_found', pointers: [] }
  const invalid = { ...of, method: 'POST', path: `${base}/products`, status: 422, code: 'invalid_request' }
  expect(found).toHaveLength(5)
  expect(found).toEqual(
    expect.arrayContaining([
      { ...invalid, pointers: ['/*', '/price'], count: 2 },
      { ...invalid, method: 'GET', pointers: ['?*'], count: 1 },
      {
        ...invalid,
        path: `${base}/batch`,
        code: 'batch_failed',
        pointers: ['/operations/*/body/price', '/operations/*/body/title'],
        count: 1,
      },
      { ...notFound, path: `${base}/products/:id`, count: 2 },
      { ...notFound, path: `${base}/*`, count: 1 },
    ]),
  )
  const { results } = await env.DB.prepare('select * from failed_requests where merchant_id = ?').bind(venue.id).all()
  expect(JSON.stringify(results)).not.toMatch(/jane|joe|example|secret|prod_/)
})

test('needs its scope and names a key for sessions; other venues and live keys stay hidden from test keys', async () => {
  const [venue, stranger] = [await createVenue(), await createVenue()]
  const tester = await createKey(venue.id, { mode: 'test' })
  const reader = await createKey(venue.id, { mode: 'live', scopes: ['products:read'] })
  expect((await reader.get('/failed-requests')).body.detail).toBe('The key lacks the scope audit:read.')
  await tester.get('/products/no')
  await venue.get('/products/no')
  expect(await failures(tester, 1)).toMatchObject([{ key: tester.keyId, status: 404 }])
  expect(await failures(venue, 1, `?key=${reader.keyId}`)).toMatchObject([{ status: 403, code: 'forbidden' }])
  expect(await failures(venue, 1, `?key=${tester.keyId}`)).toMatchObject([{ status: 404 }])
  expect(await failures(tester, 0, `?key=${venue.keyId}`)).toEqual([])
  expect(await failures(stranger, 0, `?key=${venue.keyId}`)).toEqual([])
  expect(await failures(venue, 0, '?status=5xx')).toEqual([])
  expect(await failures(venue, 1, '?status=404')).toHaveLength(1)
  expect(await failures(venue, 1, '?status=4xx&limit=1')).toHaveLength(1)
  for (const search of ['?status=3xx', '?limit=0', '?limit=101', '?color=red'])
    expect((await venue.get(`/failed-requests${search}`)).status).toBe(422)
})

test('a key has one write in each window, a request that succeeds none, and a response waits for none', async () => {
  failureWindow.ms = 3_000
  const venue = await createVenue()
  const { database, trips } = watch(env.DB)
  const writes = () => trips.filter(({ statements }) => statements.some((sql) => sql.includes('"failed_requests"')))
  const send = (path: string) => observe('GET', venue.path(path), { key: venue.key, bindings: { DB: database } })
  await (await send('/products')).settled()
  expect(writes()).toEqual([])
  const failed = await send('/products/no')
  expect([failed.status, failed.trips.length]).toEqual([404, 0])
  await failed.settled()
  expect(writes()).toMatchObject([{ rowsWritten: 3 }])
  const others = await Promise.all(Array.from({ length: 20 }, () => send('/products/no')))
  for (const { settled } of others) await settled()
  expect(writes().slice(1)).toMatchObject([{ rowsWritten: 1 }])
  expect((await venue.get('/failed-requests')).body).toMatchObject([{ count: 21 }])
})

test('a day has at most 100 groups of a key; known ones still count', async () => {
  failureWindow.ms = 20
  const venue = await createVenue()
  const insert = env.DB.prepare(
    `insert into failed_requests select ?1, ?2, unixepoch() - unixepoch() % 86400, json_array('GET', '/' || value, 404, 'not_found', json('[]')), 0, 1, unixepoch() - value
     from json_each(?3)`,
  )
  const numbers = Array.from({ length: failedRequestLimits.groups - 1 }, (_, n) => n + 1)
  await insert.bind(venue.id, venue.keyId, JSON.stringify(numbers)).run()
  await venue.get('/products/no')
  expect(await failures(venue, 100)).toHaveLength(100)
  await venue.get('/menus/no')
  await venue.get('/products/no')
  await expect.poll(async () => (await failures(venue, 100))[0]).toMatchObject({ count: 2 })
  expect((await failures(venue, 100)).some(({ path }: { path: string }) => path.includes('menus'))).toBe(false)
})

test('are shown for 7 days and deleted after 8, and not counted for a revoked key', async () => {
  const venue = await createVenue()
  await venue.get('/products/no')
  await failures(venue, 1)
  const age = (seconds: number) =>
    env.DB.prepare(
      'update failed_requests set last_at = unixepoch() - ?1, day = unixepoch() - ?1 where merchant_id = ?2',
    )
      .bind(seconds, venue.id)
      .run()
  const kept = async () =>
    (await env.DB.prepare('select * from failed_requests where merchant_id = ?').bind(venue.id).all()).results.length
  await age(7 * daySeconds - 60)
  await failures(venue, 1)
  await age(7 * daySeconds + 1)
  await failures(venue, 0)
  await purgeNow(env, Date.now())
  expect(await kept()).toBe(1)
  await age(8 * daySeconds + 60)
  await purgeNow(env, Date.now())
  expect(await kept()).toBe(0)
  // The isolate still knows the key when the failure is counted.
  await env.DB.prepare('delete from keys where id = ?').bind(venue.keyId).run()
  const { database, trips } = watch(env.DB)
  failureWindow.ms = 0
  await (await observe('GET', venue.path('/products/no'), { key: venue.key, bindings: { DB: database } })).settled()
  expect(trips.flatMap(({ statements }) => statements).some((sql) => sql.includes('"failed_requests"'))).toBe(true)
  expect(await kept()).toBe(0)
})
