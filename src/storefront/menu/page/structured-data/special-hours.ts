import { daySeconds } from '../../../../platform/lib/day.ts'
import { createClock, parseDay } from '../../../../platform/lib/opening-hours.ts'
import type { PublicMenu } from '../../public-menu.ts'

/** Maximum number of closures and special hours that structured data lists. */
const maxListed = 50

/** `HHMM` as ISO 8601. The end of a day is its last minute, because some readers reject 24:00. */
export const toTime = (time: string) => (time === '2400' ? '23:59' : `${time.slice(0, 2)}:${time.slice(2)}`)
const toDate = (day: number) => new Date(day * daySeconds * 1000).toISOString().slice(0, 10)

const toSpecification = (from: number, until: number, opens: string, closes: string) => ({
  '@type': 'OpeningHoursSpecification',
  validFrom: toDate(from),
  validThrough: toDate(until),
  opens,
  closes,
})

/** Closures and special hours with the types of schema.org, from today on. A closed day opens and closes at 00:00; special hours replace closures. */
export function listSpecialHours({
  venue: { timezone, closures = [], specialHours = [] },
  availableAt,
}: Pick<PublicMenu, 'venue' | 'availableAt'>) {
  const today = Math.floor(createClock(timezone)(availableAt) / daySeconds)
  const special = specialHours.map(({ date, ...hours }) => ({ ...hours, day: parseDay(date) }))
  const days = [...new Set(special.map(({ day }) => day))].toSorted((a, b) => a - b)
  const closed = closures.flatMap((closure) => {
    let start = Math.max(today, parseDay(closure.from))
    const end = parseDay(closure.until)
    const parts: [from: number, until: number][] = []
    for (const day of days.filter((each) => each >= start && each <= end)) {
      if (day > start) parts.push([start, day - 1])
      start = day + 1
    }
    return start <= end ? [...parts, [start, end] as const] : parts
  })
  const listed = [
    ...closed.map(([from, until]) => toSpecification(from, until, '00:00', '00:00')),
    ...special.flatMap(({ day, opens, closes }) =>
      day < today ? [] : [toSpecification(day, day, toTime(opens), toTime(closes))],
    ),
  ]
  const inOrder = listed.toSorted((a, b) => (a.validFrom < b.validFrom ? -1 : a.validFrom > b.validFrom ? 1 : 0))
  return inOrder.length > 0 ? inOrder.slice(0, maxListed) : undefined
}
