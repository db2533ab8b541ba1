const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const

const daySeconds = 86_400

/** A day of the calendar, `2026-11-22`, some days later or earlier. Days with a clock change are days too. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * daySeconds * 1000).toISOString().slice(0, 10)

/** A time by the clock of a time zone, in the format of fields for dates and times: `2026-11-22T18:30`. */
export function toZonedTime(seconds: number, timeZone?: string): string {
  const format = new Intl.DateTimeFormat('en-CA', { ...parts, timeZone, hourCycle: 'h23', calendar: 'gregory' })
  const values = new Map(format.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]))
  const get = (type: Intl.DateTimeFormatPartTypes) => values.get(type) ?? ''
  return `${get('year').padStart(4, '0')}-${get('month')}-${get('day')}T${get('hour')}:${get('minute')}`
}

/**
 * Seconds since 1970-01-01 UTC of a time by the clock of a time zone. Undefined if it is not a time. If clocks are set back over the time, it is the first
 * of both. If they are set forward over it, it is as much later as they are set forward.
 */
export function fromZonedTime(text: string, timeZone?: string): number | undefined {
  const wanted = Date.parse(`${text}Z`) / 1000
  if (Number.isNaN(wanted)) return undefined
  const toSeconds = (near: number) => wanted - (Date.parse(`${toZonedTime(near, timeZone)}Z`) / 1000 - near)
  // With the UTC offsets before and after a clock change. Without one, both are equal.
  const [before, after] = [toSeconds(wanted - daySeconds), toSeconds(wanted + daySeconds)]
  const isShown = (seconds: number) => Date.parse(`${toZonedTime(seconds, timeZone)}Z`) / 1000 === wanted
  return !isShown(before) && isShown(after) ? after : before
}
