import { ByteCache } from './byte-cache.ts'

/** Length of a day in seconds. Ignores clock changes. */
export const daySeconds = 86_400

/** The last second of the year 9999. `Date` writes later years with more than four digits. */
export const maxSeconds = 253_402_300_799

/** Budget of the cached formats, in bytes. */
const formatMemoryBytes = 4 * 1024 * 1024
/** Approximate size of one format in the runtime, in bytes. */
const formatBytes = 64 * 1024
const formats = new ByteCache<Intl.DateTimeFormat>(formatMemoryBytes, () => formatBytes)

/** A format that is created once for a key. Creating one takes longer than the rest of a quote. */
export function cacheFormat(key: string, create: () => Intl.DateTimeFormat): Intl.DateTimeFormat {
  const cached = formats.get(key)
  if (cached) return cached
  const created = create()
  formats.set(key, created)
  return created
}

/** Uses UTC for a time zone that the runtime does not know, so that one such message does not fail its batch. */
function createFormat(timezone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-CA', { ...options, timeZone: timezone })
  } catch {
    return new Intl.DateTimeFormat('en-CA', { ...options, timeZone: 'UTC' })
  }
}

/** The local date of a time, as YYYY-MM-DD. */
export function toLocalDay(ms: number, timezone: string): string {
  return cacheFormat(`day ${timezone}`, () => createFormat(timezone, { dateStyle: 'short' })).format(ms)
}

/** The local hour of a time, from 0 to 23. */
export function toLocalHour(ms: number, timezone: string): number {
  const options = { hour: '2-digit', hourCycle: 'h23' } as const
  return Number(cacheFormat(`hour ${timezone}`, () => createFormat(timezone, options)).format(ms))
}

/** Whether a text is the name of an IANA time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
