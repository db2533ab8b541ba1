import { describe, expect, test } from 'vitest'
import {
  createClock,
  getNextChange,
  isOpen,
  type OpeningHours,
  weekdays,
} from '../../../src/platform/lib/opening-hours.ts'

const window = (begin: string, end: string): OpeningHours => ({ allDayMenu: false, begin, end })
const seconds = (iso: string) => Date.parse(iso) / 1000
const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at * 1000).toISOString().slice(0, 19))

const isOpenAt = (opening: OpeningHours, zone: string, at: string) => isOpen(opening, createClock(zone)(seconds(at)))
const changeAfter = (openings: readonly OpeningHours[], zone: string, at: string) =>
  iso(getNextChange(openings, createClock(zone), seconds(at)))

describe('a window', () => {
  test.each([
    ['0700', '1130', '06:59:59', false],
    ['0700', '1130', '07:00:00', true],
    ['0700', '1130', '11:29:59', true],
    ['0700', '1130', '11:30:00', false],
    ['2200', '0300', '21:59:59', false],
    ['2200', '0300', '22:00:00', true],
    ['2200', '0300', '00:00:00', true],
    ['2200', '0300', '02:59:59', true],
    ['2200', '0300', '03:00:00', false],
    ['1800', '2400', '23:59:59', true],
    ['1800', '2400', '00:00:00', false],
    ['0000', '2400', '00:00:00', true],
    ['0000', '2400', '23:59:59', true],
    ['2200', '0000', '23:59:59', true],
    ['2200', '0000', '00:00:00', false],
    ['0001', '0000', '00:00:59', false],
    ['0001', '0000', '23:59:59', true],
    ['2359', '2400', '23:58:59', false],
    ['2359', '2400', '23:59:00', true],
  ])('%s to %s, at %s: %s', (begin, end, time, open) => {
    expect(isOpenAt(window(begin, end), 'UTC', `2026-11-21T${time}Z`)).toBe(open)
  })

  test('is ignored for an all-day menu', () => {
    const menu = { allDayMenu: true, begin: '0700', end: '0800' }
    expect(isOpenAt(menu, 'UTC', '2026-11-21T12:00:00Z')).toBe(true)
    expect(changeAfter([menu, { allDayMenu: true }], 'UTC', '2026-11-21T12:00:00Z')).toBeUndefined()
  })
})

