import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { toLocalHour } from '../../../../src/platform/lib/day.ts'
import { createId } from '../../../../src/platform/lib/ids.ts'
import { createKey, createVenue, toIssues, type Venue } from '../../../support/api.ts'
import { queryHome, ringAlarm } from '../../../support/home.ts'
import { purgeNow } from '../../../support/purges.ts'
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
const october = 'from=2026-10-01&to=2026-10-31'
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

describe.each(['d1', 'object'])('when receipts of a venue in %s expire', (home) => {
  const rowsOf = (venue: Venue) =>
    queryHome(
      venue.id,
      'select day, test_mode as mode, counts from scan_hours where merchant_id = ? order by day',
      venue.id,
    )
  async function purge({ id }: Venue) {
    if (home === 'd1') return purgeNow(env, Date.now())
    await queryHome(id, 'update purges set due_at = 0')
    return ringAlarm(id)
  }

  test('the hours of all tags of a day become one row, and answers stay the same', async () => {
    const venue = await createVenue({ home, timezone: 'Europe/Berlin' })
    const tester = await createKey(venue.id, { mode: 'test' })
    const [tag, other, test] = [await tagOf(venue), await tagOf(venue), await tagOf(venue, { testMode: true })]
    await deliver(env, [
      toScan(venue, tag, '2026-10-20T11:05:00Z'),
      toScan(venue, other, '2026-10-20T11:50:00Z'),
      toScan(venue, other, '2026-10-20T21:30:00Z'),
      toScan(venue, test, '2026-10-20T08:00:00Z'),
      toScan(venue, tag, new Date().toISOString()),
    ])
    await venue.remove(`/tags/${other}`)
    expect(await rowsOf(venue)).toEqual([])
    const read = async () => [await hoursOf(venue, october), await hoursOf(tester, october), await hoursOf(venue)]
    const before = await read()
    expect(before.slice(0, 2)).toEqual([
      [
        [13, 2],
        [23, 1],
      ],
      [[10, 1]],
    ])
    await purge(venue)
    const rows = await rowsOf(venue)
    expect(rows.map(({ day, mode }) => [day, mode])).toEqual([
      ['2026-10-20', 0],
      ['2026-10-20', 1],
    ])
    expect(await read()).toEqual(before)
    // A second run, and scans that arrive late or were counted by an earlier release, change nothing that was counted.
    await purge(venue)
    expect(await rowsOf(venue)).toEqual(rows)
    await deliver(env, [toScan(venue, tag, '2026-10-20T11:15:00Z')])
    await purge(venue)
    expect((await hoursOf(venue, october))[0]).toEqual([13, 3])
    expect((await venue.get(`/scans?${october}`)).body).toEqual([{ day: '2026-10-20', channel: 'qr', count: 2 }])
  })

  test('the hours of a count of an earlier release are added to the row of the day that it wrote', async () => {
    const venue = await createVenue({ home, timezone: 'Europe/Berlin' })
    const tag = await tagOf(venue)
    const hours = JSON.stringify(Array.from({ length: 24 }, (_, hour) => (hour === 8 ? 5 : 0)))
    await queryHome(
      venue.id,
      `insert into scan_counts (merchant_id, tag, day, channel, count, receipts, keeps_receipts) values (?, ?, '2026-10-20', 'qr', 5, '', 1)`,
      venue.id,
      tag,
    )
    await queryHome(venue.id, `insert into scan_hours values (?, 0, '2026-10-20', ?)`, venue.id, hours)
    await deliver(env, [toScan(venue, tag, '2026-10-20T06:30:00Z'), toScan(venue, tag, '2026-10-20T08:00:00Z')])
    const expected = [
      [8, 6],
      [10, 1],
    ]
    expect(await hoursOf(venue, october)).toEqual(expected)
    await purge(venue)
    expect(await hoursOf(venue, october)).toEqual(expected)
  })
})

test('another way to sum is rejected', async () => {
  expect(toIssues(await (await createVenue()).get('/scans?by=language'))).toEqual(['by invalid_value'])
})
