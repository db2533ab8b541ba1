import type { Case } from './cases.ts'
import type { Load } from './load.ts'
import type { Running } from './platform.ts'
import { table } from './table.ts'

/** Memory is looked at so often, in seconds. */
const interval = 15

/** Keeps the service busy for some minutes with everything in turn, and tells what memory it holds meanwhile. */
export async function soak(load: Load, running: Running, cases: readonly Case[], minutes: number) {
  const samples: { seconds: number; requests: number; megabytes: number }[] = []
  const start = performance.now()
  const used = new Map<string, number>()
  let requests = 0
  for (let seconds = 0; seconds < minutes * 60; ) {
    const until = seconds + interval
    while (seconds < until) {
      for (const { name, service } of cases) {
        const first = used.get(name) ?? 1
        const { count } = await load.run({
          ...service,
          port: running.port,
          connections: 8,
          count: 100_000,
          seconds: interval / cases.length / 4,
          first,
        })
        used.set(name, first + count)
        requests += count
      }
      seconds = (performance.now() - start) / 1000
    }
    samples.push({ seconds, requests, megabytes: await running.memory() })
  }
  return samples
}

export function printSoak(samples: Awaited<ReturnType<typeof soak>>): void {
  console.log('\nmemory of workerd, the storages included, under load\n')
  table(
    ['minutes', 'requests', 'MB'],
    samples.map(({ seconds, requests, megabytes }) => [
      (seconds / 60).toFixed(1),
      requests.toLocaleString('en'),
      megabytes.toFixed(0),
    ]),
  )
}
