import { timedOut, withTimeout } from '../../platform/lib/timeout.ts'

/** How long a request waits for another request's work before it does the work itself, in milliseconds. */
const sharedWorkTimeoutMs = 5_000

/**
 * Deduplicates work that several requests of one isolate need at the same time. `later` (`waitUntil`) keeps the work alive after the
 * request that started it ends. If the work is lost, the waiting requests do it themselves.
 */
export class SharedWork<Value> {
  readonly #running = new Map<string, Promise<Value>>()

  async run(key: string, later: (work: Promise<unknown>) => void, make: () => Promise<Value>): Promise<Value> {
    const running = this.#running.get(key)
    if (running) {
      const value = await withTimeout(sharedWorkTimeoutMs, running)
      if (value !== timedOut) return value
    }
    const started = make()
    this.#running.set(key, started)
    const done = () => {
      if (this.#running.get(key) === started) this.#running.delete(key)
    }
    later(started.then(done, done))
    return started
  }
}
