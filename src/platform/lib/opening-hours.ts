import { cacheFormat, daySeconds } from './day.ts'

/** Weekdays, the first of the week of ISO 8601 first. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

/**
 * Hours of a menu: always, or from `begin` until before `end` (`HHMM`), past midnight if `end` is earlier. `days` and `dates` restrict them. Hours
 * past midnight belong to the day on which they begin.
 */
export interface OpeningHours {
  allDayMenu: boolean
  begin?: string | undefined
  end?: string | undefined
  /** Absent: every day. */
  days?: readonly Weekday[] | undefined
  /** Days as `YYYY-MM-DD`, both included. */
  dates?: { from?: string | undefined; until?: string | undefined } | undefined
}

/** Converts UTC seconds to the venue's local time, as seconds since 1970-01-01 00:00 local time. */
export type Clock = (at: number) => number

/** Look-ahead without days. Hours open and close within a day, unless a clock change skips them. */
const horizonSeconds = 3 * daySeconds
/** Look-ahead with days: one week, or two if a clock change skips the only hours of the first. */
const weekHorizonSeconds = 16 * daySeconds
/** Period within which an offset from UTC changes at most once. */
const probeSeconds = daySeconds / 4

const modulo = (value: number, divisor: number) => ((value % divisor) + divisor) % divisor

const clockOptions = {
  calendar: 'gregory',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const

/** Creates the clock of an IANA time zone. */
export function createClock(timeZone: string): Clock {
  const format = cacheFormat(`clock ${timeZone}`, () => new Intl.DateTimeFormat('en', { ...clockOptions, timeZone }))
  return (at) => {
    const shown = new Map(format.formatToParts(at * 1000).map(({ type, value }) => [type, Number(value)]))
    const part = (name: Intl.DateTimeFormatPartTypes) => shown.get(name) ?? 0
    const ms = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
    return ms / 1000
  }
}

/** Whether a menu is open all day on its days: `0000` to `2400` is all day. */
export const isAllDay = ({ allDayMenu, begin, end }: OpeningHours) =>
  allDayMenu || begin === undefined || end === undefined || (begin === '0000' && end === '2400')

/** Returns a clock that caches its results. */
export function cacheClock(clock: Clock): Clock {
  const times = new Map<number, number>()
  return (at) => {
    const time = times.get(at) ?? clock(at)
    times.set(at, time)
    return time
  }
}

/** Converts a time of day, `HHMM`, to minutes after midnight. */
export const parseMinute = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(2))

/** Number of a day since 1970-01-01, a Thursday. */
export const parseDay = (date: string) => Date.parse(date) / 1000 / daySeconds
/** The weekday of a day that `parseDay` returns. */
export const getWeekday = (day: number) => weekdays[modulo(day + 3, weekdays.length)]

/** Whether a menu is served on a day. */
export function isServedOn({ days, dates }: OpeningHours, day: number): boolean {
  if (days && !days.some((each) => each === getWeekday(day))) return false
  if (dates?.from !== undefined && day < parseDay(dates.from)) return false
  return dates?.until === undefined || day <= parseDay(dates.until)
}

/** Whether a menu is open at a local time, as a `Clock` returns it: hours that a clock change repeats count twice, skipped hours do not count. */
export function isOpen(opening: OpeningHours, local: number): boolean {
  const { allDayMenu, begin, end } = opening
  const day = Math.floor(local / daySeconds)
  if (allDayMenu || begin === undefined || end === undefined) return isServedOn(opening, day)
  const minute = Math.floor(modulo(local, daySeconds) / 60)
  const [from, to] = [parseMinute(begin), parseMinute(end)]
  if (from < to) return from <= minute && minute < to && isServedOn(opening, day)
  return (from <= minute && isServedOn(opening, day)) || (minute < to && isServedOn(opening, day - 1))
}

/** First second with the UTC offset of `later`, which differs from that of `earlier`. */
export function findClockChange(clock: Clock, earlier: number, later: number): number {
  const offset = clock(later) - later
  let [before, after] = [earlier, later]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (clock(middle) - middle === offset) after = middle
    else before = middle
  }
  return after
}

/** Periods with a constant UTC offset, from `at` until `horizon` seconds later. */
function* listUniformPeriods(
  clock: Clock,
  at: number,
  horizon: number,
): Iterable<{ from: number; to: number; offset: number }> {
  let from = at
  for (let probe = at + probeSeconds; probe <= at + horizon; probe += probeSeconds) {
    const offset = clock(from) - from
    if (clock(probe) - probe === offset) continue
    const to = findClockChange(clock, from, probe)
    yield { from, to, offset }
    from = to
  }
  yield { from, to: at + horizon, offset: clock(from) - from }
}

/** Times after `at`, in order, at which a menu may open or close, until `horizon` seconds later. */
export function* listMoments(edges: readonly number[], clock: Clock, at: number, horizon: number): Iterable<number> {
  for (const { from, to, offset } of listUniformPeriods(clock, at, horizon)) {
    if (from > at) yield from
    for (
      let midnight = Math.floor((from + offset) / daySeconds) * daySeconds;
      midnight - offset < to;
      midnight += daySeconds
    ) {
      for (const edge of edges) {
        const moment = midnight + edge * 60 - offset
        if (moment > from && moment < to) yield moment
      }
    }
  }
}

/** Seconds at which the search for the next change begins: `at`, and a time shortly before the first and after the last date. */
function listStarts({ dates }: OpeningHours, at: number): number[] {
  // Local days begin up to 14 hours before those of UTC, and up to 12 hours after them.
  const starts = [
    ...(dates?.from === undefined ? [] : [(parseDay(dates.from) - 1) * daySeconds]),
    ...(dates?.until === undefined ? [] : [parseDay(dates.until) * daySeconds]),
  ]
  return [at, ...new Set(starts.filter((start) => start > at).sort((a, b) => a - b))]
}

/** Next second at which a menu opens or closes; undefined if it never does. */
function getOwnChange(opening: OpeningHours, clock: Clock, at: number): number | undefined {
  const edges = [...new Set(listEdges(opening))].sort((a, b) => a - b)
  if (edges.length === 0) return undefined
  const now = isOpen(opening, clock(at))
  const horizon = opening.days || opening.dates ? weekHorizonSeconds : horizonSeconds
  for (const start of listStarts(opening, at)) {
    for (const moment of listMoments(edges, clock, start, horizon)) {
      if (isOpen(opening, clock(moment)) !== now) return moment
    }
  }
  return undefined
}

/** Next second at which the open menus differ from those at `at`; undefined if they never change. Linear in the menus. */
export function getNextChange(openings: readonly OpeningHours[], clock: Clock, at: number): number | undefined {
  const changes = openings.flatMap((opening) => getOwnChange(opening, clock, at) ?? [])
  return changes.length === 0 ? undefined : Math.min(...changes)
}

/** Minutes of the day at which a menu may open or close. */
export function* listEdges({ allDayMenu, begin, end, days, dates }: OpeningHours): Iterable<number> {
  if (allDayMenu || begin === undefined || end === undefined) {
    if (days || dates) yield 0
    return
  }
  yield parseMinute(begin)
  // 24:00 is the next day's midnight.
  yield parseMinute(end) % 1440
}
