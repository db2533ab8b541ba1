import type { Arms, Case } from './cases.ts'
import { heapMegabytes } from './heap.ts'
import type { Load } from './load.ts'
import { table } from './table.ts'

/** Time between two measurements of memory, in seconds. */
const interval = 15

/** Loads the service and the control in turn for some minutes and samples the memory of each. */
export async function soak(load: Load, running: Arms, cases: readonly Case[], minutes: number) {
  const samples: { arm: keyof Arms; minutes: number; requests: number; heap: number; all: number }[] = []
  const comparable = cases.filter(({ maxRequests }) => maxRequests === undefined)
  const start = performance.now()
  const requests = { service: 0, control: 0 }
  const used = new Map<string, number>()
  const passed = () => (performance.now() - start) / 60_000
  while (passed() < minutes) {
    for (const arm of ['service', 'control'] as const) {
      for (const each of comparable) {
        const key = `${arm} ${each.name}`
        const first = used.get(key) ?? 1
        const { count } = await load.run({
          ...each[arm],
          port: running[arm].port,
          connections: 8,
          count: Number.MAX_SAFE_INTEGER,
          seconds: interval / comparable.length,
          first,
        })
        used.set(key, first + count)
        requests[arm] += count
      }
      const { inspector, memory } = running[arm]
      const heap = await heapMegabytes(await inspector(), 'bench')
      samples.push({ arm, minutes: passed(), requests: requests[arm], heap, all: await memory() })
    }
  }
  return samples
}

export function printSoak(samples: Awaited<ReturnType<typeof soak>>): void {
  console.log('\nmemory under load: reachable heap of the isolate, and memory of workerd with its storages\n')
  table(
    ['', 'minutes', 'requests', 'isolate, MB', 'workerd, MB'],
    samples.map(({ arm, minutes, requests, heap, all }) => [
      arm,
      minutes.toFixed(1),
      requests.toLocaleString('en'),
      heap.toFixed(2),
      all.toFixed(0),
    ]),
  )
}
