import { ApiError } from '../../platform/errors.ts'

/** Requests of one isolate that may wait for one object, how long each waits, and how long one may keep the others waiting. */
export const objectLockLimits = { waiting: 100, waitMs: 10_000, holdMs: 10_000 } as const

/** Attempts of one write. Only other isolates and lagging replicas make one fail: writes of the same isolate take turns. */
export const maxWriteAttempts = 5
/** Longest pause before the second attempt, in milliseconds. It doubles with each attempt. */
const firstPauseMs = 50

/** How often a request looks whether its turn has come, in milliseconds: for each request before it, and at most. */
const lookEvery = { turnMs: 4, maxMs: 200 } as const

/** The error of a write that cannot be made at the moment because of others. */
export const busy = () =>
  new ApiError('busy', 'Too many requests are changing this object at once. Try again.', [], { 'retry-after': '1' })

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Waits before a write is attempted again: a random time, so that isolates that collided once do not collide again. */
export const pauseAfter = (attempt: number) => pause(Math.random() * firstPauseMs * 2 ** attempt)

/** The requests that want one object, in order; the first one holds the lock. */
interface Lock {
  turns: symbol[]
  heldSinceMs: number
}

/** By key, the one that is held longest first. */
const locks = new Map<string, Lock>()

/** Number of objects that are locked. */
export const lockCount = () => locks.size

/** Removes a turn from the queue. The first turn that is left holds the lock from now on. */
function leave(key: string, lock: Lock, turn: symbol | undefined) {
  const place = turn === undefined ? -1 : lock.turns.indexOf(turn)
  if (place >= 0) lock.turns.splice(place, 1)
  if (place !== 0 || locks.get(key) !== lock) return
  locks.delete(key)
  lock.heldSinceMs = Date.now()
  if (lock.turns.length > 0) locks.set(key, lock)
}

/** Ends the turns of requests that ended without releasing the lock. Locks that are held longest come first, so few are read. */
function endAbandoned() {
  for (const [key, lock] of locks) {
    if (Date.now() - lock.heldSinceMs <= objectLockLimits.holdMs) return
    leave(key, lock, lock.turns[0])
  }
}

/**
 * Runs `work` while no other request of this isolate does the same for the same key; `hasWaited` is whether another one went
 * before. Prevents lost races, which cost round trips. It does not replace the condition on the version: other isolates have locks
 * of their own. Throws `busy` when too many wait, or for too long.
 *
 * Each request looks for its turn with a timer of its own. A promise that another request resolves would do without, but workerd
 * may end a request that waits for one as hung.
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
    // A turn that was ended because it took too long goes on: only the lock is lost.
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
