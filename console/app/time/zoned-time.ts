import { session } from '../session.ts'
import { addDays, fromZonedTime, toZonedTime } from './zoned-clock.ts'

const timeZone = () => session.value?.merchant.timezone

/** A time by the clock of the venue, in the format of fields for dates and times. */
export const toLocalTime = (seconds: number) => toZonedTime(seconds, timeZone())

/** Seconds since 1970-01-01 UTC of a time by the clock of the venue. Undefined if it is not a time. */
export const fromLocalTime = (text: string) => fromZonedTime(text, timeZone())

/** A day of the venue, `2026-11-22`: today, or some days later or earlier. */
export const localDay = (days = 0): string => addDays(toLocalTime(Date.now() / 1000).slice(0, 10), days)
