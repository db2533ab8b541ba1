/** A time in whole seconds. */
export const toSeconds = (ms: number) => Math.floor(ms / 1000)

/** The current time in whole seconds since 1970-01-01 UTC. */
export const nowInSeconds = () => toSeconds(Date.now())

/** Result of `withTimeout` after a timeout. */
export const timedOut = Symbol('timedOut')

/** Resolves with the promise's value, or with `timedOut` after `ms` milliseconds. The work itself continues. */
export const withTimeout = <Value>(ms: number, promise: Promise<Value>) =>
  new Promise<Value | typeof timedOut>((resolve, reject) => {
    const timer = setTimeout(() => resolve(timedOut), ms)
    promise.then(resolve, reject).then(() => clearTimeout(timer))
  })

/** Maximum time that work waits for a queue, in milliseconds. */
const queueTimeoutMs = 5_000

/** Waits until a queue has taken messages. Throws if it rejects them, or does not respond within 5 seconds. */
export async function requireSent(sending: Promise<unknown>): Promise<void> {
  if ((await withTimeout(queueTimeoutMs, sending)) === timedOut)
    throw new Error(`no response within ${queueTimeoutMs} ms`)
}

interface Call {
  startedMs: number
  expire: () => void
}

/**
 * `withTimeout` for all calls of one request. They share one timer, which is never stopped: the runtime drops it with the request. Starting and
 * stopping a timer for each call takes several percent of a request's CPU time.
 */
export class SharedTimeout {
  readonly #ms: number
  /** Pending calls, oldest first. */
  readonly #calls = new Set<Call>()
  #isArmed = false

  constructor(ms: number) {
    this.#ms = ms
  }

  run<Value>(promise: Promise<Value>): Promise<Value | typeof timedOut> {
    return new Promise((resolve, reject) => {
      const call = { startedMs: Date.now(), expire: () => resolve(timedOut) }
      this.#calls.add(call)
      if (!this.#isArmed) this.#arm(call)
      promise.then(
        (value) => {
          this.#calls.delete(call)
          resolve(value)
        },
        (error) => {
          this.#calls.delete(call)
          reject(error)
        },
      )
    })
  }

  /** Starts the timer for the oldest call. */
  #arm(oldest: Call) {
    this.#isArmed = true
    const leftMs = Math.min(this.#ms, oldest.startedMs + this.#ms - Date.now())
    setTimeout(() => {
      this.#isArmed = false
      for (const call of this.#calls) {
        if (call.startedMs > oldest.startedMs) return this.#arm(call)
        this.#calls.delete(call)
        call.expire()
      }
    }, leftMs)
  }
}
