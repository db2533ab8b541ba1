import { afterEach, describe, expect, test, vi } from 'vitest'
import { createKey, createVenue, toIssues, type Venue } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { queryHome } from '../../support/home.ts'

afterEach(() => vi.useRealTimers())

/** In the future: with a clock that is behind, alarms of objects are due without end. */
const start = Math.ceil(Date.now() / 1000) + 86_400
const stopClock = () => vi.useFakeTimers({ toFake: ['Date'], now: start * 1000 })
const setClock = (seconds: number) => vi.setSystemTime(seconds * 1000)

async function createCoupon(venue: Venue, limits?: object, fields: object = {}): Promise<string> {
  const body = { title: 'Ten', code: 'TEN', type: 'PERCENTAGE', value: 10, ...fields }
  const { id } = (await venue.post('/coupons', body)).body
  if (limits) await venue.post(`/coupons/${id}/limits`, limits)
  return id
}
const redeem = (venue: Pick<Venue, 'post'>, order: string, fields: object = {}) =>
  venue.post('/redemptions', { code: 'TEN', order, ...fields })
const settle = (venue: Venue, id: string, verb: 'confirm' | 'release') => venue.post(`/redemptions/${id}/${verb}`, {})
const readCount = async (venue: Venue, coupon: string): Promise<number> =>
  (await venue.get(`/coupons/${coupon}`)).body.timesRedeemed
const createCustomer = async (venue: Venue): Promise<string> =>
  (await venue.post('/customers', { firstName: 'Ana', lastName: 'Silva' })).body.id
// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
const listEvents = async (venue: Venue): Promise<any[]> =>
  (await venue.get('/events?limit=100')).body.filter(({ type }: { type: string }) => /^coupon\.(?:re|li|up)/.test(type))
const toReasons = ({ status, body }: Awaited<ReturnType<Venue['get']>>) => [
  status,
  body.code,
  (body.reasons ?? []).map(({ code }: { code: string }) => code),
]

