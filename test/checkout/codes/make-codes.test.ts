import { describe, expect, test } from 'vitest'
import { createKey, createVenue, toIssues } from '../../support/api.ts'
import { queryHome } from '../../support/home.ts'
import { createCoupon, redeem, toReasons } from '../redemptions/coupons.ts'
import { createCodes, make, read } from './codes.ts'

describe('codes of a coupon', () => {
  test('are made in numbers, without look-alikes, and listed as JSON pages and CSV', async () => {
    const venue = await createVenue()
    const coupon = await createCoupon(venue)
    const { status, body } = await make(venue, coupon, { count: 250, prefix: 'Spring-' })
    expect([status, body]).toEqual([201, { batch: expect.stringMatching(/^ccb_/), count: 250 }])
    const listed: string[] = []
    let path: string | undefined = `/coupons/${coupon}/codes?batch=${body.batch}&limit=100`
    while (path !== undefined) {
      const page = await venue.get(path)
      expect(page.body.every(({ state }: { state: string }) => state === 'available')).toBe(true)
      listed.push(...page.body.map(({ code }: { code: string }) => code))
      path = /<\/merchants\/[^/]+([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1]
    }
    expect(new Set(listed).size).toBe(250)
    for (const code of listed) expect(code).toMatch(/^Spring-[34679ACDEFGHJKMNPQRTUVWXY]{10}$/)
    const csv = await venue.get(`/coupons/${coupon}/codes?batch=${body.batch}&format=csv`)
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.body).toBe(`code,state,redemption\r\n${listed.map((code) => `${code},available,\r\n`).join('')}`)
    expect((await venue.get(`/coupons/${coupon}/codes/batches`)).body).toEqual([
      { ...body, prefix: 'Spring-', createdAt: expect.any(Number) },
    ])
    expect((await venue.get('/audit?operation=coupons.codes.create')).body).toMatchObject([{ object: coupon }])
  })

  test('have limits', async () => {
    const venue = await createVenue()
    const coupon = await createCoupon(venue)
    const issuesOf = async (json: object) => toIssues(await make(venue, coupon, json))
    expect(await issuesOf({})).toEqual(['/count required'])
    expect(await issuesOf({ count: 0, length: 9, prefix: 'x'.repeat(21) })).toEqual([
      '/count too_small',
      '/length too_small',
      '/prefix too_long',
    ])
    expect(await issuesOf({ count: 10_001, length: 33, prefix: 'é' })).toEqual([
      '/count too_large',
      '/length too_large',
      '/prefix invalid_format',
    ])
    const { batch } = (await make(venue, coupon, { count: 1, length: 32, prefix: 'x'.repeat(20) })).body
    expect((await read(venue, coupon, batch))[0]?.code).toHaveLength(52)
    expect(toIssues(await venue.post(`/coupons/${coupon}/codes`, { count: 1 }))).toEqual(['Idempotency-Key required'])
    expect(toIssues(await venue.get(`/coupons/${coupon}/codes`))).toEqual(['batch required'])
    for (const path of [`/coupons/${coupon}/codes?batch=none`, `/coupons/none/codes?batch=${batch}`]) {
      expect((await venue.get(path)).status).toBe(404)
    }
    expect((await make(venue, 'none', { count: 1 })).status).toBe(404)
    expect((await venue.get('/coupons/none/codes/batches')).status).toBe(404)
  })

  test('are at most 100,000, and 10,000 that a lost answer made twice are the same batch', async () => {
    const venue = await createVenue()
    const coupon = await createCoupon(venue)
    const first = await make(venue, coupon, { count: 10_000 }, 'lost')
    const again = await make(venue, coupon, { count: 10_000 }, 'lost')
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body])
    const count = 'select count(*) as n, count(distinct code_key) as different from coupon_codes'
    expect(await queryHome(venue.id, `${count} where merchant_id = ?`, venue.id)).toEqual([
      { n: 10_000, different: 10_000 },
    ])
    await queryHome(venue.id, 'update coupon_code_batches set count = 95000 where id = ?', first.body.batch)
    expect((await make(venue, coupon, { count: 5_001 })).body.code).toBe('too_many')
    expect((await make(venue, coupon, { count: 5_000 })).status).toBe(201)
  })

  test('require the scope to write coupons, also to be read, and belong to merchant and mode', async () => {
    const venue = await createVenue()
    const { coupon, batch, codes } = await createCodes(venue, 1)
    const till = await createKey(venue.id, {
      mode: 'live',
      scopes: ['coupons:read', 'redemptions:write', 'products:read'],
    })
    const [test, other] = [await createKey(venue.id, { mode: 'test' }), await createVenue()]
    for (const path of [`/coupons/${coupon}/codes?batch=${batch}`, `/coupons/${coupon}/codes/batches`]) {
      expect((await till.get(path)).status).toBe(403)
      for (const each of [test, other]) expect((await each.get(path)).status).toBe(404)
    }
    expect(toReasons(await redeem(test, 'A', { code: codes[0] }))).toEqual([
      409,
      'coupon_not_redeemable',
      ['not_found'],
    ])
    expect((await redeem(till, 'A', { code: codes[0] })).status).toBe(201)
  })
})
