import { expect, test } from 'vitest'
import { getNextLocalTime } from '../../../src/checkout/stock/availability.ts'
import { createClock } from '../../../src/platform/lib/opening-hours.ts'

const seconds = (iso: string) => Date.parse(iso) / 1000

test.each([
  ['UTC', '2026-11-22T03:59:59Z', '0400', '2026-11-22T04:00:00Z'],
  ['UTC', '2026-11-22T04:00:00Z', '0400', '2026-11-23T04:00:00Z'],
  ['UTC', '2026-11-22T04:00:01Z', '0400', '2026-11-23T04:00:00Z'],
  ['UTC', '2026-12-31T23:59:59Z', '0000', '2027-01-01T00:00:00Z'],
  ['America/New_York', '2026-11-22T20:00:00Z', '0400', '2026-11-23T09:00:00Z'],
  ['Asia/Kathmandu', '2026-11-22T20:00:00Z', '0400', '2026-11-22T22:15:00Z'],
  // The night is an hour short, and the time after the change.
  ['Europe/Lisbon', '2026-03-28T22:00:00Z', '0400', '2026-03-29T03:00:00Z'],
  // The night has an hour more.
  ['Europe/Lisbon', '2026-10-24T22:00:00Z', '0400', '2026-10-25T04:00:00Z'],
  ['Europe/Lisbon', '2026-10-25T03:59:59Z', '0400', '2026-10-25T04:00:00Z'],
  ['Europe/Lisbon', '2026-10-25T04:00:00Z', '0400', '2026-10-26T04:00:00Z'],
  // Clocks skip 01:30 to 02:00.
  ['Europe/Lisbon', '2026-03-28T22:00:00Z', '0130', '2026-03-29T01:00:00Z'],
  // Clocks show 01:30 twice: the first one counts.
  ['Europe/Lisbon', '2026-10-24T22:00:00Z', '0130', '2026-10-25T00:30:00Z'],
  ['Europe/Lisbon', '2026-10-25T00:45:00Z', '0130', '2026-10-26T01:30:00Z'],
])('in %s at %s the next %s is %s', (timezone, at, time, next) => {
  expect(new Date(getNextLocalTime(createClock(timezone), seconds(at), time) * 1000)).toEqual(new Date(next))
})

test('is later than now by at most a day and an hour, at any second', () => {
  const clock = createClock('Australia/Lord_Howe')
  const start = seconds('2026-04-04T00:00:00Z')
  for (let at = start; at < start + 3 * 86_400; at += 1_799) {
    const next = getNextLocalTime(clock, at, '0200')
    expect(next).toBeGreaterThan(at)
    expect(next - at).toBeLessThanOrEqual(90_000)
    expect(clock(next) % 86_400).toBe(7_200)
  }
})
