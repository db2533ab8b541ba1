import { daySeconds } from '../platform/lib/day.ts'
import { delays } from '../platform/outbox/retry-delays.ts'

/** Maximum deviation of a delay from the schedule, as a fraction. Spreads the retries of deliveries that failed together. */
export const jitter = 0.2
/** Maximum `Retry-After` in seconds. Longer values are reduced to it. */
export const maxRetryAfter = daySeconds

/** The seconds of a `Retry-After` that count. 0 without the header. */
export const limitRetryAfter = (retryAfter = 0) => Math.min(retryAfter, maxRetryAfter)

/** Returns the seconds until the next attempt after `failed` failed ones; undefined after the last. `random` is from 0 to 1. */
export function getNextDelay(failed: number, random: number, retryAfter?: number): number | undefined {
  const delay = delays[failed]
  if (delay === undefined) return undefined
  return Math.max(Math.round(delay * (1 + jitter * (2 * random - 1))), limitRetryAfter(retryAfter))
}

/** The three date formats of HTTP (RFC 9110, 5.6.7). `Date.parse` alone also accepts "Tomorrow 2099". */
const httpDate =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/

/** Returns the seconds of a `Retry-After` header (RFC 9110, 10.2.3), a number or a date. Undefined for other values and past dates. */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  const value = header?.trim() ?? ''
  if (/^\d{1,15}$/.test(value)) return Number(value)
  const date = httpDate.test(value) ? Date.parse(value.endsWith('GMT') ? value : `${value} GMT`) : Number.NaN
  return date > nowMs ? Math.ceil((date - nowMs) / 1000) : undefined
}
