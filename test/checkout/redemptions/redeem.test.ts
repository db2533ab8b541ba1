import { afterEach, describe, expect, test, vi } from 'vitest'
import { createKey, createVenue, toIssues } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { queryHome } from '../../support/home.ts'
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
    const responses = [await venue.get(`/redemptions/${id}`), await settle(venue, id, 'confirm')]
    responses.push(await settle(venue, id, 'release'))
    expect(responses.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([409, 'damaged']))
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
    const responses = await Promise.all(Array.from({ length: 10 }, () => redeem(venue, 'A-1', { amount: 1 })))
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1)
    expect(await readCount(venue, coupon)).toBe(1)
    expect(await listEvents(venue)).toHaveLength(1)
  })

  test('keeps its limit with 200 tills at once', async () => {
    const venue = await createVenue()
    const coupon = await createCoupon(venue, { maxRedemptions: 100 })
    const responses = await Promise.all(Array.from({ length: 200 }, (_, n) => redeem(venue, `A-${n}`)))
    const counts = Map.groupBy(responses, ({ status, body }) => (body.code === 'TEN' ? `${status}` : body.code))
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
    const request = async (path: string, json: object) => {
      const { status, trips, body } = await observe('POST', venue.path(path), { key: venue.key, json })
      return [status, trips.length, body.id]
    }
    const [, , id] = await request('/redemptions', { code: 'TEN', order: 'A-0', hold: 60 })
    expect(await request('/redemptions', { code: 'TEN', order: 'A-1' })).toEqual([409, 1, undefined])
    expect(await request(`/redemptions/${id}/confirm`, {})).toEqual([200, 1, id])
    expect(await request('/redemptions', { code: 'TEN', order: 'A-0' })).toEqual([200, 1, id])
    expect(await request(`/redemptions/${id}/release`, {})).toEqual([200, 1, id])
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
    const responses = await Promise.all(Array.from({ length: 6 }, (_, n) => redeem(venue, `A-${n}`, { customer: ana })))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(2)
    const refused = responses.find(({ status }) => status !== 201)
    expect(refused && toReasons(refused)[2]).toEqual(['customer_limit_reached'])
    expect((await redeem(venue, 'B', { customer: rui })).status).toBe(201)
    const first = responses.find(({ status }) => status === 201)?.body.id
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
