import { daySeconds } from '../../platform/lib/day.ts'
import { type Clock, findClockChange } from '../../platform/lib/opening-hours.ts'

/**
 * Returns the next second after `at` at which the local time is `time` (`HHMM`). A time that a change of clocks skips is the second of the
 * change.
 */
export function getNextLocalTime(clock: Clock, at: number, time: string): number {
  const local = clock(at)
  const today = local - (local % daySeconds) + Number(time.slice(0, 2)) * 3_600 + Number(time.slice(2)) * 60
  const wanted = today > local ? today : today + daySeconds
  const unchanged = at + wanted - local
  const shift = clock(unchanged) - wanted
  if (shift === 0) return unchanged
  const shifted = unchanged - shift
  return clock(shifted) === wanted ? shifted : findClockChange(clock, at, unchanged)
}