describe('a redemption', () => {
  test('is recorded, counts and moves the coupon', async () => {
    stopClock()
    const venue = await createVenue()
    const [coupon, customer] = [await createCoupon(venue), await createCustomer(venue)]
    const { status, body, headers } = await redeem(venue, 'A-1', { code: 'ten', customer, amount: '1.25' })
    const redemption = {
      id: expect.stringMatching(/^red_/),
      coupon,
      code: 'ten',
      order: 'A-1',
      customer,
      amount: 1.25,
      state: 'redeemed',
      createdAt: start,
    }
    expect([status, body, headers.get('location')]).toEqual([201, redemption, venue.path(`/redemptions/${body.id}`)])
    expect((await venue.get(`/redemptions/${body.id}`)).body).toEqual(body)
    const shown = await venue.get(`/coupons/${coupon}`)
    expect([shown.body.timesRedeemed, shown.headers.get('etag')?.slice(0, 3)]).toEqual([1, '"2-'])
    expect(await listEvents(venue)).toMatchObject([
      { type: 'coupon.redeemed', version: 2, data: { redemption: body, coupon: shown.body } },
    ])
    const { body: entries } = await venue.get('/audit?operation=redemptions.create')
    expect(entries).toMatchObject([{ object: body.id }])
  })

  test('that is damaged is not found to be missing, and is not changed', async () => {
    const venue = await createVenue()
    const coupon = await createCoupon(venue)
    const { id } = (await redeem(venue, 'A-1', { hold: 60 })).body
    await queryHome(venue.id, `update redemptions set amount = 'much' where id = ?`, id)
    const answers = [await venue.get(`/redemptions/${id}`), await settle(venue, id, 'confirm')]
    answers.push(await settle(venue, id, 'release'))
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([409, 'damaged']))
    const stored = await queryHome(venue.id, 'select state from redemptions where id = ?', id)
    expect([stored, await readCount(venue, coupon)]).toEqual([[{ state: 'held' }], 0])
    expect((await venue.get('/redemptions/red_none')).status).toBe(404)
  })

  test('happens once for each order: with other values it is a conflict', async () => {
    const venue = await createVenue()
    const [coupon, customer] = [await createCoupon(venue), await createCustomer(venue)]
    const first = await redeem(venue, 'A-1', { customer, amount: 2 })
    const again = await redeem(venue, 'A-1', { customer, amount: 2, code: ' TEN' })
    expect([again.status, again.body, again.headers.get('location')]).toEqual([200, first.body, null])
    expect((await redeem(venue, 'A-1', { customer, amount: 2, hold: 60 })).body).toEqual(first.body)
    for (const [fields, pointer] of [
      [{ customer, amount: 3 }, '/amount'],
      [{ customer }, '/amount'],
      [{ amount: 2 }, '/customer'],
    ] as const) {
      const { status, body } = await redeem(venue, 'A-1', fields)
      expect([status, body.code, body.errors[0].pointer]).toEqual([409, 'conflict', pointer])
    }
    expect((await redeem(venue, 'A-2')).status).toBe(201)
    expect(await readCount(venue, coupon)).toBe(2)
  })

  test('of one order from two tills at once happens once', async () => {
    const venue = await createVenue()
    const coupon = await createCoupon(venue)
    const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(venue, 'A-1', { amount: 1 })))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await readCount(venue, coupon)).toBe(1)
    expect(await listEvents(venue)).toHaveLength(1)
  })

  test('keeps its limit with 200 tills at once', async () => {
    const venue = await createVenue()
    const coupon = await createCoupon(venue, { maxRedemptions: 100 })
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => redeem(venue, `A-${n}`)))
    const counts = Map.groupBy(answers, ({ status, body }) => (body.code === 'TEN' ? `${status}` : body.code))
    expect([counts.get('201')?.length, counts.get('coupon_not_redeemable')?.length]).toEqual([100, 100])
    expect(await readCount(venue, coupon)).toBe(100)
    const reached = (await venue.get('/redemptions?limit=100')).body
    expect(reached).toHaveLength(100)
  })

  test('returns the first response for an Idempotency-Key, and changes nothing for another body', async () => {
    const venue = await createVenue()
    const coupon = await createCoupon(venue)
    const post = (order: string) => venue.post('/redemptions', { code: 'TEN', order }, { 'idempotency-key': 'k' })
    const first = await post('A-1')
    const again = await post('A-1')
    expect([again.status, again.body, again.headers.get('location')]).toEqual([
      201,
      first.body,
      first.headers.get('location'),
    ])
    expect((await post('A-2')).body.code).toBe('idempotency_key_reused')
    expect(await readCount(venue, coupon)).toBe(1)
  })

  test('belongs to its merchant and mode, and requires its scope', async () => {
    const venue = await createVenue()
    await createCoupon(venue)
    const { id } = (await redeem(venue, 'A-1')).body
    for (const foreign of [await createVenue(), await createKey(venue.id, { mode: 'test' })]) {
      expect((await foreign.get(`/redemptions/${id}`)).status).toBe(404)
      expect((await foreign.post(`/redemptions/${id}/release`, {})).status).toBe(404)
      expect((await foreign.get('/redemptions')).body).toEqual([])
      expect(toReasons(await redeem(foreign, 'A-1'))).toEqual([409, 'coupon_not_redeemable', ['not_found']])
    }
    const reader = await createKey(venue.id, { mode: 'live', scopes: ['redemptions:read', 'coupons:write'] })
    expect((await redeem(reader, 'A-2')).status).toBe(403)
    expect((await reader.get('/redemptions')).status).toBe(200)
  })

  test('outlives its coupon and its customer', async () => {
    const venue = await createVenue()
    const [coupon, customer] = [await createCoupon(venue), await createCustomer(venue)]
    const { body } = await redeem(venue, 'A-1', { customer })
    await venue.remove(`/coupons/${coupon}`)
    await venue.remove(`/customers/${customer}`)
    expect((await venue.get(`/redemptions/${body.id}`)).body).toEqual(body)
    expect((await redeem(venue, 'A-1', { customer })).body).toEqual(body)
    const { status, body: released } = await settle(venue, body.id, 'release')
    expect([status, released.state]).toEqual([200, 'released'])
    const event = (await listEvents(venue)).at(-1)
    expect([event.type, Object.keys(event.data)]).toEqual(['coupon.released', ['redemption']])
    const successor = await createCoupon(venue)
    expect((await redeem(venue, 'A-2')).body.coupon).toBe(successor)
  })

  test('takes one call of the database, refused or not', async () => {
    const venue = await createVenue()
    await createCoupon(venue, { maxRedemptions: 1 })
    const ask = async (path: string, json: object) => {
      const { status, trips, body } = await observe('POST', venue.path(path), { key: venue.key, json })
      return [status, trips.length, body.id]
    }
    const [, , id] = await ask('/redemptions', { code: 'TEN', order: 'A-0', hold: 60 })
    expect(await ask('/redemptions', { code: 'TEN', order: 'A-1' })).toEqual([409, 1, undefined])
    expect(await ask(`/redemptions/${id}/confirm`, {})).toEqual([200, 1, id])
    expect(await ask('/redemptions', { code: 'TEN', order: 'A-0' })).toEqual([200, 1, id])
    expect(await ask(`/redemptions/${id}/release`, {})).toEqual([200, 1, id])
  })
})

