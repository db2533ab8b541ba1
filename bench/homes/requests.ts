import { createLoad, type Job } from '../load.ts'
import { copy, type Running } from '../platform.ts'
import { createMerchant, fullProduct, type Merchant } from '../seed.ts'
import { median } from '../table.ts'
import { createProducts } from './products.ts'

const products = 1_000
const connections = 8

/** A Worker under measurement, and the merchant whose data it serves. */
interface Arm {
  port: number
  merchant: Merchant & { product: string }
}

async function createFilled(running: Running, home: 'd1' | 'object') {
  const merchant = await createMerchant(running, { home })
  await createProducts(merchant, products)
  const { id } = await merchant.post('/products', { ...fullProduct(), sku: 'ONE' })
  return { ...merchant, product: id }
}

type Operation = Pick<Job, 'method' | 'path' | 'expected'> & Partial<Job>
const operations = {
  retrieve: ({ id, product }) => ({ method: 'GET', path: `/merchants/${id}/products/${product}`, expected: 200 }),
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
} satisfies Record<string, (merchant: Arm['merchant']) => Operation>

/** Requests a second of each operation: in an object, in the shared database, and of the bare control on D1. Rounds alternate. */
export async function measureRequests(
  folder: string,
  begin: (folder: string, isControl: boolean) => Promise<Running>,
  effort: { rounds: number; seconds: number },
) {
  const first = await begin(folder, false)
  const [inObject, shared] = [await createFilled(first, 'object'), await createFilled(first, 'd1')]
  await first.stop()
  const controlFolder = await copy(folder, `${folder}-control`)
  const [service, control] = [await begin(folder, false), await begin(controlFolder, true)]
  const load = createLoad()
  const arms: Record<string, Arm> = {
    object: { port: service.port, merchant: inObject },
    d1: { port: service.port, merchant: shared },
    control: { port: control.port, merchant: shared },
  }
  let number = 1
  async function run({ port, merchant }: Arm, job: Operation) {
    const headers = { authorization: `Bearer ${merchant.key}` }
    const { count, perSecond } = await load.run({
      ...{ connections, ...job, port, headers },
      ...{ count: 1_000_000, seconds: effort.seconds, first: number },
    })
    number += count
    return perSecond
  }
  try {
    const rows: { operation: string; object: number; d1: number; control: number }[] = []
    for (const [operation, create] of Object.entries(operations)) {
      const rates = { object: [0], d1: [0], control: [0] }
      for (let round = 0; round <= effort.rounds; round++)
        for (const name of ['object', 'd1', 'control'] as const) {
          const arm = arms[name]
          if (!arm) continue
          const rate = await run(arm, create(arm.merchant))
          // The first round warms up.
          if (round <= 1) rates[name] = [rate]
          else rates[name].push(rate)
        }
      rows.push({ operation, object: median(rates.object), d1: median(rates.d1), control: median(rates.control) })
    }
    return rows
  } finally {
    load.close()
    await Promise.all([service.stop(), control.stop()])
  }
}
