import { describe, expect, test } from 'vitest'
import { limitView } from '../../../src/checkout/coupon-limit-fields.ts'
import { createVenue, toIssues, type Venue } from '../../support/api.ts'
import { allLimits } from '../../support/coupon-limit-samples.ts'
import { observe } from '../../support/d1.ts'
import { queryHome } from '../../support/home.ts'
import { run, statuses } from './requests.ts'

const coupon = (code: string) => ({ title: code, code, type: 'FIXED', value: 1 })
const create = (code: string, limits?: object, more: object = {}) => ({
  ...{ op: 'create', resource: 'coupons', body: coupon(code), ...more },
  ...(limits && { limits }),
})
const update = (id: string, limits: object, more: object = {}) => ({
  ...{ op: 'update', resource: 'coupons', id, body: {}, limits, ...more },
})
const limitsOf = async (venue: Venue, id: string) => (await venue.get(`/coupons/${id}/limits`)).body
const idsOf = ({ body }: { body: { results: { id: string }[] } }) => body.results.map(({ id }) => id)
/** Creates 20 automatic coupons: as many as a merchant can have. */
const fill = async (venue: Venue) =>
  idsOf(
    await run(
      venue,
      Array.from({ length: 20 }, (_, n) => create(`AUTO${n}`, { automatic: true })),
    ),
  )

/** Runs a batch with other requests between each of its reads and the write. */
async function runLate(venue: Venue, operations: readonly object[], between: () => Promise<void>) {
  let trips = 0
  return observe('POST', venue.path('/batch'), {
    key: venue.key,
    json: { operations },
    before: async () => {
      trips++
      if (trips % 2 === 0) await between()
    },
  })
}

