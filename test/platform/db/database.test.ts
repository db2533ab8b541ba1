import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { compile, param, toValues, type Values } from '../../../src/platform/db/database.ts'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { createVenue, send } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { createIsolate } from '../../support/isolate.ts'
import { samples } from '../../support/samples.ts'

const form = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/
const unconstrained = 'first-unconstrained'

/** A valid bookmark of an earlier state. */
const past = `00000000-00000001-00000001-${'0'.repeat(32)}`

describe.each(samples)('a session with $collection', ({ collection, body: bodyOf, change }) => {
  test('is in every response, and a request continues from that of the client', async () => {
    const venue = await createVenue()
    const created = await venue.post(`/${collection}`, bodyOf('x'))
    const { id } = created.body
    const createdAtBookmark = created.headers.get('d1-bookmark') ?? ''
    expect(createdAtBookmark).toMatch(form)
    for (const [method, path, json, status] of [
      ['GET', `/${collection}`, undefined, 200],
      ['HEAD', `/${collection}`, undefined, 200],
      ['GET', `/${collection}/${id}`, undefined, 200],
      ['GET', `/${collection}/nobody`, undefined, 404],
      ['POST', `/${collection}`, 'new', 201],
      ['POST', `/${collection}/${id}`, {}, 200],
      ['POST', `/${collection}/${id}`, change, 200],
      ['DELETE', `/${collection}/nobody`, undefined, 404],
      ['DELETE', `/${collection}/${id}`, undefined, 200],
    ] as const) {
      for (const [sent, asked] of [
        [undefined, unconstrained],
        [createdAtBookmark, createdAtBookmark],
        [past, past],
      ] as const) {
        const isLast = sent === past
        if (method === 'DELETE' && status === 200 && !isLast) continue
        const { sessions, ...response } = await observe(method, venue.path(path), {
          key: venue.key,
          ...(json === undefined ? {} : { json: json === 'new' ? bodyOf('y') : json }),
          ...(sent === undefined ? {} : { headers: { 'd1-bookmark': sent } }),
        })
        expect([method, path, response.status, sessions[0]]).toEqual([method, path, status, asked])
        expect(response.headers.get('d1-bookmark')).toMatch(form)
      }
    }
  })

  test('returns the client’s bookmark, or none, where the database was not needed', async () => {
    const venue = await createVenue()
    for (const [method, path, status] of [
      ['GET', `/${collection}?limit=0`, 422],
      ['PUT', `/${collection}`, 405],
      ['OPTIONS', `/${collection}`, 204],
      ['GET', `/${collection}/a/b`, 404],
    ] as const) {
      const without = await venue.request(method, path)
      expect([path, without.status, without.headers.get('d1-bookmark')]).toEqual([path, status, null])
      const response = await venue.request(method, path, undefined, { 'd1-bookmark': past })
      expect([path, response.status, response.headers.get('d1-bookmark')]).toEqual([path, status, past])
    }
  })
})

test('a bookmark that the service did not send is rejected', async () => {
  const venue = await createVenue()
  for (const bookmark of [
    '',
    'x',
    'first-primary',
    'first-unconstrained',
    past.slice(1),
    `${past}0`,
    past.toUpperCase().replaceAll('0', 'A'),
    past.replaceAll('0', 'g'),
    `${past}, ${past}`,
    "'; drop table products",
    'x'.repeat(5_000),
  ]) {
    const { status, body, headers, trips } = await observe('GET', venue.path('/products'), {
      key: venue.key,
      headers: { 'd1-bookmark': bookmark },
    })
    expect([bookmark, status, body.code]).toEqual([bookmark, 400, 'malformed_bookmark'])
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(trips.filter(({ statements }) => /products/.test(statements.join()))).toEqual([])
  }
})

test('a bookmark of the future is accepted', async () => {
  const venue = await createVenue()
  const { status } = await venue.get('/products', { 'd1-bookmark': `ffffffff-ffffffff-ffffffff-${'f'.repeat(32)}` })
  expect(status).toBe(200)
})

test('a client reads its own writes by sending the bookmark back', async () => {
  const venue = await createVenue()
  const { headers, body } = await venue.post('/products', { title: 'Tea', price: 1 })
  const bookmark = headers.get('d1-bookmark') ?? ''
  const { headers: next, body: found } = await venue.get(`/products/${body.id}`, { 'd1-bookmark': bookmark })
  expect(found).toEqual(body)
  expect((next.get('d1-bookmark') ?? '') >= bookmark).toBe(true)
})