describe('a refusal', () => {
  test('names all reasons', async () => {
    stopClock()
    const venue = await createVenue()
    const coupon = await createCoupon(venue, { maxRedemptions: 1, startsAt: start, endsAt: start + 10 })
    await redeem(venue, 'A-1')
    await venue.post(`/coupons/${coupon}/limits`, { maxRedemptionsPerCustomer: 1 })
    await venue.post(`/coupons/${coupon}`, { active: false })
    setClock(start - 1)
    const early = await redeem(venue, 'A-2')
    expect(toReasons(early)[2]).toEqual(['inactive', 'not_started', 'limit_reached', 'customer_required'])
    expect(early.body.errors[0]).toMatchObject({ pointer: '/code', code: 'inactive' })
    setClock(start + 10)
    expect(toReasons(await redeem(venue, 'A-2'))[2]).toEqual([
      'inactive',
      'expired',
      'limit_reached',
      'customer_required',
    ])
    expect(toReasons(await redeem(venue, 'A-2', { code: 'NONE' }))[2]).toEqual(['not_found'])
    expect(await readCount(venue, coupon)).toBe(1)
  })

  test('holds from the first and to the last second of the period', async () => {
    stopClock()
    const venue = await createVenue()
    await createCoupon(venue, { startsAt: start, endsAt: start + 10 })
    const statuses: number[] = []
    for (const at of [start - 1, start, start + 9, start + 10]) {
      setClock(at)
      statuses.push((await redeem(venue, `A-${at}`)).status)
    }
    expect(statuses).toEqual([409, 201, 201, 409])
  })

  test('counts redemptions by customer', async () => {
    const venue = await createVenue()
    await createCoupon(venue, { maxRedemptionsPerCustomer: 2 })
    const [ana, rui] = [await createCustomer(venue), await createCustomer(venue)]
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => redeem(venue, `A-${n}`, { customer: ana })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
    const refused = answers.find(({ status }) => status !== 201)
    expect(refused && toReasons(refused)[2]).toEqual(['customer_limit_reached'])
    expect((await redeem(venue, 'B', { customer: rui })).status).toBe(201)
    const first = answers.find(({ status }) => status === 201)?.body.id
    await settle(venue, first, 'release')
    expect((await redeem(venue, 'C', { customer: ana })).status).toBe(201)
  })

  test('of an unknown customer or a bad body is 422', async () => {
    const venue = await createVenue()
    await createCoupon(venue)
    expect(toIssues(await redeem(venue, 'A-1', { customer: 'cus_x' }))).toEqual(['/customer not_found'])
    expect(toIssues(await venue.post('/redemptions', { hold: 0, amount: -1, state: 'held', x: 1 }))).toEqual([
      '/amount too_small',
      '/code required',
      '/hold too_small',
      '/order required',
      '/state read_only_field',
      '/x unknown_field',
    ])
    expect(toIssues(await redeem(venue, 'A-1', { hold: 3_601 }))).toEqual(['/hold too_large'])
    expect((await redeem(venue, 'A-1', { hold: 3_600 })).status).toBe(201)
    expect(toIssues(await redeem(venue, 'x'.repeat(129)))).toEqual(['/order too_long'])
    expect((await redeem(venue, 'x'.repeat(128))).status).toBe(201)
  })
})

