/** When a menu is offered: always, or daily from `begin` to before `end` (`HHMM`), over midnight where `end` is the earlier. */
export interface OpeningHours {
  allDayMenu: boolean
  begin?: string | undefined
  end?: string | undefined
}

/** Seconds since 1970 as the venue's clock shows them, for seconds since 1970 UTC. */
export type Clock = (at: number) => number

const daySeconds = 86_400
/** Every window that is not always open opens and closes within a day, unless the hour that clocks skip swallows it. */
const horizonSeconds = 3 * daySeconds
/** Clocks are not changed twice within this time. */
const probeSeconds = daySeconds / 4

const modulo = (value: number, divisor: number) => ((value % divisor) + divisor) % divisor

/** The clock of an IANA time zone. */
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

/** A time of day, `HHMM`, in minutes after midnight. */
const parseMinute = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(2))

/**
 * Whether a menu is offered at a time of day. What counts is what the clock on the wall shows: an hour that it shows twice
 * counts twice, one that it skips not at all.
 */
export function isOpen({ allDayMenu, begin, end }: OpeningHours, minute: number): boolean {
  if (allDayMenu || begin === undefined || end === undefined) return true
  const [from, to] = [parseMinute(begin), parseMinute(end)]
  return from < to ? from <= minute && minute < to : from <= minute || minute < to
}

/** Minutes after midnight on the venue's clock. */
export const getMinute = (clock: Clock, at: number) => Math.floor(modulo(clock(at), daySeconds) / 60)

/** The first second from which the clock is as far from UTC as it is at `late`, given that it is not at `early`. */
function findClockChange(clock: Clock, earlier: number, later: number): number {
  const offset = clock(later) - later
  let [before, after] = [earlier, later]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (clock(middle) - middle === offset) after = middle
    else before = middle
  }
  return after
}

/** Stretches of time in which the clock runs evenly, from `at` on. */
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

/** Moments after `at`, in order, at which something may open or close. */
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

/** The next second at which other menus are offered than at `at`; undefined where that never changes. */
export function getNextChange(openings: readonly OpeningHours[], clock: Clock, at: number): number | undefined {
  const changing = openings.filter((opening) => [...listEdges(opening)].length > 0)
  const edges = [...new Set(changing.flatMap((opening) => [...listEdges(opening)]))].sort((a, b) => a - b)
  if (edges.length === 0) return undefined
  const offered = (moment: number) => {
    const minute = getMinute(clock, moment)
    return changing.map((opening) => (isOpen(opening, minute) ? 1 : 0)).join('')
  }
  const now = offered(at)
  for (const moment of listMoments(edges, clock, at)) {
    if (offered(moment) !== now) return moment
  }
  return undefined
}

function* listEdges({ allDayMenu, begin, end }: OpeningHours): Iterable<number> {
  if (allDayMenu || begin === undefined || end === undefined) return
  yield parseMinute(begin)
  // The clock never shows 24:00: it is the next day's midnight.
  yield parseMinute(end) % 1440
}
