import { describe, expect, test } from 'vitest'
import {
  createServiceHours,
  findOpening,
  findServiceChange,
  isMenuServed,
  isVenueOpen,
  type ServiceRules,
} from '../../../../src/platform/lib/hours/service-hours.ts'
import {
  type Clock,
  cacheClock,
  createClock,
  type OpeningHours,
  weekdays,
} from '../../../../src/platform/lib/opening-hours.ts'
import { spread, toRounds } from '../../../support/rounds.ts'

const quarter = 900
const days = 400
const begin = Date.parse('2026-02-20T00:00Z') / 1000

const workdays = ['mon', 'tue', 'wed', 'thu', 'fri'] as const
type Rules = Omit<ServiceRules, 'hoursClose'>
const rules: Record<string, Rules> = {
  'weekly hours past midnight, a holiday, and short days': {
    openingHours: [
      { days: [...workdays], opens: '0900', closes: '1430' },
      { days: ['thu', 'fri', 'sat'], opens: '1800', closes: '0200' },
    ],
    closures: [
      { from: '2026-04-03', until: '2026-04-06' },
      { from: '2026-12-24', until: '2027-01-02', title: 'Holidays' },
    ],
    specialHours: [
      { date: '2026-12-31', opens: '1200', closes: '1600' },
      { date: '2026-12-31', opens: '2200', closes: '0300' },
      { date: '2026-10-25', opens: '0100', closes: '0330' },
      { date: '2026-03-29', opens: '0215', closes: '0230' },
    ],
  },
  'closures only': {
    closures: [
      { from: '2026-03-01', until: '2026-03-01' },
      { from: '2026-07-01', until: '2026-08-31' },
      { from: '2026-08-15', until: '2026-09-15' },
    ],
  },
  'special hours only, one for a whole day': {
    specialHours: [
      { date: '2026-04-05', opens: '0200', closes: '0300' },
      { date: '2026-11-01', opens: '0700', closes: '0700' },
    ],
    closures: [{ from: '2026-11-01', until: '2026-11-02' }],
  },
}
const menus: Record<string, OpeningHours> = {
  'all day': { allDayMenu: true },
  'past midnight': { allDayMenu: false, begin: '1700', end: '0115' },
  'weekends for a season': {
    allDayMenu: false,
    begin: '1000',
    end: '1500',
    days: ['fri', 'sat', 'sun'],
    dates: { from: '2026-05-01', until: '2026-12-31' },
  },
}
const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/St_Johns',
]

/** Minutes from 1970-01-01 00:00 to a time on a date, both of one clock that is never changed. */
const minutes = (date: string, time = '0000') =>
  Date.parse(date) / 60_000 + Number(time.slice(0, 2)) * 60 + Number(time.slice(2))
const shift = (date: string, by: number) => new Date(Date.parse(date) + by * 86_400_000).toISOString().slice(0, 10)
const weekdayOf = (date: string) => weekdays[(new Date(date).getUTCDay() + 6) % 7]
const span = (date: string, opens: string, closes: string): [number, number] => {
  const [from, to] = [minutes(date, opens), minutes(date, closes)]
  return [from, to > from ? to : to + 1440]
}
const within = (spans: readonly [number, number][], now: number) => spans.some(([from, to]) => from <= now && now < to)

/** Hours of a date by the contract, as spans of minutes. Undefined: no rule. */
function hoursOf({ openingHours, closures = [], specialHours = [] }: Rules, date: string) {
  const special = specialHours.filter((each) => each.date === date)
  if (special.length > 0) return special.map(({ opens, closes }) => span(date, opens, closes))
  if (closures.some(({ from, until }) => from <= date && date <= until)) return 'closed'
  return openingHours
    ?.filter((each) => each.days.some((day) => day === weekdayOf(date)))
    .map(({ opens, closes }) => span(date, opens, closes))
}

/** The day and the minute that a wall clock shows. */
function createWallClock(timeZone: string) {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return (at: number) => {
    const [date = '', time = ''] = format.format(at * 1000).split(' ')
    return { date, now: minutes(date, time.replace(':', '')) }
  }
}