describe('a hold', () => {
  test('reserves the coupon until the second before its end', async () => {
    stopClock()
    const venue = await createVenue()
    const coupon = await createCoupon(venue, { maxRedemptions: 1 })
    const held = await redeem(venue, 'A-1', { hold: 60 })
    expect([held.status, held.body]).toMatchObject([201, { state: 'held', expiresAt: start + 60 }])
    expect(await readCount(venue, coupon)).toBe(0)
    expect(await listEvents(venue)).toEqual([])
    setClock(start + 59)
    expect(toReasons(await redeem(venue, 'A-2'))[2]).toEqual(['limit_reached'])
    expect((await redeem(venue, 'A-1', { hold: 60 })).body).toEqual(held.body)
    setClock(start + 60)
    expect((await venue.get(`/redemptions/${held.body.id}`)).body.state).toBe('expired')
    expect((await redeem(venue, 'A-2')).status).toBe(201)
    expect((await settle(venue, held.body.id, 'confirm')).body.code).toBe('conflict')
    expect((await settle(venue, held.body.id, 'release')).body.state).toBe('expired')
    expect(await readCount(venue, coupon)).toBe(1)
  })

  test('is confirmed once, at its last second too, whatever became of the coupon', async () => {
    stopClock()
    const venue = await createVenue()
    const coupon = await createCoupon(venue, { maxRedemptions: 1, endsAt: start + 30 })
    const { id } = (await redeem(venue, 'A-1', { hold: 60 })).body
    setClock(start + 59)
    await venue.post(`/coupons/${coupon}`, { active: false })
    const answers = await Promise.all(Array.from({ length: 5 }, () => settle(venue, id, 'confirm')))
    expect(answers.map(({ status, body }) => [status, body.state, body.expiresAt])).toEqual(
      Array(5).fill([200, 'redeemed', undefined]),
    )
    expect(await readCount(venue, coupon)).toBe(1)
    expect((await listEvents(venue)).map(({ type }) => type)).toEqual([
      'coupon.updated',
      'coupon.redeemed',
      'coupon.limit_reached',
    ])
  })

  test('is confirmed by a redemption of its order without hold', async () => {
    const venue = await createVenue()
    const coupon = await createCoupon(venue, { maxRedemptions: 1 })
    const held = (await redeem(venue, 'A-1', { hold: 60, amount: 2 })).body
    expect((await redeem(venue, 'A-1', { amount: 3 })).body.code).toBe('conflict')
    const { status, body } = await redeem(venue, 'A-1', { amount: 2 })
    expect([status, body.id, body.state, body.expiresAt]).toEqual([200, held.id, 'redeemed', undefined])
    expect(await readCount(venue, coupon)).toBe(1)
    const { body: entries } = await venue.get(`/audit?object=${held.id}`)
    expect(entries).toHaveLength(2)
  })

  test('that is over frees its order', async () => {
    stopClock()
    const venue = await createVenue()
    await createCoupon(venue)
    const first = (await redeem(venue, 'A-1', { hold: 60 })).body
    setClock(start + 60)
    const second = await redeem(venue, 'A-1', { hold: 60 })
    expect([second.status, second.body.id === first.id]).toEqual([201, false])
    setClock(start + 120)
    const third = await redeem(venue, 'A-1')
    expect([third.status, third.body.state]).toEqual([201, 'redeemed'])
    const list = async (search: string) =>
      (await venue.get(`/redemptions${search}`)).body.map(({ id }: { id: string }) => id)
    expect(await list('?order=A-1')).toEqual([third.body.id, second.body.id, first.id])
    expect(await list('?state=expired')).toEqual([second.body.id, first.id])
  })

  test('may end while it is confirmed: then it is confirmed, or it counts no longer', async () => {
    stopClock()
    const venue = await createVenue()
    const coupon = await createCoupon(venue, { maxRedemptions: 1 })
    const { id } = (await redeem(venue, 'A-1', { hold: 1 })).body
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => {
        if (n === 5) setClock(start + 1)
        return n % 2 ? settle(venue, id, 'confirm') : redeem(venue, `B-${n}`)
      }),
    )
    expect(answers.filter(({ status, body }) => status < 300 && body.state === 'redeemed').length).toBeGreaterThan(0)
    expect(await readCount(venue, coupon)).toBe(1)
  })

  test('that is never confirmed changes nothing, and needs no sweep', async () => {
    stopClock()
    const venue = await createVenue()
    const coupon = await createCoupon(venue, { maxRedemptions: 1 })
    for (let n = 0; n < 3; n++) {
      expect((await redeem(venue, `A-${n}`, { hold: 60 })).status).toBe(201)
      setClock(start + 60 * (n + 1))
    }
    expect(await readCount(venue, coupon)).toBe(0)
    expect((await redeem(venue, 'B')).status).toBe(201)
  })
})

