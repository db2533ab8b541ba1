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

const changeAfter = (openings: readonly OpeningHours[], zone: string, at: string) =>
  iso(getNextChange(openings, createClock(zone), seconds(at)))

describe('the next change', () => {
  test('is the earliest of several menus', () => {
    const openings = [window('0700', '1130'), window('1130', '1500'), { allDayMenu: true }]
    expect(changeAfter(openings, 'UTC', '2026-11-21T07:00:00Z')).toBe('2026-11-21T11:30:00')
    expect(changeAfter(openings, 'UTC', '2026-11-21T11:30:00Z')).toBe('2026-11-21T15:00:00')
    expect(changeAfter(openings, 'UTC', '2026-11-21T15:00:00Z')).toBe('2026-11-22T07:00:00')
  })

  test('is absent if nothing changes', () => {
    expect(changeAfter([], 'UTC', '2026-11-21T07:00:00Z')).toBeUndefined()
    expect(changeAfter([window('0000', '2400')], 'UTC', '2026-11-21T07:00:00Z')).toBeUndefined()
  })

  test('is correct across a skipped day', () => {
    // Samoa had no 30 December 2011: 23:59:59 (−10) was followed by 00:00 (+14) of the 31st, at 10:00 UTC.
    expect(changeAfter([window('2200', '0100')], 'Pacific/Apia', '2011-12-30T09:00:00Z')).toBe('2011-12-30T11:00:00')
    expect(changeAfter([window('0700', '0800')], 'Pacific/Apia', '2011-12-30T09:00:00Z')).toBe('2011-12-30T17:00:00')
  })

  const changes = [
    ['Europe/Lisbon', '2026-03-28T20:00:00Z'],
    ['Europe/Lisbon', '2026-10-24T20:00:00Z'],
    ['America/New_York', '2026-03-08T00:00:00Z'],
    ['America/New_York', '2026-11-01T00:00:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T06:00:00Z'],
    ['Australia/Lord_Howe', '2026-10-03T06:00:00Z'],
    ['Pacific/Apia', '2011-12-29T20:00:00Z'],
    ['America/Scoresbysund', '2024-03-30T12:00:00Z'],
    ['Africa/Casablanca', '2026-02-14T12:00:00Z'],
    ['Asia/Kolkata', '2026-03-28T20:00:00Z'],
  ] as const
  const openings = [
    [window('0100', '0130')],
    [window('0145', '0215'), window('2345', '0005')],
    [window('0200', '0100')],
    [window('0000', '2400'), window('0230', '2400')],
    [window('0115', '0145'), window('0145', '0300')],
    [
      { ...window('2200', '0115'), days: ['fri', 'sat'] },
      { allDayMenu: true, days: ['sun', 'tue'] },
    ],
    [
      { ...window('0100', '0300'), days: weekdays },
      { allDayMenu: true, dates: { from: '1970-01-01' } },
    ],
  ] satisfies OpeningHours[][]
  test.each(changes)('equals a search minute by minute: %s, %s', (zone, from) => {
    const clock = createClock(zone)
    const first = seconds(from)
    const minutes = Array.from({ length: 4.5 * 1440 }, (_, index) => clock(first + index * 60))
    for (const menus of openings) {
      const offered = minutes.map((local) => menus.map((menu) => isOpen(menu, local)).join())
      for (let start = 0; start < 18 * 60; start += 25) {
        const tried = offered.findIndex((state, index) => index > start && state !== offered[start])
        // The change of the offset may be after the minutes that were tried.
        if (tried < 0) continue
        const found = getNextChange(menus, clock, first + start * 60 + (start % 60))
        expect([zone, menus, start, iso(found)]).toEqual([zone, menus, start, iso(first + tried * 60)])
      }
    }
  })
})
