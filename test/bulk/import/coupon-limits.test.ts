import { describe, expect, test } from 'vitest'
import { limitView } from '../../../src/checkout/coupon-limit-fields.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { allLimits } from '../../support/coupon-limit-samples.ts'
import { check, csv, importFile, jsonl, listIssues, toCounts, toJsonLines } from '../../support/imports.ts'

const create = async (venue: Venue, code: string, limits?: object): Promise<string> => {
  const { id } = (await venue.post('/coupons', { title: code, code, type: 'FIXED', value: 1 })).body
  if (limits) expect((await venue.post(`/coupons/${id}/limits`, limits)).body).toEqual(limits)
  return id
}
const exportFile = async (venue: Pick<Venue, 'get'>, query: string) => String((await venue.get(`/export${query}`)).body)
const limitsOf = async (venue: Pick<Venue, 'get'>, code: string) => {
  const [{ id }] = (await venue.get(`/coupons?code=${code}`)).body
  return (await venue.get(`/coupons/${id}/limits`)).body
}
const files = [
  ['JSON Lines', '?resources=coupons', '', jsonl],
  ['CSV', '?resources=coupons&format=csv', 'resource=coupons', csv],
] as const

describe.each(['d1', 'object'])('limits of coupons of a merchant in home %s', (home) => {
  test.each(files)('are exported as %s and imported again unchanged', async (_, query, resource, type) => {
    expect(Object.keys(allLimits)).toEqual(Object.keys(limitView.shape))
    const venue = await createVenue({ home })
    await create(venue, 'ALL', allLimits)
    await create(venue, 'ONE', { maxRedemptions: 3 })
    const plain = await create(venue, 'NONE')
    const file = await exportFile(venue, query)
    const again = await importFile(venue, resource, file, type)
    expect(toCounts(again)).toEqual({ rows: 3, checked: 3, applied: 3, unchanged: 3 })
    const withoutHeader = (text: string) => text.split('\n').slice(1)
    expect(withoutHeader(await exportFile(venue, query))).toEqual(withoutHeader(file))

    const other = await createVenue({ home })
    const moved = file.replaceAll(venue.id, other.id)
    expect(toCounts(await importFile(other, resource, moved, type))).toMatchObject({ created: 3 })
    expect(await limitsOf(other, 'ALL')).toEqual(allLimits)
    expect(await limitsOf(other, 'ONE')).toEqual({ maxRedemptions: 3 })
    expect(await limitsOf(other, 'NONE')).toEqual({})
    expect((await venue.get(`/audit?operation=coupons.limits.update&object=${plain}`)).body).toEqual([])
  })
})

describe('limits in a file of coupons', () => {
  test('are merged: absent ones and empty cells stay, null clears one', async () => {
    const venue = await createVenue()
    const id = await create(venue, 'ALL', allLimits)
    const lines = toJsonLines([
      { resource: 'coupons', id, limits: { maxRedemptions: 9, days: null, begin: null, end: null } },
    ])
    expect(toCounts(await importFile(venue, '', lines, jsonl))).toMatchObject({ applied: 1 })
    const { days: _d, begin: _b, end: _e, ...rest } = allLimits
    expect(await limitsOf(venue, 'ALL')).toEqual({ ...rest, maxRedemptions: 9 })
    const file = `id;Limits.MaxDiscount;limits.maxRedemptions;limits.codesonly\n${id};2,5;;1\n`
    expect(toCounts(await importFile(venue, 'resource=coupons', file))).toMatchObject({ applied: 1 })
    expect(await limitsOf(venue, 'ALL')).toEqual({ ...rest, maxRedemptions: 9, maxDiscount: 2.5, codesOnly: true })
  })

  test('are checked with their row, in all forms', async () => {
    const venue = await createVenue()
    const coupon = { resource: 'coupons', title: 'A', type: 'FIXED', value: 1 }
    const lines = [
      { ...coupon, code: 'A1', limits: { maxRedemptions: 0, colour: 'red' } },
      { ...coupon, code: 'A2', limits: { startsAt: 2, endsAt: 1 } },
      { ...coupon, code: 'A3', limits: { begin: '0900' } },
      { ...coupon, code: 'A4', limits: 5 },
      { ...coupon, code: 'A5', limits: null },
    ]
    const checked = await check(venue, '', toJsonLines(lines), jsonl)
    expect(await listIssues(venue, checked.id)).toEqual([
      '1 /limits/maxRedemptions too_small',
      '1 /limits/colour unknown_field',
      '2 /limits/endsAt conflict',
      '3 /limits/end required',
      '4 /limits invalid_type',
    ])
    const unknown = await check(venue, 'resource=coupons', 'title,code,type,value,limits.most\nA,A1,FIXED,1,2\n')
    expect(unknown).toMatchObject({ state: 'failed' })
    const faulty = await check(
      venue,
      'resource=coupons',
      'title,code,type,value,limits.maxRedemptions\nA,A1,FIXED,1,few\n',
    )
    expect(await listIssues(venue, faulty.id)).toEqual(['2 limits.maxRedemptions invalid_format'])
  })

  test('beyond the number of automatic coupons are issues of their rows', async () => {
    const venue = await createVenue()
    const lines = Array.from({ length: 21 }, (_, n) => ({
      resource: 'coupons',
      title: `A${n}`,
      code: `A${n}`,
      type: 'FIXED',
      value: 1,
      limits: { automatic: true },
    }))
    const done = await importFile(venue, '', toJsonLines(lines), jsonl)
    expect(toCounts(done)).toMatchObject({ created: 21 })
    expect(await listIssues(venue, done.id)).toEqual(['21 /limits too_many'])
    expect(await limitsOf(venue, 'A19')).toEqual({ automatic: true })
  })
})
