// A page on which guests order: npx node examples/ordering-page/server.ts [PORT]. Set `orderingUrl` of the merchant to its address.
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { ApiError, createClient, type Quote, type QuoteCreate } from '../../packages/client/src/client.ts'
import { key, merchantId, origin } from '../account.ts'

const port = Number(process.argv[2] ?? 9100)
const client = createClient({ origin, merchantId, key })
const files = new Map([
  ['/', ['index.html', 'text/html']],
  ['/page.css', ['page.css', 'text/css']],
  ...['page.js', 'choices.js'].map((name): [string, string[]] => [`/${name}`, [name, 'text/javascript']]),
])

/** The body of a request of the page. `id` and `total`, which the guest saw, are only in an order. */
interface Basket {
  items: QuoteCreate['items']
  coupons?: string[]
  tag?: string
  id?: string
  total?: number
}

/** A basket as the browser sends it. The service checks its lines. */
async function readBasket(request: IncomingMessage): Promise<Basket> {
  const basket = JSON.parse(await text(request))
  if (!Array.isArray(basket?.items)) throw new SyntaxError('The basket has no items.')
  return basket
}

const quote = ({ items, coupons = [] }: Basket) => client.quotes.create({ items, coupons })

/** Changes of the stock by an order. The quote lists them if the order has sizes, bundles or weights; otherwise, each line takes its quantity. */
async function listStock({ items, stock }: Quote) {
  if (stock) return stock
  const sold = Map.groupBy(items, ({ product }) => product)
  const managed = new Set<string>()
  for await (const { id, manageStock } of client.products.list({ ids: [...sold.keys()] }))
    if (manageStock) managed.add(id)
  return [...sold]
    .filter(([product]) => managed.has(product))
    .map(([product, lines]) => ({ product, delta: -lines.reduce((sum, { quantity }) => sum + quantity, 0) }))
}

/** Prices an order as the guest saw it, and says what it takes. Undefined with a quote that the guest must see first. */
async function prepare(basket: Basket) {
  const { id = '', tag, total } = basket
  const priced = await quote(basket)
  if (!priced.orderable || priced.total !== total) return { priced }
  const changes = await listStock(priced)
  const applied = priced.coupons.filter(({ status }) => status === 'applied')
  const redemptions = applied.map(({ code, amount }) => ({ code, amount, order: id }))
  const effects = { ...(changes.length > 0 && { stock: { changes } }), ...(redemptions.length > 0 && { redemptions }) }
  const data = { orderId: id, tag, items: priced.items, total, currency: priced.currency }
  return { priced, order: { data, effects: Object.keys(effects).length > 0 ? effects : undefined } }
}

/** Orders that were sent, until the server ends. A real one stores them first: an order is sent again as it was, and is then taken once. */
const sent = new Map<string, Awaited<ReturnType<typeof prepare>>['order']>()

/** Takes an order. The kitchen receives `order.created` by a webhook. */
async function takeOrder(basket: Basket) {
  const { id = '', total } = basket
  let order = sent.get(id)
  if (!order) {
    const prepared = await prepare(basket)
    // Something has sold out or has another price since the guest looked.
    if (!prepared.order) return { status: 409, body: prepared.priced }
    order = prepared.order
    sent.set(id, order)
  }
  try {
    await client.events.publish('order.created', order.data, { idempotencyKey: id, effects: order.effects })
  } catch (error) {
    // Rejected: nothing was taken.
    if (error instanceof ApiError && error.status < 500) sent.delete(id)
    throw error
  }
  return { status: 200, body: { id, total } }
}

/** The menu as guests see it at this table, in the language of the browser. */
async function readMenu(query: URLSearchParams, language: string) {
  const address = new URL(`/m/${merchantId}.json`, origin)
  for (const name of ['tag', 'lang']) if (query.has(name)) address.searchParams.set(name, query.get(name) ?? '')
  const response = await fetch(address, { headers: { 'accept-language': language } })
  return { status: response.status, body: await response.json() }
}

async function respond(request: IncomingMessage) {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const route = `${request.method} ${pathname}`
  if (route === 'GET /menu') return readMenu(searchParams, request.headers['accept-language'] ?? '')
  if (route === 'POST /quote') return { status: 200, body: await quote(await readBasket(request)) }
  if (route === 'POST /order') return takeOrder(await readBasket(request))
  return { status: 404, body: { detail: 'Not found.' } }
}

/** A problem of the service is told to the guest as it is: a dish sold out between price and order, a coupon that somebody else used. */
function explain(error: unknown) {
  if (error instanceof ApiError && error.status < 500) return { status: error.status, body: { detail: error.message } }
  console.error(error)
  return { status: 503, body: { detail: 'This does not work at the moment. Try again.' } }
}

createServer(async (request, response) => {
  const [file, type = 'application/json'] = files.get(request.url?.split('?')[0] ?? '') ?? []
  const { status, body } = file ? { status: 200, body: undefined } : await respond(request).catch(explain)
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  })
  response.end(file ? await readFile(new URL(file, import.meta.url), 'utf8') : JSON.stringify(body))
}).listen(port, () => console.log(`Guests order at http://localhost:${port}/?tag=TAG`))
