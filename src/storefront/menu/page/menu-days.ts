import { daySeconds } from '../../../platform/lib/day.ts'
import { type OpeningHours, weekdays } from '../../../platform/lib/opening-hours.ts'

/** Formats the days of a menu in a locale. */
export interface DayFormats {
  /** Weekdays in order, three or more in a row as a range: `Sun – Thu`, `Mon – Wed, Fri`. */
  formatDays(days: NonNullable<OpeningHours['days']>): string
  /** A range of days, which may lack its beginning or its end. */
  formatDates(dates: NonNullable<OpeningHours['dates']>): string
  /** A day, `YYYY-MM-DD`, with its weekday. */
  formatDay(date: string): string
}

/** A Monday. */
const mondayMs = Date.UTC(2024, 0, 1)
const dayMs = daySeconds * 1000

/** Indexes of weekdays, grouped into those that follow each other. A group can continue from Sunday to Monday. */
function groupDays(days: NonNullable<OpeningHours['days']>): number[][] {
  const groups: number[][] = []
  for (const [index, day] of weekdays.entries()) {
    if (!days.includes(day)) continue
    const last = groups.at(-1)
    if (last?.at(-1) === index - 1) last.push(index)
    else groups.push([index])
  }
  const [first, ...others] = groups
  const last = others.at(-1)
  return first?.[0] === 0 && last?.at(-1) === weekdays.length - 1
    ? [[...last, ...first], ...others.slice(0, -1)]
    : groups
}

/** Formats of days in a language. Formats of `Intl` are expensive: keep the result. */
export function createDayFormats(locale: string): DayFormats {
  const weekday = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday: 'short' })
  const date = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' })
  const named = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'long' })
  const name = (index: number) => weekday.format(mondayMs + index * dayMs)
  return {
    formatDay: (day) => named.format(Date.parse(day)),
    formatDays: (days) =>
      groupDays(days)
        .flatMap((group) => {
          const [first = 0] = group
          return group.length > 2 ? [`${name(first)} – ${name(group.at(-1) ?? first)}`] : group.map(name)
        })
        .join(', '),
    formatDates({ from, until }) {
      const [first, last] = [from, until].map((day) => (day === undefined ? undefined : Date.parse(day)))
      if (first !== undefined && last !== undefined) return date.formatRange(first, last)
      return `${first === undefined ? '' : date.format(first)} – ${last === undefined ? '' : date.format(last)}`.trim()
    },
  }
}