describe.each(['d1', 'object'])('limits in a batch of a merchant in home %s', (home) => {
  test('are written as the single requests write them, with an entry of the audit log', async () => {
    expect(Object.keys(allLimits)).toEqual(Object.keys(limitView.shape))
    const venue = await createVenue({ home })
    const made = await run(
      venue,
      [
        create('ALL', allLimits),
        create('NONE'),
        create('EMPTY', {}),
        create('KEPT', { days: ['mon'], begin: '0900', end: '1100' }, { externalId: 'kept' }),
      ],
      {},
      '?return=objects',
    )
    expect(made.body.results.map(({ limits }: { limits: unknown }) => limits)).toEqual([
      allLimits,
      undefined,
      {},
      { days: ['mon'], begin: '0900', end: '1100' },
    ])
    const [all = '', none = '', empty = '', kept = ''] = idsOf(made)
    expect(await limitsOf(venue, all)).toEqual(allLimits)
    expect([await limitsOf(venue, none), await limitsOf(venue, empty)]).toEqual([{}, {}])
    const changed = await run(venue, [
      update(all, { automatic: null, maxDiscount: null, maxRedemptions: 6 }),
      {
        op: 'upsert',
        resource: 'coupons',
        externalId: 'kept',
        body: coupon('KEPT'),
        limits: { days: null, orderTypes: ['takeaway'] },
      },
      update(none, { codesOnly: true }, { body: { value: 2 } }),
      update(empty, { days: null }),
    ])
    expect([changed.status, statuses(changed)]).toEqual([200, [200, 200, 200, 200]])
    const { automatic: _, maxDiscount: __, ...rest } = allLimits
    expect(await limitsOf(venue, all)).toEqual({ ...rest, maxRedemptions: 6 })
    expect(await limitsOf(venue, kept)).toEqual({ begin: '0900', end: '1100', orderTypes: ['takeaway'] })
    expect(await limitsOf(venue, none)).toEqual({ codesOnly: true })
    const entries = (await venue.get('/audit?operation=coupons.limits.update')).body
    expect(entries.map(({ object }: { object: string }) => object).sort()).toEqual([all, kept, all, kept, none].sort())
    // The history of a coupon has them like changes by single requests.
    const events = await queryHome(
      venue.id,
      `select version, row, previous from events where type = 'coupon.limits_changed' and object = ? order by seq`,
      kept,
    )
    const first = { days: ['mon'], begin: '0900', end: '1100' }
    const next = { begin: '0900', end: '1100', orderTypes: ['takeaway'] }
    expect(events.map((event) => [event['version'], JSON.parse(`[${event['row']},${event['previous']}]`)])).toEqual([
      [
        1,
        [
          { id: kept, limits: first },
          { days: null, begin: null, end: null },
        ],
      ],
      [
        2,
        [
          { id: kept, limits: next },
          { days: ['mon'], orderTypes: null },
        ],
      ],
    ])
    // The tag of the limits counts writes in batches like single ones.
    expect((await venue.get(`/coupons/${all}/limits`)).headers.get('etag')).toMatch(/^"2-/)
    const single = await venue.post(`/coupons/${all}/limits`, { maxRedemptions: 7 })
    expect([single.status, single.body.maxRedemptions]).toEqual([200, 7])
  })

  test('change nothing in a dry run', async () => {
    const venue = await createVenue({ home })
    const [id = ''] = idsOf(await run(venue, [create('A', { maxRedemptions: 5 })]))
    const dry = await run(
      venue,
      [update(id, { automatic: true }), create('B', allLimits)],
      {},
      '?dryRun=true&return=objects',
    )
    expect([statuses(dry), dry.body.results[0].limits]).toEqual([[200, 201], { maxRedemptions: 5, automatic: true }])
    expect(await limitsOf(venue, id)).toEqual({ maxRedemptions: 5 })
    expect((await venue.get('/coupons')).body).toHaveLength(1)
    expect(toIssues(await run(venue, [update(id, { begin: '0900' })], {}, '?dryRun=true'))).toEqual([
      '/operations/0/limits/end required',
    ])
  })

  test('leave room for 20 automatic coupons, counted as they are after the batch', async () => {
    const venue = await createVenue({ home })
    const [first = '', second = ''] = await fill(venue)
    const more = await run(venue, [create('X', { automatic: true }), create('Y', { automatic: false })])
    expect([more.body.code, toIssues(more)]).toEqual(['batch_failed', ['/operations/0/limits/automatic too_many']])
    const swapped = await run(venue, [
      create('X', { automatic: true }),
      create('Y', { automatic: true }),
      update(first, { automatic: null }),
      { op: 'delete', resource: 'coupons', id: second },
    ])
    expect(statuses(swapped)).toEqual([201, 201, 200, 200])
    const { body } = await run(
      venue,
      [update(first, { automatic: true }, { body: { value: -1 } }), create('Z', { automatic: true })],
      { mode: 'independent' },
    )
    expect(body.results.map(({ status }: { status: number }) => status)).toEqual([422, 409])
    expect(body.results[1].problem).toMatchObject({
      code: 'too_many',
      errors: [{ pointer: '/limits/automatic', code: 'too_many' }],
    })
  })
})

describe('limits in a batch', () => {
  test('report their issues where they stand, and only for coupons', async () => {
    const venue = await createVenue()
    const rejected = await run(venue, [
      create('A', { startsAt: 5, endsAt: 5 }),
      create('B', { maxRedemptions: 0, colour: 'red' }, { body: { ...coupon('B'), value: -1 } }),
      create('C', { begin: '0900' }),
    ])
    expect(toIssues(rejected)).toEqual(
      [
        '/operations/0/limits/endsAt conflict',
        '/operations/1/body/value too_small',
        '/operations/1/limits/colour unknown_field',
        '/operations/1/limits/maxRedemptions too_small',
        '/operations/2/limits/end required',
      ].sort(),
    )
    const shape = await run(venue, [
      { op: 'create', resource: 'products', body: { title: 'A', price: 1 }, limits: {} },
      { op: 'delete', resource: 'coupons', id: 'coup_1', limits: {} },
      create('D', Object([1])),
    ])
    expect(toIssues(shape)).toEqual([
      '/operations/0/limits unknown_field',
      '/operations/1/limits unknown_field',
      '/operations/2/limits invalid_type',
    ])
    const alone = await run(
      venue,
      [create('A', { begin: '0900', end: '0900' }), create('B', { begin: '0900', end: '1000' })],
      {
        mode: 'independent',
      },
    )
    expect(statuses(alone)).toEqual([422, 201])
    expect(alone.body.results[0].problem.errors).toMatchObject([{ pointer: '/limits/end', code: 'conflict' }])
    expect((await venue.get('/coupons')).body.map(({ code }: { code: string }) => code)).toEqual(['B'])
  })

  test('fail their operation alone if the stored ones are damaged', async () => {
    const venue = await createVenue()
    const [bad = '', good = ''] = idsOf(await run(venue, [create('A', { maxRedemptions: 1 }), create('B')]))
    await queryHome(
      venue.id,
      `update coupon_limits set max_redemptions = 1.5 where coupon = (select seq from coupons where id = ?)`,
      bad,
    )
    const done = await run(venue, [update(bad, { codesOnly: true }), update(good, { codesOnly: true })], {
      mode: 'independent',
    })
    expect(
      done.body.results.map(({ status, problem }: { status: number; problem?: { code: string } }) => [
        status,
        problem?.code,
      ]),
    ).toEqual([
      [409, 'damaged'],
      [200, undefined],
    ])
    expect(await limitsOf(venue, good)).toEqual({ codesOnly: true })
  })

  test('are planned again if another request writes them between read and write', async () => {
    const venue = await createVenue()
    const [id = ''] = idsOf(await run(venue, [create('A', { maxRedemptions: 1 })]))
    const others = [{ maxRedemptionsPerCustomer: 4 }, undefined]
    const late = await runLate(venue, [update(id, { maxRedemptions: 2 })], async () => {
      const limits = others.shift()
      if (limits) expect((await venue.post(`/coupons/${id}/limits`, limits)).status).toBe(200)
    })
    expect([late.status, late.trips.length]).toEqual([200, 4])
    expect(await limitsOf(venue, id)).toEqual({ maxRedemptions: 2, maxRedemptionsPerCustomer: 4 })
  })

  test('make no more than 20 coupons automatic if another request takes the last place between read and write', async () => {
    const venue = await createVenue()
    const [first = ''] = await fill(venue)
    const [, last = ''] = idsOf(await run(venue, [update(first, { automatic: null }), create('LAST')]))
    let reads = 0
    const late = await runLate(venue, [update(last, { automatic: true })], async () => {
      if (++reads === 1) expect((await venue.post(`/coupons/${first}/limits`, { automatic: true })).status).toBe(200)
    })
    expect([late.body.code, toIssues(late)]).toEqual(['batch_failed', ['/operations/0/limits/automatic too_many']])
    expect([await limitsOf(venue, last), await limitsOf(venue, first)]).toEqual([{}, { automatic: true }])
  })
})
