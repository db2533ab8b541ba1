/** Weekdays, the first of the week of ISO 8601 first. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

/** Hours of a menu: always, or daily from `begin` until before `end` (`HHMM`); past midnight if `end` is earlier. */
export interface OpeningHours {
  allDayMenu: boolean
  begin?: string | undefined
  end?: string | undefined
}

/** Converts UTC seconds to the venue's local time, as seconds since 1970-01-01 00:00 local time. */
export type Clock = (at: number) => number

const daySeconds = 86_400
/** Longest look-ahead. Hours open and close within a day, unless they fall into an hour that clocks skip. */
const horizonSeconds = 3 * daySeconds
/** Within this time an offset from UTC changes at most once. */
const probeSeconds = daySeconds / 4

const modulo = (value: number, divisor: number) => ((value % divisor) + divisor) % divisor

/** Creates the clock of an IANA time zone. */
export function createClock(timeZone: string): Clock {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (at) => {
    const shown = new Map(format.formatToParts(at * 1000).map(({ type, value }) => [type, Number(value)]))
    const part = (name: Intl.DateTimeFormatPartTypes) => shown.get(name) ?? 0
    const ms = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
    return ms / 1000
  }
}

/** Whether a menu is open at all times: `0000` to `2400` is all day. */
export const isAllDay = ({ allDayMenu, begin, end }: OpeningHours) =>
  allDayMenu || begin === undefined || end === undefined || (begin === '0000' && end === '2400')

/** Returns a clock that computes each time once. */
export function cacheClock(clock: Clock): Clock {
  const times = new Map<number, number>()
  return (at) => {
    const time = times.get(at) ?? clock(at)
    times.set(at, time)
    return time
  }
}

/** Converts a time of day, `HHMM`, to minutes after midnight. */
const parseMinute = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(2))

/**
 * Whether a menu is open at a minute of the day, by local time: hours that a change of clocks repeats count twice, skipped hours not at
 * all.
 */
export function isOpen({ allDayMenu, begin, end }: OpeningHours, minute: number): boolean {
  if (allDayMenu || begin === undefined || end === undefined) return true
  const [from, to] = [parseMinute(begin), parseMinute(end)]
  return from < to ? from <= minute && minute < to : from <= minute || minute < to
}

/** Minutes after midnight in the venue's local time. */
export const getMinute = (clock: Clock, at: number) => Math.floor(modulo(clock(at), daySeconds) / 60)

/** First second with the offset from UTC that the clock has at `later` and does not have at `earlier`. */
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

/** Periods with one offset from UTC, from `at` on. */
function* listUniformPeriods(clock: Clock, at: number): Iterable<{ from: number; to: number; offset: number }> {
  let from = at
  for (let probe = at + probeSeconds; probe <= at + horizonSeconds; probe += probeSeconds) {
    const offset = clock(from) - from
    if (clock(probe) - probe === offset) continue
    const to = findClockChange(clock, from, probe)
    yield { from, to, offset }
    from = to
  }
  yield { from, to: at + horizonSeconds, offset: clock(from) - from }
}

/** Times after `at`, in order, at which a menu may open or close. */
function* listMoments(edges: readonly number[], clock: Clock, at: number): Iterable<number> {
  for (const { from, to, offset } of listUniformPeriods(clock, at)) {
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

/** Next second at which the open menus differ from those at `at`; undefined if they never change. */
export function getNextChange(openings: readonly OpeningHours[], clock: Clock, at: number): number | undefined {
  const changing = openings.filter((opening) => [...listEdges(opening)].length > 0)
  const edges = [...new Set(changing.flatMap((opening) => [...listEdges(opening)]))].sort((a, b) => a - b)
  if (edges.length === 0) return undefined
  const getOpenState = (moment: number) => {
    const minute = getMinute(clock, moment)
    return changing.map((opening) => (isOpen(opening, minute) ? 1 : 0)).join('')
  }
  const now = getOpenState(at)
  for (const moment of listMoments(edges, clock, at)) {
    if (getOpenState(moment) !== now) return moment
  }
  return undefined
}

function* listEdges({ allDayMenu, begin, end }: OpeningHours): Iterable<number> {
  if (allDayMenu || begin === undefined || end === undefined) return
  yield parseMinute(begin)
  // 24:00 is the next day's midnight.
  yield parseMinute(end) % 1440
}
