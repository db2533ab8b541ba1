import { session } from '../session.ts'
import { addDays, fromZonedTime, toZonedTime } from './zoned-clock.ts'

/** How far the clock of the service is ahead of that of the device, in milliseconds. */
let ahead = 0

/** Notes the clock of the service, by a response that no cache has stored. */
export function noteClock({ headers }: Response): void {
  const time = Date.parse(headers.get('date') ?? '')
  if (time > 0) ahead = time - Date.now()
}

/** The time by the clock of the service, in seconds. */
export const currentTime = () => (Date.now() + ahead) / 1000

const timeZone = () => session.value?.merchant.timezone

/** A time by the clock of the venue, in the format of fields for dates and times. */
export const toLocalTime = (seconds: number) => toZonedTime(seconds, timeZone())

/** Seconds since 1970-01-01 UTC of a time by the clock of the venue. Undefined if it is not a time. */
export const fromLocalTime = (text: string) => fromZonedTime(text, timeZone())

/** A day of the venue, `2026-11-22`: today, or some days later or earlier. */
export const localDay = (days = 0): string => addDays(toLocalTime(currentTime()).slice(0, 10), days)