describe('what a replica may get wrong', () => {
  test('is made good by the primary: an update that someone else overtook starts over there', async () => {
    const venue = await createVenue()
    const { id } = (await venue.post('/products', { title: 'Tea', price: 1 })).body
    let isOvertaken = false
    const { sessions, trips, status, body } = await observe('POST', venue.path(`/products/${id}`), {
      key: venue.key,
      json: { price: 2 },
      before: async (statements) => {
        if (isOvertaken || !statements[0]?.startsWith('update')) return
        isOvertaken = true
        // A change by another isolate: within one isolate, updates of an object take turns.
        const rival = `update products set title = 'Green tea', version = version + 1 where id = ?`
        await env.DB.prepare(rival).bind(id).run()
      },
    })
    expect([status, body.title, body.price]).toEqual([200, 'Green tea', 2])
    expect(sessions).toEqual([unconstrained, 'first-primary'])
    expect(trips).toHaveLength(4)
  })

  test('is made good by the primary: "nothing changes" is believed of no replica', async () => {
    const venue = await createVenue()
    const { body: tea } = await venue.post('/products', { title: 'Tea', price: 1 })
    const { sessions, trips, body } = await observe('POST', venue.path(`/products/${tea.id}`), {
      key: venue.key,
      json: { price: 1 },
    })
    expect([body, sessions, trips.length]).toEqual([tea, [unconstrained, 'first-primary'], 2])
  })

  /** Requests to another isolate, whose replica does not show what `change` does. The primary shows it. */
  const createLaggingIsolate = (change: () => Promise<unknown>) => {
    let changed: Promise<unknown> | undefined
    const withSession = (constraint: string) => {
      const session = env.DB.withSession(constraint)
      const catchUp = async () => {
        if (constraint !== 'first-primary') return
        changed ??= change()
        await changed
      }
      return {
        prepare: (text: string) => ({
          bind(...values: unknown[]) {
            const bound = session.prepare(text).bind(...values)
            const all = bound.all.bind(bound)
            return Object.assign(bound, { all: () => catchUp().then(() => all()) })
          },
        }),
        batch: (statements: D1PreparedStatement[]) => catchUp().then(() => session.batch(statements)),
        getBookmark: () => session.getBookmark(),
      }
    }
    return createIsolate(Object.assign(Object.create(null), { withSession }))
  }

  describe('is made good by the primary, which has', () => {
    test('the state that an update is valid for', async () => {
      const venue = await createVenue({ home: 'd1' })
      const { body: menu } = await venue.post('/menus', { title: 'All', begin: '0900', end: '1000' })
      const request = await createLaggingIsolate(() => venue.post(`/menus/${menu.id}`, { end: '1200' }))
      const { status, body } = await request('POST', venue.path(`/menus/${menu.id}`), venue.key, { begin: '1000' })
      expect([status, body]).toMatchObject([200, { begin: '1000', end: '1200' }])
    })

    test.each([
      ['', { title: 'Green tea' }],
      ['/details', { ageLimit: 18 }],
    ])('the object of an update of …/:id%s', async (suffix, change) => {
      const venue = await createVenue({ home: 'd1' })
      const { body: tea } = await venue.post('/products', { title: 'Tea', price: 1 })
      const setMode = (mode: number) =>
        env.DB.prepare('update products set test_mode = ? where id = ?').bind(mode, tea.id).run()
      await setMode(1)
      const request = await createLaggingIsolate(() => setMode(0))
      const { status, body } = await request('POST', venue.path(`/products/${tea.id}${suffix}`), venue.key, change)
      expect([status, body]).toMatchObject([200, change])
    })

    test('the object of a conditional upsert', async () => {
      const venue = await createVenue({ home: 'd1' })
      const path = '/products/external/TEA'
      const request = await createLaggingIsolate(() => venue.request('PUT', path, { title: 'Tea', price: 1 }))
      const change = { title: 'Green tea', price: 1 }
      const { status, body } = await request('PUT', venue.path(path), venue.key, change, { 'if-match': '*' })
      expect([status, body]).toMatchObject([200, change])
    })

    test('the objects that a rejected write names', async () => {
      const venue = await createVenue()
      const coupon = { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 }
      await venue.post('/coupons', coupon)
      const { body: tea } = await venue.post('/products', { title: 'Tea', price: 1 })
      const { status, sessions } = await observe('POST', venue.path('/coupons'), {
        key: venue.key,
        json: { ...coupon, products: [tea.id] },
      })
      expect([status, sessions]).toEqual([409, [unconstrained, 'first-primary']])
    })
  })

  test('is made good by the primary: an unknown object is unknown there too', async () => {
    const venue = await createVenue()
    await venue.get('/products')
    for (const path of ['/products/nobody', '/products/nobody/details']) {
      const { status, sessions, trips } = await observe('POST', venue.path(path), { key: venue.key, json: {} })
      expect([status, sessions, trips.length]).toEqual([404, [unconstrained, 'first-primary'], 2])
    }
  })
})

test('what is not about a merchant’s data carries no bookmark', async () => {
  expect((await send('/health')).headers.get('d1-bookmark')).toBeNull()
  expect((await send('/merchants/mer_1/products')).headers.get('d1-bookmark')).toBeNull()
})

describe('the value of a parameter', () => {
  const statement = compile(sql`select ${param('first')} as first, ${param('second')} as second`)
  const run = (values: Values) => directoryDatabase(env).run([statement, values])

  test('is null if it is undefined', async () => {
    expect(await run({ first: 1, second: undefined })).toEqual([[{ first: 1, second: null }]])
    expect(await run({ ...toValues({ first: 0, second: 0 }, { first: 1 }) })).toEqual([[{ first: 1, second: null }]])
  })

  test('must be given, so that a misspelt name is never null', async () => {
    await expect(run({ first: 1, secnd: 2 })).rejects.toThrow(/^no value for parameter second: select/)
  })
})
