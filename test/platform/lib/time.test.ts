import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest'
import { SharedTimeout, timedOut } from '../../../src/platform/lib/time.ts'

/** Times that nothing else waits for, in milliseconds: messages of earlier files may start timers during the test. */
const timeoutMs = 1_009
/** Time between the first and the second call, in milliseconds. */
const lateMs = 401
let started: MockInstance<typeof setTimeout>
/** Times of the timers that the calls of a test have started, in milliseconds. */
const listTimers = () => started.mock.calls.map(([, ms]) => ms).filter((ms) => ms === timeoutMs || ms === lateMs)

beforeEach(() => {
  vi.useFakeTimers()
  started = vi.spyOn(globalThis, 'setTimeout')
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** A promise that is resolved by hand, with its state in the timeout. */
function createCall(timeout: SharedTimeout) {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let result: unknown
  timeout.run(promise).then(
    (value) => {
      result = value
    },
    (error) => {
      result = error
    },
  )
  return { resolve, reject, result: () => result }
}

test('each call has the whole time, on one timer', async () => {
  const timeout = new SharedTimeout(timeoutMs)
  const first = createCall(timeout)
  await vi.advanceTimersByTimeAsync(lateMs)
  const second = createCall(timeout)
  const third = createCall(timeout)
  expect(listTimers()).toEqual([timeoutMs])
  await vi.advanceTimersByTimeAsync(timeoutMs - lateMs - 1)
  expect([first.result(), second.result(), third.result()]).toEqual([undefined, undefined, undefined])
  await vi.advanceTimersByTimeAsync(1)
  expect([first.result(), second.result(), third.result()]).toEqual([timedOut, undefined, undefined])
  // The second call waits for the rest of its time.
  expect(listTimers()).toEqual([timeoutMs, lateMs])
  third.resolve('in time')
  await vi.advanceTimersByTimeAsync(lateMs - 1)
  expect([second.result(), third.result()]).toEqual([undefined, 'in time'])
  await vi.advanceTimersByTimeAsync(1)
  expect([second.result(), third.result()]).toEqual([timedOut, 'in time'])
  expect(listTimers()).toEqual([timeoutMs, lateMs])
})

test('a call after the timer has fired starts another one', async () => {
  const timeout = new SharedTimeout(timeoutMs)
  const first = createCall(timeout)
  const error = new Error('failed')
  first.reject(error)
  await vi.advanceTimersByTimeAsync(timeoutMs)
  expect(first.result()).toBe(error)
  expect(listTimers()).toEqual([timeoutMs])
  const second = createCall(timeout)
  expect(listTimers()).toEqual([timeoutMs, timeoutMs])
  await vi.advanceTimersByTimeAsync(timeoutMs - 1)
  expect(second.result()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(second.result()).toBe(timedOut)
})
