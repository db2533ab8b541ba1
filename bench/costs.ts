import * as z from 'zod'
import type { BenchRequest, Case } from './cases.ts'
import type { Running } from './platform.ts'
import { deletable } from './seed.ts'
import { table } from './table.ts'

const counts = z.object({
  trips: z.number(),
  rowsRead: z.number(),
  rowsWritten: z.number(),
  kvReads: z.number(),
  kvWrites: z.number(),
  messages: z.number(),
  points: z.number(),
})
export type Counts = z.output<typeof counts>

/** Prices in dollars per million beyond the paid plan's allowance; docs/scale.md names their sources. */
export const prices = {
  request: 0.3,
  rowsRead: 0.001,
  rowsWritten: 1,
  kvReads: 0.5,
  kvWrites: 5,
  /** A message is written, read and deleted: three operations. */
  messages: 3 * 0.4,
  points: 0.25,
} as const

/** Sends one request to `counter.ts` and returns its counts, which do not depend on the machine. */
export async function countRequest(
  { port }: Running,
  { method, path, headers, body, expected }: BenchRequest,
): Promise<Counts> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  if (response.status !== expected) throw new Error(`${method} ${path} returned ${response.status}: ${text}`)
  return counts.parse(JSON.parse(response.headers.get('bench-counts') ?? '{}'))
}

const numbered = (text: string, n: number) =>
  text.replace(/\{[ni](\d*)\}/g, (_, digits: string) => String(n).padStart(Number(digits) || 1, '0'))

/** Costs of each operation in an isolate that has cached the key and the signing secret. */
export async function measureCosts(running: Running, cases: readonly Case[]) {
  const costs: { name: string; counts: Counts; dollars: number }[] = []
  for (const each of cases) {
    const { service } = each
    const request = (n: number) =>
      countRequest(running, {
        ...service,
        path: numbered(service.path, n),
        body: service.body === undefined ? undefined : numbered(service.body, n),
      })
    const first = service.method === 'DELETE' ? deletable : 1
    await request(first)
    const counted = await request(first + 1)
    let dollars: number = prices.request
    for (const name of ['rowsRead', 'rowsWritten', 'kvReads', 'kvWrites', 'messages', 'points'] as const) {
      dollars += counted[name] * prices[name]
    }
    costs.push({ name: each.name, counts: counted, dollars })
  }
  return costs
}

export function printCosts(costs: Awaited<ReturnType<typeof measureCosts>>): void {
  console.log('\nstorage operations of a request, and the price of a million requests without CPU time\n')
  table(
    ['', 'D1 trips', 'rows read', 'rows written', 'KV reads', 'KV writes', 'messages', 'points', '$ per million'],
    costs.map(({ name, counts, dollars }) => [name, ...Object.values(counts).map(String), dollars.toFixed(2)]),
  )
}
