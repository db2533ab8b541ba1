import { createCursor } from '../src/platform/http/pagination.ts'
import { countRequest } from './costs.ts'
import { type Bundle, migrate, start } from './platform.ts'
import { createMerchant, deletable, fullProduct, multiplyMerchants, multiplyProducts, productId } from './seed.ts'
import { table } from './table.ts'

/** Size of the database. */
export interface Size {
  products: number
  merchants: number
  /** Webhooks of the merchant with other event names. */
  webhooks: number
}

/** Rows that D1 reads for each operation, by the operation's name, in a database of the given size. */
export async function measureRowsRead(bundle: Bundle, folder: string, { products, merchants, webhooks }: Size) {
  const running = await start(bundle, folder)
  try {
    await migrate(running)
    const shop = await createMerchant(running)
    const { id: product } = await shop.post('/products', fullProduct())
    await multiplyProducts(running, shop.id, product, products, { rarity: products / 20 })
    await multiplyProducts(running, shop.id, product, 2, { first: deletable })
    if (merchants > 1) await multiplyMerchants(running, shop.id, merchants - 1, 10)
    for (let n = 0; n < webhooks; n++) {
      await shop.post('/webhooks', { title: 'Till', url: 'https://hooks.example.com/', events: ['coupon.created'] })
    }
    const headers = { Authorization: `Bearer ${shop.key}` }
    const request = (method: string, path: string, expected: number, json?: object) =>
      countRequest(running, {
        method,
        path: `/merchants/${shop.id}${path}`,
        headers,
        expected,
        body: json === undefined ? undefined : JSON.stringify(json),
      })
    const scope = { merchantId: shop.id, testMode: false }
    // Page 10,000 of 20 products, or the last full page.
    const depth = Math.min(products - 20, 200_000)
    const cursor = createCursor('products', scope, { order: 'asc' }, productId(depth))
    await request('GET', '/products?limit=1', 200)
    const counted = {
      retrieve: await request('GET', `/products/${productId(7)}`, 200),
      'page 1': await request('GET', '/products?limit=20&order=asc', 200),
      'deep page': await request('GET', `/products?limit=20&order=asc&cursor=${cursor}`, 200),
      filter: await request('GET', '/products?limit=20&sku=S7', 200),
      'search, 20 match': await request('GET', '/products?limit=20&q=needle', 200),
      create: await request('POST', '/products', 201, fullProduct()),
      update: await request('POST', `/products/${productId(8)}`, 200, { price: 1.25 }),
      delete: await request('DELETE', `/products/${productId(deletable)}`, 200),
      publish: await request('POST', '/events', 202, { type: 'order.created', data: {} }),
    }
    return Object.fromEntries(Object.entries(counted).map(([name, { rowsRead }]) => [name, rowsRead]))
  } finally {
    await running.stop()
  }
}

export function printGrowth(all: readonly (Size & { rows: Record<string, number> })[]): void {
  const names = Object.keys(all[0]?.rows ?? {})
  console.log('\nrows that D1 reads as the database grows\n')
  table(
    ['products', 'merchants', 'webhooks', ...names],
    all.map(({ products, merchants, webhooks, rows }) => [
      ...[products, merchants, webhooks].map((count) => count.toLocaleString('en')),
      ...names.map((name) => String(rows[name])),
    ]),
  )
}
