import { daySeconds } from '../day.ts'
import { type Clock, getWeekday, listMoments, parseDay, parseMinute, type Weekday } from '../opening-hours.ts'

/** A period of a day from `opens` until before `closes` (`HHMM`), past midnight if `closes` is not later. */
interface Hours {
  opens: string
  closes: string
}

/** When a venue serves, by its clock. Hours past midnight belong to the day on which they begin. */
export interface ServiceHours {
  /** Hours of single days. They replace closures and opening hours of these days. */
  specialHours?: readonly (Hours & { date: string })[] | undefined
  /** Days without hours as `YYYY-MM-DD`, both included. */
  closures?: readonly { from: string; until: string }[] | undefined
  openingHours?: readonly (Hours & { days: readonly Weekday[] })[] | undefined
  /** Whether `openingHours` limit the service. Otherwise, days have 24 hours. */
  hoursClose: boolean
}

/** Days after a closure within which hours begin: a week, or two if a clock change skips those of the first. */
const searchedDays = 16
const allDay: readonly Hours[] = [{ opens: '0000', closes: '2400' }]

/** The same hours with days as numbers since 1970-01-01. */
function createCalendar({ specialHours = [], closures = [], openingHours = [], hoursClose }: ServiceHours) {
  const special = Map.groupBy(specialHours, ({ date }) => parseDay(date))
  const closed = closures.map(({ from, until }) => ({ from: parseDay(from), until: parseDay(until) }))
  const isLimited = hoursClose && openingHours.length > 0
  const listHours = (day: number): readonly Hours[] => {
    const hours = special.get(day)
    if (hours) return hours
    if (closed.some(({ from, until }) => from <= day && day <= until)) return []
    return isLimited ? openingHours.filter(({ days }) => days.some((each) => each === getWeekday(day))) : allDay
  }
  return { listHours, specialDays: [...special.keys()], lastClosedDays: closed.map(({ until }) => until) }
}
type Calendar = ReturnType<typeof createCalendar>

function isOpenIn({ listHours }: Calendar, local: number): boolean {
  const day = Math.floor(local / daySeconds)
  const minute = Math.floor((local - day * daySeconds) / 60)
  return (
    listHours(day).some(({ opens, closes }) => {
      const [from, to] = [parseMinute(opens), parseMinute(closes)]
      return from <= minute && (minute < to || to <= from)
    }) ||
    listHours(day - 1).some(({ opens, closes }) => {
      const to = parseMinute(closes)
      return to <= parseMinute(opens) && minute < to
    })
  )
}

/** Days from `today` on which service may begin after a time without service, in order. */
function listCandidates({ specialDays, lastClosedDays }: Calendar, today: number): number[] {
  const weeks = [today - 1, ...lastClosedDays].flatMap((last) =>
    Array.from({ length: searchedDays + 1 }, (_, index) => last + 1 + index),
  )
  return [...new Set([...weeks, ...specialDays.flatMap((day) => [day, day + 1])])]
    .filter((day) => day >= today)
    .sort((a, b) => a - b)
}

/** Whether a venue serves at a time in seconds. */
export const isServing = (hours: ServiceHours, clock: Clock, at: number): boolean =>
  isOpenIn(createCalendar(hours), clock(at))

/** First second after `at` at which a venue that does not serve at `at` serves. Undefined if it never does. */
export function getNextService(hours: ServiceHours, clock: Clock, at: number): number | undefined {
  const calendar = createCalendar(hours)
  const today = Math.floor(clock(at) / daySeconds)
  for (const day of listCandidates(calendar, today)) {
    const begins = calendar.listHours(day)
    if (begins.length === 0 && calendar.listHours(day - 1).length === 0) continue
    // Local days begin up to 14 hours before those of UTC, and end up to 12 hours after them. A clock change that repeats hours may open too.
    const edges = [...new Set([0, ...begins.map(({ opens }) => parseMinute(opens))])].sort((a, b) => a - b)
    const from = Math.max(at, (day - 1) * daySeconds)
    for (const moment of listMoments(edges, clock, from, 3 * daySeconds)) {
      const local = clock(moment)
      if (Math.floor(local / daySeconds) === day && isOpenIn(calendar, local)) return moment
    }
  }
  return undefined
}
