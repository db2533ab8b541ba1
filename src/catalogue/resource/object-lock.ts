import { ApiError } from '../../platform/errors.ts'

/** Maximum number of requests of one isolate that wait for one object, maximum wait of each, and maximum time that one holds the lock. */
export const objectLockLimits = { waiting: 100, waitMs: 10_000, holdMs: 10_000 } as const

/**
 * Maximum number of attempts of one write. Only other isolates and stale replicas make an attempt fail, because writes of one isolate run in
 * sequence.
 */
export const maxWriteAttempts = 5
/** Maximum pause before the second attempt, in milliseconds. It doubles with each attempt. */
const firstPauseMs = 50

/** Interval between two checks of a waiting request, in milliseconds: per request before it, and maximum. */
const lookEvery = { turnMs: 4, maxMs: 200 } as const

/** The error of a write that concurrent writes prevent. */
export const busy = () =>
  new ApiError('busy', 'Too many requests are changing this object at once. Try again.', [], { 'retry-after': '1' })

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Waits a random time before another attempt, so that two isolates do not collide again. */
export const pauseAfter = (attempt: number) => pause(Math.random() * firstPauseMs * 2 ** attempt)

/** The requests for one object, in order. The first one holds the lock. */
interface Lock {
  turns: symbol[]
  heldSinceMs: number
}

/** Locks by key, oldest first. */
const locks = new Map<string, Lock>()

/** Number of objects that are locked. */
export const lockCount = () => locks.size

/** Removes a turn from the queue. The first remaining turn now holds the lock. */
function leave(key: string, lock: Lock, turn: symbol | undefined) {
  const place = turn === undefined ? -1 : lock.turns.indexOf(turn)
  if (place >= 0) lock.turns.splice(place, 1)
  if (place !== 0 || locks.get(key) !== lock) return
  locks.delete(key)
  lock.heldSinceMs = Date.now()
  if (lock.turns.length > 0) locks.set(key, lock)
}

/** Ends the turns of requests that ended without releasing the lock. Reads few locks, because the oldest come first. */
function endAbandoned() {
  for (const [key, lock] of locks) {
    if (Date.now() - lock.heldSinceMs <= objectLockLimits.holdMs) return
    leave(key, lock, lock.turns[0])
  }
}

/**
 * Runs `work` while no other request of this isolate runs work for the same key; `hasWaited` says whether the request waited for another one.
 * Prevents lost races, which cost round trips. It does not replace the condition on the version: other isolates have their own locks. Throws `busy`
 * if too many requests wait, or one waits too long.
 *
 * Each request checks with its own timer whether it holds the lock. A promise of another request would need no timer, but workerd may end a request
 * that waits for it as hung.
 */
export async function withObjectLock<Value>(key: string, work: (hasWaited: boolean) => Promise<Value>): Promise<Value> {
  endAbandoned()
  const lock = locks.get(key) ?? { turns: [], heldSinceMs: Date.now() }
  if (lock.turns.length > objectLockLimits.waiting) throw busy()
  locks.set(key, lock)
  const turn = Symbol()
  const hasWaited = lock.turns.push(turn) > 1
  const endMs = Date.now() + objectLockLimits.waitMs
  try {
    // If a turn takes too long, it loses the lock, but its work continues.
    for (let place = lock.turns.indexOf(turn); place > 0; place = lock.turns.indexOf(turn)) {
      if (Date.now() >= endMs) throw busy()
      await pause(Math.min(place * lookEvery.turnMs, lookEvery.maxMs))
      endAbandoned()
    }
    return await work(hasWaited)
  } finally {
    leave(key, lock, turn)
  }
}
