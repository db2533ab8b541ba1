import { describe, expect, test } from 'vitest'
import {
  createServiceHours,
  findOpening,
  isVenueOpen,
  type ServiceRules,
} from '../../../../src/platform/lib/hours/service-hours.ts'
import { type Clock, cacheClock, createClock } from '../../../../src/platform/lib/opening-hours.ts'
import { spread } from '../../../support/rounds.ts'

const names = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
const isServing = (hours: ServiceRules, clock: Clock, at: number) => isVenueOpen(createServiceHours(hours), clock(at))
const getNextService = (hours: ServiceRules, clock: Clock, at: number) =>
  findOpening(createServiceHours(hours), clock, at)
const seconds = (iso: string) => Date.parse(iso) / 1000
const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at * 1000).toISOString().slice(0, 19))

/** Days of a year and a bit, in which every rule meets every other, and hours begin in the hours that clocks skip or repeat. */
const busy: ServiceRules = {
  hoursClose: true,
  openingHours: [
    { days: ['mon', 'tue', 'thu'], opens: '0730', closes: '1415' },
    { days: ['thu', 'fri', 'sat'], opens: '1800', closes: '0230' },
    { days: ['sun'], opens: '0130', closes: '0215' },
    { days: ['sun'], opens: '0245', closes: '0330' },
  ],
  closures: [
    { from: '2026-12-24', until: '2027-01-02' },
    { from: '2027-02-27', until: '2027-02-27' },
    { from: '2027-08-01', until: '2027-08-31' },
  ],
  specialHours: [
    { date: '2026-12-31', opens: '2000', closes: '0400' },
    { date: '2026-12-31', opens: '1000', closes: '1200' },
    { date: '2027-04-04', opens: '0145', closes: '0145' },
    { date: '2027-08-15', opens: '0000', closes: '2400' },
  ],
}
const allDay: ServiceRules = { ...busy, hoursClose: false }

/** Local minutes as text and the day of the week, as the runtime formats them. */
function createCalendar(timeZone: string) {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return (at: number) => {
    const [date = '', time = ''] = format.format(at * 1000).split(' ')
    return { date, time: time.replace(':', '') }
  }
}

const previous = (date: string) => new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10)

/** Compares texts of local dates and times. Knows no number of a day and no edge. */
function serves(hours: ServiceRules, date: string, time: string) {
  const of = (day: string) => {
    const special = hours.specialHours?.filter((each) => each.date === day) ?? []
    if (special.length > 0) return special
    if (hours.closures?.some((each) => day >= each.from && day <= each.until)) return []
    if (!hours.hoursClose) return [{ opens: '0000', closes: '2400' }]
    const name = names[new Date(day).getUTCDay()]
    return hours.openingHours?.filter(({ days }) => days.some((each) => each === name)) ?? []
  }
  if (of(date).some(({ opens, closes }) => time >= opens && (closes <= opens || time < closes))) return true
  return of(previous(date)).some(({ opens, closes }) => closes <= opens && time < closes)
}

const quarter = 900
const begin = seconds('2026-11-01T00:00:00Z')
const counted = 400 * 96
const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/St_Johns',
]

describe.each([
  ['with hours', busy],
  ['all day', allDay],
])('a venue %s', (_name, hours) => {
  test.each(spread(zones, 2))(
    'in %s is open as an independent calculation says, for 400 days',
    (zone) => {
      const clock = cacheClock(createClock(zone))
      const calendar = createCalendar(zone)
      const open: boolean[] = []
      let differences = 0
      for (let index = 0; index < counted + 40 * 96; index++) {
        const { date, time } = calendar(begin + index * quarter)
        const isOpen = serves(hours, date, time)
        open.push(isOpen)
        if (isServing(hours, clock, begin + index * quarter) !== isOpen) differences++
      }
      let judged = 0
      for (let index = 0; index < counted; index++) {
        // Near every opening and closing, and some in between.
        const isEdge = open[index] !== open[index - 1] || open[index] !== open[index + 1]
        if (open[index] || (!isEdge && index % 29 > 0)) continue
        const next = open.indexOf(true, index)
        if (getNextService(hours, clock, begin + index * quarter + 1) !== begin + next * quarter) differences++
        judged++
      }
      expect(differences).toBe(0)
      expect(judged).toBeGreaterThan(hours.hoursClose ? 800 : 100)
    },
    30_000,
  )
})

