import { session } from './session.ts'

const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const

/** A time by the clock of the venue, in the format of fields for dates and times: `2026-11-22T18:30`. */
export function toLocalTime(seconds: number): string {
  const timeZone = session.value?.merchant.timezone
  const format = new Intl.DateTimeFormat('en-CA', { ...parts, timeZone, hourCycle: 'h23', calendar: 'gregory' })
  const values = new Map(format.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]))
  const get = (type: Intl.DateTimeFormatPartTypes) => values.get(type) ?? ''
  return `${get('year').padStart(4, '0')}-${get('month')}-${get('day')}T${get('hour')}:${get('minute')}`
}

/** Seconds since 1970-01-01 UTC of a time by the clock of the venue. Undefined if it is not a time. */
export function fromLocalTime(text: string): number | undefined {
  const wanted = Date.parse(`${text}Z`) / 1000
  if (Number.isNaN(wanted)) return undefined
  // Computes the UTC offset from a nearby time. Repeats it once, because a clock change can be in between.
  let seconds = wanted
  for (let round = 0; round < 2; round++) seconds += wanted - Date.parse(`${toLocalTime(seconds)}Z`) / 1000
  return seconds
}
