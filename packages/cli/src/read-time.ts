import { UsageError } from './errors/usage-error.ts'

/** A time as seconds since 1970: seconds, or an ISO 8601 time with its offset. */
export function readTime(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  const hasOffset = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text)
  const ms = hasOffset ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms)) {
    throw new UsageError('The time must be seconds since 1970, or a time with its offset: 2027-10-01T06:00:00+02:00.')
  }
  return Math.floor(ms / 1000)
}
