import { afterEach, describe, expect, test, vi } from 'vitest'
import { createVenue, toIssues } from '../../support/api.ts'
import {
  createCoupon,
  createCustomer,
  listEvents,
  readCount,
  redeem,
  setClock,
  settle,
  start,
  stopClock,
  toReasons,
} from './coupons.ts'

afterEach(() => vi.useRealTimers())

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

  test('is confirmed once, also in its last second and after changes of the coupon', async () => {
    stopClock()
    const venue = await createVenue()
    const coupon = await createCoupon(venue, { maxRedemptions: 1, endsAt: start + 30 })
    const { id } = (await redeem(venue, 'A-1', { hold: 60 })).body
    setClock(start + 59)
    await venue.post(`/coupons/${coupon}`, { active: false })
    const responses = await Promise.all(Array.from({ length: 5 }, () => settle(venue, id, 'confirm')))
    expect(responses.map(({ status, body }) => [status, body.state, body.expiresAt])).toEqual(
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
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) => {
        if (n === 5) setClock(start + 1)
        return n % 2 ? settle(venue, id, 'confirm') : redeem(venue, `B-${n}`)
      }),
    )
    expect(responses.filter(({ status, body }) => status < 300 && body.state === 'redeemed').length).toBeGreaterThan(0)
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
    const responses = await Promise.all(Array.from({ length: 5 }, () => settle(venue, id, 'release')))
    expect(responses.map(({ status, body }) => [status, body.state])).toEqual(Array(5).fill([200, 'released']))
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
