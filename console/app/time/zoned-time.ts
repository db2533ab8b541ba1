import { session } from '../session.ts'
import { fromZonedTime, toZonedTime } from './zoned-clock.ts'

const timeZone = () => session.value?.merchant.timezone

/** A time by the clock of the venue, in the format of fields for dates and times. */
export const toLocalTime = (seconds: number) => toZonedTime(seconds, timeZone())

/** Seconds since 1970-01-01 UTC of a time by the clock of the venue. Undefined if it is not a time. */
export const fromLocalTime = (text: string) => fromZonedTime(text, timeZone())
