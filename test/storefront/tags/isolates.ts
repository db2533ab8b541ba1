import { vi } from 'vitest'
import { loadCopy } from '../../support/module-copy.ts'

/** A Worker whose memory is empty. */
export const createIsolate = async () => (await loadCopy(() => import('../../../src/app/app.ts'))).serve
/**
 * The result of some work, and the delays in milliseconds of the timers that fired before it was there. With `speed` they fire
 * that many times as early; those of ten seconds or more, of the database and of the test plugin, do not.
 */
export async function withDelays<Value>(work: () => Promise<Value>, speed = 1): Promise<[Value, number[]]> {
  const delays: number[] = []
  const set = globalThis.setTimeout
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation((callback: () => void, delay = 0) =>
    set(
      () => {
        delays.push(delay)
        callback()
      },
      delay < 10_000 ? delay / speed : delay,
    ),
  )
  const result = await work()
  spy.mockRestore()
  return [result, delays]
}
