import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { limiterPauseMs, rateLimits } from '../../src/platform/http/rate-limit.ts'
import type { createTestWorker } from './test-worker.ts'

/** Calls `make` with 0 to `count` - 1 concurrently. */
export const many = <Value>(count: number, make: (index: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

/** Returns each status of the responses once. */
export const statusesOf = (responses: readonly { status: number }[]) => [
  ...new Set(responses.map(({ status }) => status)),
]

/** Creates visitors of a Worker. Each has an address in `network`, such as `203.0.113`, which only one test file uses. */
export function createVisitors(worker: ReturnType<typeof createTestWorker>, network: string) {
  let addresses = 0
  function createVisitor() {
    const address = `${network}.${++addresses}`
    const request = (path: string, headers: Record<string, string> = {}) =>
      worker.fetch(path, { headers: { 'cf-connecting-ip': address, ...headers } })
    const withKey = (path: string, key: string) => request(path, { authorization: `Bearer ${key}` })
    return { address, request, withKey }
  }
  return {
    createVisitor,
    /** Creates a visitor whose address exceeds the limit on misses, which the isolate knows for a minute. */
    async createLimitedVisitor() {
      const visitor = createVisitor()
      const miss = async () => {
        await many(rateLimits.MISSES.limit * 2, async () => env.MISSES?.limit({ key: visitor.address }))
        return (await visitor.request('/t/not%20a%20code')).status
      }
      // Repeats it if a period ended in between, or if the limiter responded late on a busy machine.
      await expect.poll(miss, { interval: limiterPauseMs }).toBe(429)
      worker.used()
      return visitor
    },
    /** Returns a code that no tag has, another one for each visitor and index. */
    unknownCode: (index: number) => `${addresses}`.padStart(4, '0') + String(index).padStart(12, '0'),
    /** Returns what the requests since the last call cost, including their work after the response. */
    async used() {
      await worker.settle()
      return worker.used()
    },
  }
}
