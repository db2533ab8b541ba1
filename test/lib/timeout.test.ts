import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SharedTimeout, timedOut } from '../../src/lib/timeout.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
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
  const timeout = new SharedTimeout(1_000)
  const first = createCall(timeout)
  await vi.advanceTimersByTimeAsync(400)
  const second = createCall(timeout)
  const third = createCall(timeout)
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(599)
  expect([first.result(), second.result(), third.result()]).toEqual([undefined, undefined, undefined])
  await vi.advanceTimersByTimeAsync(1)
  expect([first.result(), second.result(), third.result()]).toEqual([timedOut, undefined, undefined])
  expect(vi.getTimerCount()).toBe(1)
  third.resolve('in time')
  await vi.advanceTimersByTimeAsync(399)
  expect([second.result(), third.result()]).toEqual([undefined, 'in time'])
  await vi.advanceTimersByTimeAsync(1)
  expect([second.result(), third.result()]).toEqual([timedOut, 'in time'])
  expect(vi.getTimerCount()).toBe(0)
})

test('a call after the timer has fired starts another one', async () => {
  const timeout = new SharedTimeout(1_000)
  const first = createCall(timeout)
  const error = new Error('failed')
  first.reject(error)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(first.result()).toBe(error)
  expect(vi.getTimerCount()).toBe(0)
  const second = createCall(timeout)
  await vi.advanceTimersByTimeAsync(999)
  expect(second.result()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(second.result()).toBe(timedOut)
})
