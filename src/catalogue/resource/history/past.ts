import type { Context } from 'hono'
import { ApiError } from '../../../platform/errors.ts'
import { wholeNumber } from '../../../platform/http/fields/query-parameters.ts'
import { invalidParameter } from '../../../platform/http/pagination.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import { maxReadBack } from './history-statements.ts'

/** How long the log of events, and with it the history, goes back, in days. */
export const historyDays = 30
const daySeconds = 86_400

/** The problem of a time before the history begins. */
export const historyExpired = () =>
  new ApiError(
    'events_expired',
    `The history goes back ${historyDays} days, and to the release that began to record it.`,
  )

/** The problem of a time that too many events separate from the present. `of` says whose. */
export const tooManyEvents = (of: string) =>
  invalidParameter(
    'at',
    'too_many',
    `is too far back: ${of} has more than ${maxReadBack.toLocaleString('en')} events since`,
  )

/** A time in seconds for which the history can tell. Throws for the future, and for times that no event tells about. */
export function getPastTime(at: number): number {
  const now = nowInSeconds()
  if (at > now) throw invalidParameter('at', 'invalid_value', 'must not be in the future')
  if (at < now - historyDays * daySeconds) throw historyExpired()
  return at
}

/** The time of a request for the past, in seconds. Throws like `getPastTime`. */
export function readPast(c: Context): number {
  const [given = '', ...others] = c.req.queries('at') ?? []
  const read = wholeNumber.safeParse(given)
  if (!read.success || others.length > 0) {
    throw invalidParameter('at', 'invalid_value', 'must be a time in whole seconds since 1970-01-01 UTC')
  }
  const at = getPastTime(read.data)
  if (c.req.query('include') !== undefined) {
    throw invalidParameter('include', 'conflict', 'must not be given with at')
  }
  return at
}