test.each<[string, ServiceRules, string, string | undefined]>([
  [
    'Europe/Berlin',
    { hoursClose: false, closures: [{ from: '2026-12-24', until: '2027-01-02' }] },
    '2026-12-31T23:30:00Z',
    '2027-01-02T23:00:00',
  ],
  [
    'Europe/Berlin',
    { hoursClose: false, closures: [{ from: '2026-01-01', until: '9999-12-31' }] },
    '2026-12-31T23:30:00Z',
    '+010000-01-01T00:00',
  ],
  // 30 December 2011 did not exist in Samoa.
  [
    'Pacific/Apia',
    { hoursClose: false, closures: [{ from: '2011-12-29', until: '2011-12-30' }] },
    '2011-12-30T00:00:00Z',
    '2011-12-30T10:00:00',
  ],
  // 02:30 does not exist on 28 March 2027: the hours begin when the clock has moved to 03:00.
  [
    'Europe/Berlin',
    { hoursClose: true, openingHours: [{ days: ['sun'], opens: '0230', closes: '0400' }] },
    '2027-03-28T00:00:00Z',
    '2027-03-28T01:00:00',
  ],
  // Hours that do not exist on 28 March 2027.
  [
    'Europe/Berlin',
    { hoursClose: true, openingHours: [{ days: ['sun'], opens: '0200', closes: '0300' }] },
    '2027-03-28T00:00:00Z',
    '2027-04-04T00:00:00',
  ],
  // 02:00 to 03:00 comes twice on 31 October 2027.
  [
    'Europe/Berlin',
    { hoursClose: true, openingHours: [{ days: ['sun'], opens: '0215', closes: '0230' }] },
    '2027-10-31T00:30:00Z',
    '2027-10-31T01:15:00',
  ],
  [
    'UTC',
    {
      hoursClose: true,
      openingHours: [{ days: ['mon'], opens: '0800', closes: '0900' }],
      closures: [{ from: '2026-11-01', until: '2026-11-30' }],
    },
    '2026-11-02T08:00:00Z',
    '2026-12-07T08:00:00',
  ],
])('in %s, %o at %s serves next at %s', (zone, hours, at, expected) => {
  const clock = createClock(zone)
  expect(isServing(hours, clock, seconds(at))).toBe(false)
  const next = getNextService(hours, clock, seconds(at))
  if (!expected?.startsWith('+')) expect(iso(next)).toBe(expected)
  else expect(next).toBe(Date.UTC(10_000, 0, 1) / 1000 - 3600)
})

test("Friday's hours after midnight survive a closure of Saturday, and the same hours are other seconds in another zone", () => {
  const hours: ServiceRules = {
    hoursClose: true,
    openingHours: [{ days: ['fri', 'sat'], opens: '1800', closes: '0200' }],
    closures: [{ from: '2026-11-28', until: '2026-11-28' }],
  }
  const open = (zone: string, at: string) => isServing(hours, createClock(zone), seconds(at))
  expect(['T00:30:00Z', 'T01:59:59Z', 'T02:00:00Z', 'T18:00:00Z'].map((at) => open('UTC', `2026-11-28${at}`))).toEqual([
    ...[true, true, false, false],
  ])
  expect([open('Asia/Kolkata', '2026-11-27T20:29:59Z'), open('Asia/Kolkata', '2026-11-27T20:30:00Z')]).toEqual([
    true,
    false,
  ])
})
