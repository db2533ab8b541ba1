import { createLoad } from '../load.ts'
import { copy, type Running } from '../platform.ts'
import { createMerchant, fullProduct, type Merchant } from '../seed.ts'
import { median } from '../table.ts'
import type { Operation } from './operation.ts'
import { createServerArm } from './own-server.ts'
import { findPocketBase, startPocketBase } from './pocketbase.ts'
import { createProducts } from './products.ts'

const products = 1_000
const connections = 8

type FilledMerchant = Merchant & { product: string }

/** A server under measurement, and its requests by the name of the operation. */
interface ServerArm {
  port: number
  headers: Record<string, string>
  operations: Readonly<Record<string, Operation>>
}

async function createFilled(running: Running, home: 'd1' | 'object') {
  const merchant = await createMerchant(running, { home })
  await createProducts(merchant, products)
  const { id } = await merchant.post('/products', { ...fullProduct(), sku: 'ONE' })
  return { ...merchant, product: id }
}

/** A request without the address and the headers of its server. */
const operations = {
  retrieve: ({ id, product }) => ({ method: 'GET', path: `/merchants/${id}/products/${product}`, expected: 200 }),
  list: ({ id }) => ({ method: 'GET', path: `/merchants/${id}/products?limit=20`, expected: 200 }),
  create: ({ id }) => ({
    ...{ method: 'POST', path: `/merchants/${id}/products`, expected: 201 },
    body: JSON.stringify(fullProduct()),
  }),
  update: ({ id, product }) => ({
    // Concurrent updates of one product conflict.
    connections: 1,
    ...{ method: 'POST', path: `/merchants/${id}/products/${product}`, expected: 200 },
    body: JSON.stringify({ price: '{n}.5' }),
  }),
  publish: ({ id }) => ({
    ...{ method: 'POST', path: `/merchants/${id}/events`, expected: 202 },
    body: JSON.stringify({ type: 'order.created', data: { orderId: '{n}' } }),
  }),
} satisfies Record<string, (merchant: Omit<FilledMerchant, 'post'>) => Operation>

/** The least that the platform does for a request, by the bare object: without an object, in an object without SQL, and with one inserted row. */
const calls = {
  'constant of the Worker': () => ({ method: 'GET', path: '/constant', expected: 200 }),
  'constant of the object': () => ({ method: 'GET', path: '/call', expected: 200 }),
  'one row': () => ({ method: 'POST', path: '/row', expected: 200 }),
  'one row, 1 connection': () => ({ connections: 1, method: 'POST', path: '/row', expected: 200 }),
} satisfies Record<string, () => Operation>

/**
 * Servers under measurement; `bare` is the control in an object, `server` the one for a machine of one's own, with an object. PocketBase is left out if
 * it is not installed, and in operations that it does not have.
 */
export const servers = ['object', 'bare', 'd1', 'control', 'pocketbase', 'server'] as const
type Server = (typeof servers)[number]
/** The Worker that `begin` starts. */
export type Started = 'service' | 'control' | 'bare'

/** Requests a second of each operation, of each server. Rounds alternate. */
export async function measureRequests(
  folder: string,
  begin: (folder: string, worker: Started) => Promise<Running>,
  effort: { rounds: number; seconds: number; pocketbase?: string | undefined },
) {
  const first = await begin(folder, 'service')
  const [inObject, shared] = [await createFilled(first, 'object'), await createFilled(first, 'd1')]
  await first.stop()
  const program = findPocketBase(effort.pocketbase)
  const pocketbase =
    program === undefined ? undefined : await startPocketBase(program, `${folder}-pocketbase`, products)
  const [forControl, forBare] = [await copy(folder, `${folder}-control`), await copy(folder, `${folder}-bare`)]
  const [service, control, bare] = [
    await begin(folder, 'service'),
    await begin(forControl, 'control'),
    await begin(forBare, 'bare'),
  ]
  const load = createLoad()
  const toOperations = (merchant: Omit<FilledMerchant, 'post'>) =>
    Object.fromEntries(Object.entries(operations).map(([name, create]) => [name, create(merchant)]))
  const ofService = (port: number, { key, ...merchant }: FilledMerchant) => ({
    port,
    headers: { authorization: `Bearer ${key}` },
    operations: toOperations({ key, ...merchant }),
  })
  const withCalls = ({ operations, ...arm }: ServerArm): ServerArm => ({
    ...arm,
    operations: {
      ...operations,
      ...Object.fromEntries(Object.entries(calls).map(([name, create]) => [name, create()])),
    },
  })
  const server = await createServerArm(`${folder}-server`, products, toOperations)
  const arms: Partial<Record<Server, ServerArm>> = {
    object: ofService(service.port, inObject),
    d1: ofService(service.port, shared),
    bare: withCalls(ofService(bare.port, inObject)),
    control: ofService(control.port, shared),
    ...(pocketbase ? { pocketbase } : {}),
    server,
  }
  let number = 1
  async function run({ port, headers }: ServerArm, job: Operation) {
    const { count, perSecond } = await load.run({
      ...{ connections, ...job, port, headers },
      ...{ count: 1_000_000, seconds: effort.seconds, first: number },
    })
    number += count
    return perSecond
  }
  try {
    const rows: { operation: string; rates: Partial<Record<Server, number>> }[] = []
    for (const operation of [...Object.keys(operations), ...Object.keys(calls)]) {
      const rates: Partial<Record<Server, number[]>> = {}
      for (let round = 0; round <= effort.rounds; round++)
        for (const name of servers) {
          const arm = arms[name]
          const job = arm?.operations[operation]
          if (!arm || !job) continue
          const rate = await run(arm, job)
          // The first round warms up.
          rates[name] = round <= 1 ? [rate] : [...(rates[name] ?? []), rate]
        }
      const medians = servers.flatMap((name) => (rates[name] ? [[name, median(rates[name])] as const] : []))
      rows.push({ operation, rates: Object.fromEntries(medians) })
    }
    return rows
  } finally {
    load.close()
    await Promise.all([service.stop(), control.stop(), bare.stop(), pocketbase?.stop(), server.stop()])
  }
}
