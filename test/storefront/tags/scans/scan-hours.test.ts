import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { toLocalHour } from '../../../../src/platform/lib/day.ts'
import { createId } from '../../../../src/platform/lib/ids.ts'
import { createKey, createVenue, toIssues, type Venue } from '../../../support/api.ts'
import { queryHome } from '../../../support/home.ts'
import { deliver } from '../../../support/test-worker.ts'

const toScan = (venue: Venue, tag: string, time: string) => ({
  kind: 'scan' as const,
  id: createId('scan'),
  merchant: venue.id,
  tag,
  at: Date.parse(time),
  channel: 'qr' as const,
  timezone: 'Europe/Berlin',
})
const hoursOf = async (who: Pick<Venue, 'get'>, range = 'from=2026-11-01&to=2026-11-30') =>
  (await who.get(`/scans?by=hour&${range}`)).body.map(({ hour, count }: { hour: number; count: number }) => [
    hour,
    count,
  ])
const tagOf = async (who: Pick<Venue, 'post'>, body = {}): Promise<string> => (await who.post('/tags', body)).body.id

test.each([
  ['2026-11-20T22:59:59.999Z', 'Europe/Berlin', 23],
  ['2026-11-20T23:00:00Z', 'Europe/Berlin', 0],
  ['2026-10-25T00:30:00Z', 'Europe/Berlin', 2],
  ['2026-10-25T01:30:00Z', 'Europe/Berlin', 2],
  ['2026-06-30T18:15:00Z', 'Asia/Kathmandu', 0],
  ['2026-06-30T18:15:00Z', 'No/Where', 18],
])('the hour of a scan at %s in %s is %i', (time, timezone, hour) =>
  expect(toLocalHour(Date.parse(time), timezone)).toBe(hour),
)

describe.each(['d1', 'object'])('the hours of scans of a venue in %s', (home) => {
  test('are summed over the days of the range, and a message that arrives twice counts once', async () => {
    const venue = await createVenue({ home, timezone: 'Europe/Berlin' })
    const [tag, other] = [await tagOf(venue), await tagOf(venue)]
    const scans = [
      toScan(venue, tag, '2026-11-20T11:05:00Z'),
      toScan(venue, tag, '2026-11-20T11:50:00Z'),
      toScan(venue, other, '2026-11-21T11:00:00Z'),
      toScan(venue, other, '2026-11-21T22:59:00Z'),
    ]
    await deliver(env, scans.slice(0, 2))
    await deliver(env, scans)
    await deliver(env, [scans[3], scans[3], toScan(venue, tag, '2026-12-01T08:00:00Z')])
    expect(await hoursOf(venue)).toEqual([
      [12, 3],
      [23, 1],
    ])
    expect(await hoursOf(venue, 'from=2026-11-21&to=2026-12-31')).toEqual([
      [9, 1],
      [12, 1],
      [23, 1],
    ])
    expect(await hoursOf(venue, 'from=2027-01-01&to=2027-01-31')).toEqual([])
    expect(
      await queryHome(venue.id, 'select day from scan_hours where merchant_id = ? order by day', venue.id),
    ).toEqual(['2026-11-20', '2026-11-21', '2026-12-01'].map((day) => ({ day })))
  })

  test('are those of the mode, and stay with a deleted tag', async () => {
    const venue = await createVenue({ home, timezone: 'Europe/Berlin' })
    const tester = await createKey(venue.id, { mode: 'test' })
    const [live, test] = [await tagOf(venue), await tagOf(venue, { testMode: true })]
    await deliver(env, [toScan(venue, live, '2026-11-20T07:00:00Z'), toScan(venue, test, '2026-11-20T08:00:00Z')])
    await venue.remove(`/tags/${live}`)
    expect([await hoursOf(venue), await hoursOf(tester), await hoursOf(await createVenue())]).toEqual([
      [[8, 1]],
      [[9, 1]],
      [],
    ])
  })
})

test('a batch of a venue writes one row for its hours', async () => {
  const venue = await createVenue({ timezone: 'Europe/Berlin' })
  const tags = [await tagOf(venue), await tagOf(venue)]
  await deliver(
    env,
    tags.map((tag) => toScan(venue, tag, '2026-11-20T07:00:00Z')),
  )
  const count = async () =>
    (await queryHome(venue.id, 'select counts from scan_hours where merchant_id = ?', venue.id)).map(({ counts }) =>
      JSON.parse(String(counts)),
    )
  expect(await count()).toEqual([Array.from({ length: 24 }, (_, hour) => (hour === 8 ? 2 : 0))])
  await deliver(
    env,
    tags.flatMap((tag) => ['07:30', '09:00'].map((time) => toScan(venue, tag, `2026-11-20T${time}:00Z`))),
  )
  expect(await count()).toEqual([Array.from({ length: 24 }, (_, hour) => (hour === 8 ? 4 : hour === 10 ? 2 : 0))])
})

test('another way to sum is rejected', async () => {
  expect(toIssues(await (await createVenue()).get('/scans?by=language'))).toEqual(['by invalid_value'])
})
