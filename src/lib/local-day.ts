/** Budget for formats of time zones, in bytes, and about what the runtime takes for one of them. */

import { ByteCache } from './byte-cache.ts'

export const formatMemoryBytes = 4 * 1024 * 1024
const formatBytes = 64 * 1024
const dayFormats = new ByteCache<Intl.DateTimeFormat>(formatMemoryBytes, () => formatBytes)

/** One message with a time zone that this runtime does not know must not keep others from being counted. */
function createDayFormat(timezone: string): Intl.DateTimeFormat {
  const options = { dateStyle: 'short' } as const
  try {
    return new Intl.DateTimeFormat('en-CA', { ...options, timeZone: timezone })
  } catch {
    return new Intl.DateTimeFormat('en-CA', { ...options, timeZone: 'UTC' })
  }
}

/** The day of a moment by a venue's clock, as YYYY-MM-DD. */
export function toLocalDay(ms: number, timezone: string): string {
  let format = dayFormats.get(timezone)
  if (!format) {
    format = createDayFormat(timezone)
    dayFormats.set(timezone, format)
  }
  return format.format(ms)
}
