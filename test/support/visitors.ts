import { env } from 'cloudflare:workers'
import { rateLimits } from '../../src/http/rate-limit.ts'
import type { createEdge } from './kv.ts'

/** Calls `make` with 0 to `count` - 1 concurrently. */
export const many = <Value>(count: number, make: (index: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

/** Returns each status of the responses once. */
export const statusesOf = (responses: readonly { status: number }[]) => [
  ...new Set(responses.map(({ status }) => status)),
]

/** Creates visitors of an edge. Each has an address in `network`, such as `203.0.113`, which only one test file uses. */
export function createVisitors(edge: ReturnType<typeof createEdge>, network: string) {
  let addresses = 0
  function createVisitor() {
    const address = `${network}.${++addresses}`
    const ask = (path: string, headers: Record<string, string> = {}) =>
      edge.fetch(path, { headers: { 'cf-connecting-ip': address, ...headers } })
    const withKey = (path: string, key: string) => ask(path, { authorization: `Bearer ${key}` })
    return { address, ask, withKey }
  }
  return {
    createVisitor,
    /** Creates a visitor whose address exceeds the limit on misses. */
    async createLimitedVisitor() {
      const visitor = createVisitor()
      await many(rateLimits.MISSES.limit * 2, async () => env.MISSES?.limit({ key: visitor.address }))
      await visitor.ask('/t/not%20a%20code')
      edge.used()
      return visitor
    },
    /** Returns a code that no tag has, another one for each visitor and index. */
    unknownCode: (index: number) => `${addresses}`.padStart(4, '0') + String(index).padStart(12, '0'),
    /** Returns what the requests since the last call cost, including their work after the response. */
    async used() {
      await edge.settle()
      return edge.used()
    },
  }
}
