import { vi } from 'vitest'
import { databaseClock } from '../../src/platform/db/database.ts'

/** The time by which the database is moved so that it has the time of vitest's timers. A clock that stands shows the begin of its second. */
const getShiftMs = () => {
  const [real, now] = [vi.getRealSystemTime(), Date.now()]
  return vi.isFakeTimers() || Math.abs(now - real) > 500 ? Math.floor(now / 1000) * 1000 - real : 0
}

export const followTimers = () => `${getShiftMs() / 1000} seconds`

/** Runs work whose transactions start some seconds after the request read the clock. */
export async function withLateDatabase<Result>(seconds: number, work: () => Promise<Result>): Promise<Result> {
  databaseClock.shift = () => `${getShiftMs() / 1000 + seconds} seconds`
  try {
    return await work()
  } finally {
    databaseClock.shift = followTimers
  }
}
