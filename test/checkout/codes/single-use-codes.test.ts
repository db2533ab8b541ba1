import { afterEach, describe, expect, test, vi } from 'vitest'
import { createVenue, toIssues } from '../../support/api.ts'
import { queryHome } from '../../support/home.ts'
import { listEvents, readCount, redeem, setClock, settle, start, stopClock, toReasons } from '../redemptions/coupons.ts'
import { createCodes, states, toConflict } from './codes.ts'

afterEach(() => vi.useRealTimers())

describe('a single-use code', () => {
  test('redeems its coupon once, by 20 tills at the same time', async () => {
    const venue = await createVenue()
    const { coupon, batch, codes } = await createCodes(venue, 2)
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, till) => redeem(venue, `order-${till}`, { code: codes[0]?.toLowerCase() })),
    )
    const taken = responses.filter(({ status }) => status === 201)
    expect(taken).toHaveLength(1)
    for (const each of responses.filter(({ status }) => status !== 201)) {
      expect(toReasons(each)).toEqual([409, 'coupon_not_redeemable', ['code_used']])
    }
    expect(await readCount(venue, coupon)).toBe(1)
    expect(await states(venue, coupon, batch)).toEqual({ [codes[0] ?? '']: 'redeemed', [codes[1] ?? '']: 'available' })
    // The order itself gets its redemption again.
    const [own] = taken
    expect(await redeem(venue, own?.body.order, { code: codes[0] })).toMatchObject({ status: 200, body: own?.body })
  })

  test('is free again after a release and after the end of a hold', async () => {
    stopClock()
    const venue = await createVenue()
    const { coupon, batch, codes } = await createCodes(venue, 1)
    const [code = ''] = codes
    const state = async () => (await states(venue, coupon, batch))[code]
    const held = await redeem(venue, 'A', { code, hold: 60 })
    expect([held.status, await state()]).toEqual([201, 'held'])
    expect(toReasons(await redeem(venue, 'B', { code }))[2]).toEqual(['code_used'])
    setClock(start + 60)
    expect(await state()).toBe('available')
    const second = await redeem(venue, 'B', { code })
    expect([second.status, await state()]).toEqual([201, 'redeemed'])
    expect(toReasons(await redeem(venue, 'A', { code }))[2]).toEqual(['code_used'])
    await settle(venue, second.body.id, 'release')
    expect(await state()).toBe('available')
    const third = await redeem(venue, 'C', { code, hold: 60 })
    expect((await settle(venue, third.body.id, 'confirm')).body.state).toBe('redeemed')
    expect(toReasons(await redeem(venue, 'D', { code }))[2]).toEqual(['code_used'])
    expect(await readCount(venue, coupon)).toBe(1)
  })

  test('counts towards the limits of its coupon, whose own code stays valid unless `codesOnly`', async () => {
    const venue = await createVenue()
    const { coupon, codes } = await createCodes(venue, 3, { maxRedemptions: 2 })
    expect((await redeem(venue, 'A', { code: codes[0] })).status).toBe(201)
    expect((await redeem(venue, 'B')).status).toBe(201)
    expect(toReasons(await redeem(venue, 'C', { code: codes[1] }))[2]).toEqual(['limit_reached'])
    await venue.post(`/coupons/${coupon}/limits`, { maxRedemptions: null, codesOnly: true })
    expect(toReasons(await redeem(venue, 'C'))[2]).toEqual(['not_found'])
    expect((await redeem(venue, 'C', { code: codes[1] })).status).toBe(201)
  })

  test('of a coupon that an order has redeemed with another code is a conflict', async () => {
    const venue = await createVenue()
    const { codes } = await createCodes(venue, 2)
    expect((await redeem(venue, 'A', { code: codes[0] })).status).toBe(201)
    expect(toConflict(await redeem(venue, 'A', { code: codes[1] }))).toEqual([409, '/code conflict'])
    expect(toConflict(await redeem(venue, 'A'))).toEqual([409, '/code conflict'])
    expect((await redeem(venue, 'B')).status).toBe(201)
    expect(toConflict(await redeem(venue, 'B', { code: codes[1] }))).toEqual([409, '/code conflict'])
    expect((await redeem(venue, 'C', { code: codes[1] })).status).toBe(201)
  })

  test('is taken by an order, of which two codes of one coupon are at fault', async () => {
    const venue = await createVenue()
    const { coupon, batch, codes } = await createCodes(venue, 2)
    const publish = (order: string, given: (string | undefined)[]) =>
      venue.post('/events', {
        type: 'order.created',
        data: { id: order },
        effects: { redemptions: given.map((code) => ({ code, order })) },
      })
    expect(toIssues(await publish('A', codes))).toEqual(['/effects/redemptions/1/code duplicate'])
    expect(toIssues(await publish('A', [codes[0], 'TEN']))).toEqual(['/effects/redemptions/1/code duplicate'])
    const taken = await publish('A', [codes[0]])
    expect([taken.status, taken.body.effects.redemptions]).toMatchObject([202, [{ coupon, state: 'redeemed' }]])
    expect((await publish('A', [codes[0]])).body).toEqual(taken.body)
    expect(toReasons(await publish('B', [codes[0]]))).toEqual([409, 'coupon_not_redeemable', ['code_used']])
    expect(await states(venue, coupon, batch)).toEqual({ [codes[0] ?? '']: 'redeemed', [codes[1] ?? '']: 'available' })
  })

  test('is judged by a quote: used ones, and the second of one coupon', async () => {
    const venue = await createVenue()
    const { coupon, codes } = await createCodes(venue, 3)
    const { id: product } = (await venue.post('/products', { title: 'Tea', price: 10 })).body
    const quote = async (...coupons: unknown[]) =>
      (await venue.post('/quotes', { items: [{ product, quantity: 1 }], coupons })).body
    await redeem(venue, 'A', { code: codes[0] })
    const priced = await quote(codes[0], codes[1]?.toLowerCase(), codes[2], 'ten', 'none')
    expect(priced.errors).toBeUndefined()
    const { coupons, total } = priced
    const outcome = coupons.map((each: { coupon?: string; status: string; reasons: { code: string }[] }) => [
      each.coupon,
      each.status,
      ...each.reasons.map(({ code }) => code),
    ])
    expect([outcome, total]).toEqual([
      [
        [coupon, 'not_applied', 'code_used'],
        [coupon, 'applied'],
        [coupon, 'not_applied', 'not_combinable'],
        [coupon, 'not_applied', 'not_combinable'],
        [undefined, 'not_applied', 'not_found'],
      ],
      9,
    ])
    await venue.post(`/coupons/${coupon}/limits`, { codesOnly: true })
    expect((await quote('TEN')).coupons).toMatchObject([{ status: 'not_applied', reasons: [{ code: 'not_found' }] }])
    expect((await quote(codes[2])).total).toBe(9)
  })

  test('and the codes of coupons are one space', async () => {
    const venue = await createVenue()
    const { coupon, codes } = await createCodes(venue, 1)
    const [code = ''] = codes
    const body = { title: 'Other', code: code.toLowerCase(), type: 'FIXED', value: 1 }
    expect(toConflict(await venue.post('/coupons', body))).toEqual([409, '/code duplicate'])
    const { id } = (await venue.post('/coupons', { ...body, code: 'OTHER' })).body
    for (const each of [id, coupon]) {
      expect(toConflict(await venue.post(`/coupons/${each}`, { code }))).toEqual([409, '/code duplicate'])
    }
    const operations = [
      { op: 'create', resource: 'coupons', body },
      { op: 'update', resource: 'coupons', id, body: { code } },
      { op: 'update', resource: 'coupons', id: coupon, body: { code } },
    ]
    const { results } = (await venue.post('/batch', { mode: 'independent', operations })).body
    expect(results.map(({ problem }: { problem: { code: string } }) => problem.code)).toEqual(Array(3).fill('conflict'))
    await venue.remove(`/coupons/${coupon}`)
    expect((await venue.post('/coupons', body)).status).toBe(201)
  })

  test('is in no event, list or log', async () => {
    const log = vi.spyOn(console, 'log')
    const error = vi.spyOn(console, 'error')
    const venue = await createVenue()
    const { coupon, codes } = await createCodes(venue, 1)
    const [code = ''] = codes
    const { body } = await redeem(venue, 'A', { code })
    await redeem(venue, 'B', { code })
    await settle(venue, body.id, 'release')
    const masked = `…${code.slice(-4)}`
    expect(body.code).toBe(masked)
    const shown = [
      await listEvents(venue),
      (await venue.get('/redemptions')).body,
      (await venue.get('/audit')).body,
      (await venue.get(`/coupons/${coupon}`)).body,
      (await venue.get('/export')).body,
      await queryHome(venue.id, 'select * from events where merchant_id = ?', venue.id),
      await queryHome(venue.id, 'select code from redemptions where merchant_id = ?', venue.id),
      log.mock.calls,
      error.mock.calls,
    ]
    expect(JSON.stringify(shown)).toContain(masked)
    expect(JSON.stringify(shown).toLowerCase()).not.toContain(code.toLowerCase())
  })
})