describe('days and dates', () => {
  // 20 November 2026 is a Friday.
  const friday = { ...window('1800', '0200'), days: ['fri'] } satisfies OpeningHours
  test.each<[OpeningHours, string, boolean]>([
    [friday, '2026-11-20T17:59:59Z', false],
    [friday, '2026-11-20T18:00:00Z', true],
    [friday, '2026-11-21T01:59:59Z', true],
    [friday, '2026-11-21T02:00:00Z', false],
    [friday, '2026-11-20T01:00:00Z', false],
    [friday, '2026-11-21T18:00:00Z', false],
    [{ allDayMenu: true, days: ['sat', 'sun'] }, '2026-11-20T23:59:59Z', false],
    [{ allDayMenu: true, days: ['sat', 'sun'] }, '2026-11-21T00:00:00Z', true],
    [{ allDayMenu: true, days: ['sat', 'sun'] }, '2026-11-23T00:00:00Z', false],
    [{ ...window('0000', '2400'), days: ['mon'] }, '2026-11-23T23:59:59Z', true],
    [{ allDayMenu: true, dates: { from: '2026-11-20', until: '2026-11-20' } }, '2026-11-19T23:59:59Z', false],
    [{ allDayMenu: true, dates: { from: '2026-11-20', until: '2026-11-20' } }, '2026-11-20T00:00:00Z', true],
    [{ allDayMenu: true, dates: { from: '2026-11-20', until: '2026-11-20' } }, '2026-11-20T23:59:59Z', true],
    [{ allDayMenu: true, dates: { from: '2026-11-20', until: '2026-11-20' } }, '2026-11-21T00:00:00Z', false],
    [{ ...window('2200', '0300'), dates: { until: '2026-11-20' } }, '2026-11-21T02:59:59Z', true],
    [{ ...window('2200', '0300'), dates: { until: '2026-11-20' } }, '2026-11-21T22:00:00Z', false],
    [{ ...window('2200', '0300'), dates: { from: '2026-11-20' } }, '2026-11-20T02:00:00Z', false],
    [{ ...friday, dates: { from: '2026-11-21' } }, '2026-11-21T01:00:00Z', false],
  ])('%o at %s: %s', (opening, at, open) => expect(isOpenAt(opening, 'UTC', at)).toBe(open))

  test('are those of the venue', () => {
    const saturday = { allDayMenu: true, days: ['sat'], dates: { from: '2026-11-21', until: '2026-11-21' } } as const
    expect(isOpenAt(saturday, 'Pacific/Kiritimati', '2026-11-20T10:00:00Z')).toBe(true)
    expect(isOpenAt(saturday, 'Pacific/Pago_Pago', '2026-11-22T10:59:59Z')).toBe(true)
    expect(isOpenAt(saturday, 'Pacific/Pago_Pago', '2026-11-22T11:00:00Z')).toBe(false)
  })

  test.each<[OpeningHours, string, string | undefined]>([
    [friday, '2026-11-21T02:00:00Z', '2026-11-27T18:00:00'],
    [friday, '2026-11-20T18:00:00Z', '2026-11-21T02:00:00'],
    [{ allDayMenu: true, days: ['sat'] }, '2026-11-22T00:00:00Z', '2026-11-28T00:00:00'],
    [{ allDayMenu: true, days: weekdays }, '2026-11-22T00:00:00Z', undefined],
    [{ allDayMenu: true, dates: { from: '2028-02-29' } }, '2026-11-22T00:00:00Z', '2028-02-29T00:00:00'],
    [{ allDayMenu: true, dates: { until: '2028-02-29' } }, '2026-11-22T00:00:00Z', '2028-03-01T00:00:00'],
    [{ allDayMenu: true, dates: { until: '2026-11-21' } }, '2026-11-22T00:00:00Z', undefined],
    [{ ...friday, dates: { from: '2027-01-02' } }, '2026-11-22T00:00:00Z', '2027-01-08T18:00:00'],
    // No Friday is between the dates.
    [{ ...friday, dates: { from: '2027-01-02', until: '2027-01-07' } }, '2026-11-22T00:00:00Z', undefined],
  ])('the next change of %o after %s is %s', (opening, at, next) => {
    expect(changeAfter([opening], 'UTC', at)).toBe(next)
  })

  test('begin at midnight in the time zone of the venue, with any offset from UTC', () => {
    const opening = { allDayMenu: true, dates: { from: '2027-05-05', until: '2027-05-05' } }
    const changes = (zone: string) => {
      const first = changeAfter([opening], zone, '2026-11-22T00:00:00Z')
      return [first, changeAfter([opening], zone, `${first}Z`)]
    }
    expect(changes('Pacific/Kiritimati')).toEqual(['2027-05-04T10:00:00', '2027-05-05T10:00:00'])
    expect(changes('Pacific/Pago_Pago')).toEqual(['2027-05-05T11:00:00', '2027-05-06T11:00:00'])
  })
})

describe("the venue's clock", () => {
  test.each([
    ['Europe/Lisbon', '2026-07-01T06:00:00Z', true],
    ['Europe/Lisbon', '2026-01-01T06:00:00Z', false],
    ['America/New_York', '2026-07-01T11:00:00Z', true],
    ['Asia/Kathmandu', '2026-07-01T01:15:00Z', true],
    ['Asia/Kathmandu', '2026-07-01T01:14:59Z', false],
    ['Pacific/Kiritimati', '2026-06-30T17:00:00Z', true],
    ['Pacific/Pago_Pago', '2026-07-01T18:00:00Z', true],
  ])('%s, %s', (zone, at, open) => {
    expect(isOpenAt(window('0700', '0800'), zone, at)).toBe(open)
  })

  test('can have an offset with seconds', () => {
    const at = seconds('1971-01-01T12:00:00Z')
    expect(createClock('Africa/Monrovia')(at) - at).toBe(-(44 * 60 + 30))
    expect(changeAfter([window('1200', '1300')], 'Africa/Monrovia', '1971-01-01T12:00:00Z')).toBe('1971-01-01T12:44:30')
  })
})