const steps = Array.from({ length: days * 96 }, (_, index) => begin + index * quarter)
/** For each zone, its clock and what a wall clock shows at each step. */
const shownIn = new Map<string, { clock: Clock; shown: ReturnType<ReturnType<typeof createWallClock>>[] }>()
function readClocks(zone: string) {
  const known = shownIn.get(zone) ?? { clock: cacheClock(createClock(zone)), shown: steps.map(createWallClock(zone)) }
  shownIn.set(zone, known)
  return known
}

/** Whether a venue serves, from the contract: by lists of spans, for yesterday and today. */
function isVenueOpenBy(rules: Rules, { date, now }: { date: string; now: number }) {
  return [date, shift(date, -1)].some((each) => {
    const hours = hoursOf(rules, each)
    if (hours === 'closed') return false
    return within(hours ?? [[minutes(each), minutes(each) + 1440]], now)
  })
}

/** Whether a menu is served: some hours of it contain the time, and the day on which these began allows it. */
function isMenuServedBy(menu: OpeningHours, rules: Rules, { date, now }: { date: string; now: number }) {
  return [date, shift(date, -1)].some((first) => {
    if (menu.days && !menu.days.some((day) => day === weekdayOf(first))) return false
    if (menu.dates?.from && first < menu.dates.from) return false
    if (menu.dates?.until && first > menu.dates.until) return false
    const hours = menu.allDayMenu ? span(first, '0000', '2400') : span(first, menu.begin ?? '', menu.end ?? '')
    if (!within([hours], now)) return false
    const own = hoursOf(rules, first)
    if (own === undefined) return true
    const around = own === 'closed' ? [shift(first, -1)] : [shift(first, -1), first, shift(first, 1)]
    return around.some((each) => {
      const venue = hoursOf(rules, each)
      return Array.isArray(venue) && within(venue, now)
    })
  })
}

describe.each(Object.entries(rules))('with %s', (_, rules) => {
  const service = createServiceHours({ hoursClose: true, ...rules })

  test.each(spread(zones, 2))('400 days in %s equal an independent calculation', (zone) => {
    const { clock, shown } = readClocks(zone)
    const differences: unknown[] = []
    const open = shown.map((now) => isVenueOpenBy(rules, now))
    const served = Object.values(menus).map((menu) => shown.map((now) => isMenuServedBy(menu, rules, now)))
    for (const [index, at] of steps.entries()) {
      const local = clock(at)
      if (isVenueOpen(service, local) !== open[index]) differences.push(['venue', new Date(at * 1000), open[index]])
      for (const [number, menu] of Object.values(menus).entries()) {
        if (isMenuServed(menu, service, local) !== served[number]?.[index]) {
          differences.push([number, new Date(at * 1000), served[number]?.[index]])
        }
      }
    }
    expect(differences.slice(0, 5)).toEqual([])
    const every = Math.ceil(steps.length / toRounds(400))
    for (let index = 0; index < steps.length - 96 * 100; index += every) {
      const at = steps[index] ?? 0
      const opens = open[index] ? -1 : open.indexOf(true, index)
      const expected = [opens, ...served.map((states) => states.indexOf(!states[index], index))]
      const found = [
        findOpening(service, clock, at),
        ...Object.values(menus).map((menu) => findServiceChange(menu, service, clock, at)),
      ]
      const toStep = (moment: number | undefined) => {
        const step = moment === undefined ? -1 : (moment - begin) / quarter
        return step >= steps.length ? -1 : step
      }
      expect([new Date(at * 1000), ...found.map(toStep)]).toEqual([new Date(at * 1000), ...expected])
    }
  })
})

test('a search for the next change looks beyond long closures, and ends', () => {
  const clock = createClock('Europe/Berlin')
  const service = createServiceHours({ hoursClose: true, closures: [{ from: '2026-01-01', until: '2046-12-31' }] })
  const reopening = Date.parse('2047-01-01T00:00+01:00') / 1000
  expect(findOpening(service, clock, begin)).toBe(reopening)
  expect(findServiceChange({ allDayMenu: true }, service, clock, begin)).toBe(reopening)
  const never = { allDayMenu: true, dates: { until: '2026-12-31' } }
  expect(findServiceChange(never, service, clock, begin)).toBeUndefined()
})