describe('a release', () => {
  test('gives the coupon back, once', async () => {
    const venue = await createVenue()
    const coupon = await createCoupon(venue, { maxRedemptions: 1 })
    const { id } = (await redeem(venue, 'A-1')).body
    const answers = await Promise.all(Array.from({ length: 5 }, () => settle(venue, id, 'release')))
    expect(answers.map(({ status, body }) => [status, body.state])).toEqual(Array(5).fill([200, 'released']))
    expect(await readCount(venue, coupon)).toBe(0)
    expect((await listEvents(venue)).map(({ type, version }) => [type, version])).toEqual([
      ['coupon.redeemed', 2],
      ['coupon.limit_reached', 2],
      ['coupon.released', 3],
    ])
    const again = await redeem(venue, 'A-1')
    expect([again.status, again.body.state]).toEqual([200, 'released'])
    expect((await settle(venue, id, 'confirm')).body.code).toBe('conflict')
    expect((await redeem(venue, 'A-2')).status).toBe(201)
  })

  test('of a hold leaves the count', async () => {
    const venue = await createVenue()
    const coupon = await createCoupon(venue, { maxRedemptions: 2 })
    await redeem(venue, 'A-0')
    const { id } = (await redeem(venue, 'A-1', { hold: 60 })).body
    expect((await settle(venue, id, 'release')).body.state).toBe('released')
    expect(await readCount(venue, coupon)).toBe(1)
    expect((await redeem(venue, 'A-2')).status).toBe(201)
  })

  test('never makes the count negative, which stays writable', async () => {
    const venue = await createVenue()
    const coupon = await createCoupon(venue, { maxRedemptions: 5 })
    const { id } = (await redeem(venue, 'A-1')).body
    await venue.post(`/coupons/${coupon}`, { timesRedeemed: 0 })
    await settle(venue, id, 'release')
    expect(await readCount(venue, coupon)).toBe(0)
    await venue.post(`/coupons/${coupon}`, { timesRedeemed: 5 })
    expect(toReasons(await redeem(venue, 'A-2'))[2]).toEqual(['limit_reached'])
  })

  test('of what does not exist is 404', async () => {
    const venue = await createVenue()
    expect((await settle(venue, 'red_x', 'release')).status).toBe(404)
    expect((await settle(venue, 'red_x', 'confirm')).status).toBe(404)
    expect((await venue.get('/redemptions/red_x')).status).toBe(404)
  })
})

describe('the list of redemptions', () => {
  test('is newest first, in pages, by coupon, customer, order and state', async () => {
    const venue = await createVenue()
    const customer = await createCustomer(venue)
    const ten = await createCoupon(venue)
    const five = await createCoupon(venue, undefined, { code: 'FIVE' })
    const made: string[] = []
    for (const [order, fields] of [
      ['A', {}],
      ['A', { code: 'FIVE', customer }],
      ['B', { customer }],
      ['C', { hold: 60 }],
    ] as const) {
      made.push((await redeem(venue, order, fields)).body.id)
    }
    await settle(venue, made[0] ?? '', 'release')
    const list = async (search: string) =>
      (await venue.get(`/redemptions${search}`)).body.map(({ id }: { id: string }) => made.indexOf(id))
    expect(await list('')).toEqual([3, 2, 1, 0])
    expect(await list(`?coupon=${ten}`)).toEqual([3, 2, 0])
    expect(await list(`?coupon=${five}&customer=${customer}`)).toEqual([1])
    expect(await list(`?customer=${customer}`)).toEqual([2, 1])
    expect(await list('?order=A')).toEqual([1, 0])
    expect(await list('?state=held')).toEqual([3])
    expect(await list('?state=redeemed')).toEqual([2, 1])
    expect(await list('?state=released&order=A')).toEqual([0])
    expect(await list('?state=expired')).toEqual([])
    const first = await venue.get('/redemptions?limit=3')
    const search = /\/redemptions(\?[^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    expect([first.body.length, await list(search)]).toEqual([3, [0]])
    expect(toIssues(await venue.get('/redemptions?state=x&y=1'))).toEqual([
      'state invalid_value',
      'y unknown_parameter',
    ])
    expect((await venue.get(`/redemptions${search}&order=A`)).status).toBe(422)
  })
})
