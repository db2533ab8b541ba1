import { timedOut, withTimeout } from './timeout.ts'

/** How long a request waits for work that another request has started, in milliseconds; then it does the work itself. */
export const sharedWorkTimeoutMs = 5_000

/**
 * Work that several requests of one isolate need at the same time, done once. `later` (`waitUntil`) keeps it alive when the request
 * that started it ends early; should it be lost all the same, those that wait do it themselves.
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
