import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ByteBudget, leaseLife, roomWait } from '../../../../src/platform/http/bodies/byte-budget.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Starts to hold, and tells how it ends. */
function start(holding: Promise<void>) {
  const state = { ended: 'waiting' }
  holding.then(
    () => {
      state.ended = 'held'
    },
    (error: unknown) => {
      state.ended = error instanceof Error && 'code' in error ? String(error.code) : 'failed'
    },
  )
  return state
}

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('what does not fit waits until there is room', async () => {
  const budget = new ByteBudget(100, 100)
  const [first, second] = [budget.open('a'), budget.open('b')]
  await first.hold(80)
  const state = start(second.hold(30))
  await wait(1_000)
  expect([state.ended, budget.bytes]).toEqual(['waiting', 80])
  first.close()
  await wait(roomWait.pauseMs)
  expect([state.ended, budget.bytes, budget.leases]).toEqual(['held', 30, 1])
  await second.hold(10)
  expect(budget.bytes).toBe(10)
})

test('a request waits 5 seconds at most, then 503 with Retry-After', async () => {
  const budget = new ByteBudget(100, 100)
  await budget.open('a').hold(80)
  const refused = budget.open('b').hold(30)
  refused.catch(() => undefined)
  await wait(roomWait.maxMs - 1_000)
  const state = start(refused)
  await wait(0)
  expect(state.ended).toBe('waiting')
  await wait(1_000)
  await expect(refused).rejects.toMatchObject({ code: 'busy', headers: { 'retry-after': '5' } })
  expect(budget.bytes).toBe(80)
})

test('a holder has at most its share, and others have the rest', async () => {
  const budget = new ByteBudget(100, 60)
  await budget.open('a').hold(50)
  const state = start(budget.open('a').hold(20))
  await budget.open('b').hold(50)
  await wait(0)
  expect([state.ended, budget.bytes]).toEqual(['waiting', 100])
})

test('of requests that grow together, the oldest always ends', async () => {
  const budget = new ByteBudget(100, 100)
  const leases = Array.from({ length: 8 }, () => budget.open('a', 60))
  let ended = 0
  let most = 0
  const grow = async (lease: (typeof leases)[number]) => {
    for (let bytes = 10; bytes <= 60; bytes += 10) {
      await lease.hold(bytes)
      most = Math.max(most, budget.bytes)
      await Promise.resolve()
    }
    lease.close()
    ended++
  }
  const all = Promise.all(leases.map(grow))
  await wait(roomWait.maxMs)
  await all
  expect([ended, budget.bytes]).toEqual([8, 0])
  expect(most).toBeLessThanOrEqual(100)
})

test('the memory of a request that ended without closing its lease is free after a while', async () => {
  const budget = new ByteBudget(100, 100)
  const lost = budget.open('a')
  await lost.hold(100)
  // The timers of a request end with its abort.
  vi.clearAllTimers()
  const early = start(budget.open('b').hold(10))
  await wait(roomWait.maxMs + roomWait.pauseMs)
  expect(early.ended).toBe('busy')
  await wait(leaseLife.lapseMs)
  const late = start(budget.open('b').hold(10))
  await wait(0)
  expect([late.ended, budget.bytes]).toEqual(['held', 10])
})

test('a request that lives keeps its memory, however long it takes', async () => {
  const budget = new ByteBudget(100, 100)
  await budget.open('a').hold(100)
  await wait(10 * leaseLife.lapseMs)
  const state = start(budget.open('b').hold(10))
  await wait(roomWait.maxMs + roomWait.pauseMs)
  expect(state.ended).toBe('busy')
})
