import { delays } from '../outbox/retry-delays.ts'

/** By how much a delay may differ from the schedule, so that what failed together does not come back together. */
export const jitter = 0.2
/** A `Retry-After` that asks for more, in seconds, is taken for this. */
export const maxRetryAfter = 86_400

/** Seconds until the attempt after `failed` failed ones; undefined when there is none. `random` is from 0 to 1. */
export function getNextDelay(failed: number, random: number, retryAfter = 0): number | undefined {
  const delay = delays[failed]
  if (delay === undefined) return undefined
  return Math.max(Math.round(delay * (1 + jitter * (2 * random - 1))), Math.min(retryAfter, maxRetryAfter))
}

/** The three forms of a date in HTTP (RFC 9110, 5.6.7). `Date.parse` alone finds a date in "Tomorrow 2099" as well. */
const httpDate =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/

/** Seconds that a `Retry-After` header asks for (RFC 9110, 10.2.3): a number or a date; undefined for anything else and for the past. */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  const asked = header?.trim() ?? ''
  if (/^\d{1,15}$/.test(asked)) return Number(asked)
  const date = httpDate.test(asked) ? Date.parse(asked.endsWith('GMT') ? asked : `${asked} GMT`) : Number.NaN
  return date > nowMs ? Math.ceil((date - nowMs) / 1000) : undefined
}
