import { ApiError } from '../../platform/errors.ts'
import { invalidParameter } from '../../platform/http/pagination.ts'
import { daySeconds } from '../../platform/lib/day.ts'
import { createIdAt, getCreationMs, getIdForm } from '../../platform/lib/ids.ts'
import { retentionDays } from '../retention.ts'

const retentionMs = retentionDays * daySeconds * 1000
const eventId = new RegExp(`^${getIdForm('evt')}$`)
/** An id of `createIdAt`. */
const mark = /^evt_[0-9a-hjkmnp-tv-z]{10}0{16}$/

const isExpired = (id: string, nowMs: number) => getCreationMs(id) < nowMs - retentionMs

/** A position behind an empty log: the smallest id of the present time, which no event has. All events of the log come after it. */
export const createEmptyLogMark = (nowMs: number) => createIdAt('evt', nowMs)

/** Whether a position is that of an empty log, and no event has expired since. */
export const isEmptyLogMark = (after: string, nowMs: number) => mark.test(after) && !isExpired(after, nowMs)

/** The error for a position that the log does not contain: `410` if events after it have expired, else `422`. */
export const createPositionError = (after: string, nowMs: number): ApiError =>
  eventId.test(after) && isExpired(after, nowMs)
    ? new ApiError(
        'events_expired',
        `The event is older than ${retentionDays} days, so events after it may be missing. Read all objects again, then continue with after=latest.`,
      )
    : invalidParameter('after', 'invalid_value', `is not the id of an event of the last ${retentionDays} days`)
