import { createClient } from '../packages/client/src/client.ts'
import { createLoad } from './load.ts'
import type { Running } from './platform.ts'
import type { Merchant } from './seed.ts'

/** Requests a second that another merchant sends during an import. */
const neighbourRate = 20

export const connect = ({ port }: Running, { id, key }: Merchant) =>
  createClient({ origin: `http://127.0.0.1:${port}`, merchantId: id, key, timeoutMs: 120_000 })

export async function measureSeconds(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return (performance.now() - startMs) / 1_000
}

/** Median latency of another merchant's retrieves in milliseconds, while `busy` runs or for some seconds. */
export async function measureNeighbour(
  running: Running,
  { id, key }: Merchant,
  object: string,
  busy?: Promise<unknown>,
) {
  const load = createLoad()
  const latencies: number[] = []
  let isOver = false
  void busy?.finally(() => {
    isOver = true
  })
  const seconds = 2
  try {
    do {
      const { p50 } = await load.run({
        port: running.port,
        method: 'GET',
        path: `/merchants/${id}/products/${object}`,
        headers: { authorization: `Bearer ${key}` },
        expected: 200,
        connections: 1,
        count: seconds * neighbourRate,
        seconds,
        first: 1,
        rate: neighbourRate,
      })
      latencies.push(p50)
    } while (busy && !isOver)
  } finally {
    load.close()
  }
  return latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length / 2)] ?? 0
}