describe('the hour that clocks skip', () => {
  // Lisbon, 29 March 2026: 01:00 is 02:00, at 01:00 UTC.
  test.each([
    ['a window that begins in it opens when it is over', '0130', '0400', '2026-03-29T01:00:00', '2026-03-29T03:00:00'],
    ['a window that ends in it closes where it begins', '2200', '0130', '2026-03-29T01:00:00', '2026-03-29T21:00:00'],
    ['a window around it is an hour shorter', '0030', '0230', '2026-03-29T00:30:00', '2026-03-29T01:30:00'],
    ['a window inside it does not open that day', '0110', '0140', '2026-03-30T00:10:00', '2026-03-30T00:40:00'],
  ])('%s', (_, begin, end, first, second) => {
    const openings = [window(begin, end)]
    const start = begin === '2200' ? '2026-03-28T23:00:00Z' : '2026-03-28T12:00:00Z'
    const before = begin === '0110' ? '2026-03-29T00:30:00Z' : start
    // The day before has its own opening and closing where the window is not overnight.
    let at = before
    while (changeAfter(openings, 'Europe/Lisbon', at) !== first) {
      at = `${changeAfter(openings, 'Europe/Lisbon', at)}Z`
      expect(seconds(at)).toBeLessThan(seconds(`${first}Z`))
    }
    expect(changeAfter(openings, 'Europe/Lisbon', `${first}Z`)).toBe(second)
  })

  test('does not interrupt an overnight window', () => {
    expect(isOpenAt(window('2200', '0300'), 'Europe/Lisbon', '2026-03-29T00:59:59Z')).toBe(true)
    expect(isOpenAt(window('2200', '0300'), 'Europe/Lisbon', '2026-03-29T01:00:00Z')).toBe(true)
    expect(changeAfter([window('2200', '0300')], 'Europe/Lisbon', '2026-03-28T23:00:00Z')).toBe('2026-03-29T02:00:00')
  })

  test('is half an hour on Lord Howe', () => {
    // 4 October 2026: 02:00 (+10:30) is 02:30 (+11), at 15:30 UTC of the day before.
    expect(changeAfter([window('0215', '0300')], 'Australia/Lord_Howe', '2026-10-03T14:00:00Z')).toBe(
      '2026-10-03T15:30:00',
    )
    expect(changeAfter([window('0215', '0300')], 'Australia/Lord_Howe', '2026-10-03T15:30:00Z')).toBe(
      '2026-10-03T16:00:00',
    )
  })
})

describe('the hour that clocks show twice', () => {
  // New York, 1 November 2026: 02:00 EDT is 01:00 EST, at 06:00 UTC.
  test('counts twice', () => {
    const opening = window('0115', '0145')
    expect(isOpenAt(opening, 'America/New_York', '2026-11-01T05:30:00Z')).toBe(true)
    expect(isOpenAt(opening, 'America/New_York', '2026-11-01T05:50:00Z')).toBe(false)
    expect(isOpenAt(opening, 'America/New_York', '2026-11-01T06:30:00Z')).toBe(true)
    expect(changeAfter([opening], 'America/New_York', '2026-11-01T05:30:00Z')).toBe('2026-11-01T05:45:00')
    expect(changeAfter([opening], 'America/New_York', '2026-11-01T05:45:00Z')).toBe('2026-11-01T06:15:00')
    expect(changeAfter([opening], 'America/New_York', '2026-11-01T06:15:00Z')).toBe('2026-11-01T06:45:00')
  })

  test('opens a window again that closed in it', () => {
    expect(changeAfter([window('2200', '0130')], 'America/New_York', '2026-11-01T05:00:00Z')).toBe(
      '2026-11-01T05:30:00',
    )
    expect(changeAfter([window('2200', '0130')], 'America/New_York', '2026-11-01T05:30:00Z')).toBe(
      '2026-11-01T06:00:00',
    )
    expect(changeAfter([window('2200', '0130')], 'America/New_York', '2026-11-01T06:00:00Z')).toBe(
      '2026-11-01T06:30:00',
    )
  })

  test('does not interrupt an overnight window across it', () => {
    expect(changeAfter([window('2200', '0300')], 'America/New_York', '2026-11-01T03:00:00Z')).toBe(
      '2026-11-01T08:00:00',
    )
  })
})
