// Two tills take orders. One crashes after sending an order, and repeats it: npx node examples/point-of-sale.ts [ORDERS] [SECONDS]
import { setTimeout as wait } from 'node:timers/promises'
import { type Client, ConnectionError, createClient, type Product } from '../packages/client/src/client.ts'
import { key, merchantId, origin } from './account.ts'

const [ordersPerTill = 5, seconds = 2] = process.argv.slice(2).map(Number)
const account = { origin, merchantId, key }
const client = createClient(account)

const listProducts = async () => (await client.products.list({ limit: 100, include: ['details'] }).page()).items
const all = new Map((await listProducts()).map((product) => [product.id, product]))
const visible = [...all.values()].filter((product) => product.visible)
if (visible.length === 0) throw new Error('The merchant has no visible products.')
const offered = new Map((await client.modifiers.list({ limit: 100 }).page()).items.map((each) => [each.id, each]))

/** The choices that a guest must make: one size, and as many options of each other modifier as its rules require. */
const chooseOptions = ({ modifiers, details }: Product) =>
  modifiers.flatMap((modifier) => {
    const { rules = {}, options = [] } = offered.get(modifier) ?? {}
    const sizes = details?.sizes?.modifier === modifier ? Object.keys(details.sizes.prices) : undefined
    const exact = rules.requireSelectRestriction ? rules.selectRestriction : undefined
    const count = sizes ? 1 : exact || (rules.required ? 1 : 0)
    return (sizes ?? options.map(({ id }) => id)).slice(0, count).map((option) => ({ modifier, option }))
  })

/** The parts of a bundle that a guest must choose: of each group as many as it requires, in the size that it offers. */
const chooseParts = ({ details }: Product) =>
  (details?.bundle?.groups ?? []).flatMap(({ id: group, min, items }) =>
    Array.from({ length: min }, (_, index) => items[index % items.length]).flatMap((item) => {
      const part = item && all.get(item.product)
      if (!part) return []
      const options = chooseOptions(part).map((chosen) =>
        item.size !== undefined && chosen.modifier === part.details?.sizes?.modifier
          ? { ...chosen, option: item.size }
          : chosen,
      )
      return [{ group, product: part.id, options }]
    }),
  )

const toLine = (product: Product, quantity: number) => ({
  product: product.id,
  quantity,
  options: chooseOptions(product),
  choices: chooseParts(product),
})

// A quote of all products tells which ones cannot be sold now, for example because they are sold out.
const { issues } = await client.quotes.create({ items: visible.map((product) => toLine(product, 1)) })
const unavailable = new Set(issues.map(({ pointer }) => Number(pointer.split('/')[2])))
const products = visible.filter((_, index) => !unavailable.has(index))
const managed = new Set([...all.values()].filter(({ manageStock }) => manageStock).map(({ id }) => id))
const countStock = async () =>
  (await listProducts()).reduce((sum, { id, stockQuantity = 0 }) => sum + (managed.has(id) ? stockQuantity : 0), 0)
const pick = () => products[Math.floor(Math.random() * products.length)]

/** Prices an order of two units. A real till stores the result before it sends the order. */
async function prepare(till: number, number: number) {
  const picked = Map.groupBy([pick(), pick()], (product) => product)
  const lines = Array.from(picked, ([product, units]) => (product ? [toLine(product, units.length)] : [])).flat()
  const { items, total, stock } = await client.quotes.create({ items: lines })
  const stocked = items.filter(({ product }) => managed.has(product))
  // The quote lists the stock itself if the order has sizes, bundles or weights.
  const changes = stock ?? stocked.map(({ product, quantity }) => ({ product, delta: -quantity }))
  return {
    order: { orderId: crypto.randomUUID(), till, number, items, total },
    units: changes.reduce((sum, { delta }) => sum - delta, 0),
    // Each till sells what is in front of it, even if the other one was faster.
    effects: changes.length > 0 ? { stock: { oversell: true, changes } } : undefined,
  }
}
type Prepared = Awaited<ReturnType<typeof prepare>>

/** Publishes an order and takes its stock. The id of the order is also the reference of the stock. */
const send = (sender: Client, { order, effects }: Prepared) =>
  sender.events.publish('order.created', order, { idempotencyKey: order.orderId, effects })

/** The request arrives, but the till crashes before the response does. */
const crashing = createClient({
  ...account,
  retries: 0,
  fetch: async (url, init) => {
    await fetch(url, init)
    throw new Error('The till crashed.')
  },
})

async function runTill(till: number): Promise<Prepared[]> {
  const sent: Prepared[] = []
  for (let number = 1; number <= ordersPerTill; number++) {
    const prepared = await prepare(till, number)
    sent.push(prepared)
    if (till === 2 && number === 1) {
      await send(crashing, prepared).catch((error: unknown) => {
        if (!(error instanceof ConnectionError)) throw error
        console.log(`Till ${till} crashed and repeats order ${number}`)
      })
    }
    const { id } = await send(client, prepared)
    console.log(`Till ${till}, order ${number}: ${prepared.order.total} (${id})`)
    await wait(seconds * 1000)
  }
  return sent
}

/** A guest sends one unit back. Changes the order and prints its receipt again. The difference is made once, although the till asks twice. */
async function changeAndReprint({ order, effects, units }: Prepared): Promise<number> {
  const { orderId, till, number } = order
  const [first, ...others] = effects?.stock.changes ?? []
  if (!first) return units
  const changes = [{ ...first, delta: first.delta + 1 }, ...others]
  const replaced = { replace: orderId, revision: 1, stock: { oversell: true, changes } }
  const change = () => client.orders.update({ ...order, sentBack: 1 }, { effects: replaced })
  await change()
  const { id } = await change()
  console.log(`Till ${till}, order ${number}: CHANGED, one unit sent back (${id})`)
  return units - 1
}

/** Cancels an order and prints its receipt again. The stock comes back once, although the till asks twice. */
async function cancelAndReprint({ order: { orderId, till, number, total }, effects }: Prepared) {
  // An order without effects has nothing to undo: its event only tells the webhooks.
  const cancel = () =>
    effects
      ? client.orders.cancel(orderId, { data: { orderId } })
      : client.events.publish('order.cancelled', { orderId }, { idempotencyKey: `cancel ${orderId}` })
  await cancel()
  const { id } = await cancel()
  console.log(`Till ${till}, order ${number}: CANCELLED, ${total} paid back (${id})`)
}

const stockBefore = await countStock()
const { cursor } = await client.events.list({ after: 'latest' }).page()
const sent = (await Promise.all([runTill(1), runTill(2)])).flat()
const ids = new Set<unknown>(sent.map(({ order }) => order.orderId))
let events = 0
for await (const event of client.events.list({ types: ['order.created'], after: cursor })) {
  if (event.type === 'order.created' && ids.has(event.data?.['orderId'])) events++
}
const [cancelled, changed, ...kept] = sent
const changedUnits = changed ? await changeAndReprint(changed) : 0
if (cancelled) await cancelAndReprint(cancelled)
const units = kept.reduce((sum, order) => sum + order.units, changedUnits)
const taken = stockBefore - (await countStock())
console.log(
  `${sent.length} orders: ${events} events, 1 changed, 1 cancelled. ${units} units with stock: ${taken} taken.`,
)
