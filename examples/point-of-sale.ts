// Publishes an order every few seconds, like a point of sale: npx node examples/point-of-sale.ts [ORDERS] [SECONDS]
import { setTimeout as wait } from 'node:timers/promises'
import { createClient, type Product } from '../src/client.ts'
import { key, merchantId, origin } from './account.ts'

const [orders = 10, seconds = 2] = process.argv.slice(2).map(Number)
const client = createClient({ origin, merchantId, key })

const products: Product[] = []
for await (const product of client.products.list({ visible: true })) products.push(product)
if (products.length === 0) throw new Error('The merchant has no visible products.')
const pick = () => products[Math.floor(Math.random() * products.length)]

const opened = new Date().toISOString()
for (let number = 1; number <= orders; number++) {
  const items = [pick(), pick()].flatMap((product) => (product ? [{ id: product.id, price: product.price }] : []))
  const total = items.reduce((sum, { price }) => sum + price, 0)
  // The key contains the order number, so that a repeated request creates no second order.
  const order = { number, items, total: Math.round(total * 100) / 100 }
  const { id } = await client.events.publish('order.created', order, {
    idempotencyKey: `till-1/${opened}/${number}`,
  })
  console.log(`Order ${number}: ${order.total} (${id})`)
  await wait(seconds * 1000)
}
