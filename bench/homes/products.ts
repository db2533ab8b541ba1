import type { createMerchant } from '../seed.ts'
import { fullProduct } from '../seed.ts'

const batchSize = 500

/** Creates products of a merchant, wherever its data is. */
export async function createProducts({ post }: Awaited<ReturnType<typeof createMerchant>>, count: number) {
  for (let from = 0; from < count; from += batchSize) {
    const operations = Array.from({ length: Math.min(batchSize, count - from) }, (_, n) => ({
      op: 'create',
      resource: 'products',
      body: { ...fullProduct(), title: `Dish ${from + n}`, sku: `SKU-${from + n}` },
    }))
    await post('/batch', { operations })
  }
}
