import { setTimeout as wait } from 'node:timers/promises'
import type { Service } from '../support/service.ts'
import type { Figure } from './print-figures.ts'
import type { Fields, Reply, SendRequest } from './worker.ts'

export interface OrderDrill {
  /** Rounds, each ended by a SIGKILL. They alternate between the homes of merchants. */
  rounds: number
  /** Tills that work at once. */
  tills: number
  /** Orders of a round, which all tills sell, change and cancel. */
  orders: number
  /** How long a round works, in milliseconds: anything between. */
  life: { least: number; most: number }
}

const actions = ['sell', 'change', 'cancel'] as const
type Action = (typeof actions)[number]

const stock = 10_000
const [soldUnits, changedUnits] = [2, 3]

/** Sells, changes and cancels orders of one merchant. Each order takes two units and a coupon, and after its change three units. */
async function openShop(service: Service, home: string) {
  const { body: merchant } = await service.call('POST', '/admin/merchants', service.adminToken, { name: 'Drill', home })
  const keys = `/admin/merchants/${merchant.id}/keys`
  const { key } = (await service.call('POST', keys, service.adminToken, { mode: 'live' })).body
  const request: SendRequest = (method, path, json, headers = {}) =>
    service.call(method, `/merchants/${merchant.id}${path}`, key, json, headers)
  const counted = { title: 'Cake', price: 3, manageStock: true, stockQuantity: stock }
  const { id: product } = (await request('POST', '/products', counted)).body
  const { id: coupon } = (await request('POST', '/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 }))
    .body

  const effects: Record<Action, (order: string) => Fields> = {
    sell: (order) => ({
      stock: { reference: order, changes: [{ product, delta: -soldUnits }] },
      redemptions: [{ code: 'TEN', order }],
    }),
    change: (order) => ({
      replace: order,
      revision: 1,
      stock: { changes: [{ product, delta: -changedUnits }] },
      redemptions: [],
    }),
    cancel: (order) => ({ undo: order }),
  }
  const types = { sell: 'order.created', change: 'order.updated', cancel: 'order.cancelled' } as const
  return {
    /** Does something with an order. A service that has just started may ask to repeat the request. */
    async send(action: Action, order: string): Promise<Reply> {
      const json = { type: types[action], data: { order }, effects: effects[action](order) }
      const reply = await request('POST', '/events', json)
      if (reply.status !== 503) return reply
      await wait(1_000)
      return this.send(action, order)
    },
    /** Units that were taken, and redemptions. */
    async count() {
      const { stockQuantity } = (await request('GET', `/products/${product}`)).body
      const { timesRedeemed } = (await request('GET', `/coupons/${coupon}`)).body
      return { units: stock - stockQuantity, redeemed: timesRedeemed }
    },
    /** Numbers of events by order and type. */
    async countEvents() {
      const counts = new Map<string, number>()
      for (let path: string | undefined = '/events?limit=100'; path !== undefined; ) {
        const { body, headers } = await request('GET', path)
        for (const { type, data } of body) {
          if (type.startsWith('order.'))
            counts.set(`${type} ${data.order}`, (counts.get(`${type} ${data.order}`) ?? 0) + 1)
        }
        const [, query] = /<[^>?]*(\?[^>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? []
        path = query === undefined ? undefined : `/events${query}`
      }
      return counts
    },
  }
}

const wrongly = { sell: ['order_cancelled'], change: ['unknown_order', 'order_cancelled'], cancel: ['unknown_order'] }

/** Tills sell, change and cancel the same orders at once, and the service is killed under them. Counts what differs from arithmetic. */
export async function drillOrders(
  service: Service,
  { rounds, tills, orders, life }: OrderDrill,
): Promise<{ figures: Figure[]; findings: readonly string[]; isWell: boolean }> {
  const findings: string[] = []
  let [answered, unanswered, open, cancelled] = [0, 0, 0, 0]
  for (let round = 1; round <= rounds; round++) {
    const shop = await openShop(service, round % 2 === 0 ? 'object' : 'd1')
    const note = (finding: string) => void findings.push(`round ${round}: ${finding}`)
    const references = Array.from({ length: orders }, (_, index) => `order-${index}`)
    /** Ids of the events that responses have named. */
    const ids = new Map<string, Set<string>>()
    const gone = new Set<string>()
    function check(action: Action, order: string, { status, body }: Reply) {
      if (status === 202) {
        const name = `${action} ${order}`
        ids.set(name, (ids.get(name) ?? new Set()).add(body.id))
        if (action === 'cancel') gone.add(order)
      } else if (!(status === 409 && wrongly[action].includes(body.code))) {
        note(`${action} ${order} returned ${status} ${JSON.stringify(body)}`)
      }
    }
    async function work() {
      for (;;) {
        const action = actions[Math.floor(Math.random() * actions.length)] ?? 'sell'
        const order = references[Math.floor(Math.random() * references.length)] ?? ''
        const reply = await shop.send(action, order).catch(() => undefined)
        if (!reply) {
          unanswered++
          return
        }
        answered++
        check(action, order, reply)
      }
    }
    const team = Array.from({ length: tills }, work)
    await wait(life.least + Math.random() * (life.most - life.least))
    await service.kill()
    await Promise.all(team)
    await service.start()

    // Each order is sold and changed once more: what was not cancelled has three units then, and no coupon.
    let left = 0
    for (const order of references) {
      const sold = await shop.send('sell', order)
      check('sell', order, sold)
      if (sold.status === 202 && gone.has(order)) note(`${order} was cancelled, and is sold`)
      if (sold.status !== 202) continue
      left++
      check('change', order, await shop.send('change', order))
    }
    const before = await shop.count()
    if (before.units !== left * changedUnits) note(`${before.units} units are taken instead of ${left * changedUnits}`)
    if (before.redeemed !== 0) note(`${before.redeemed} redemptions instead of 0`)
    open += left
    cancelled += orders - left
    for (const order of [...references, ...references]) check('cancel', order, await shop.send('cancel', order))
    const after = await shop.count()
    if (after.units !== 0 || after.redeemed !== 0) note(`cancelled orders left ${JSON.stringify(after)}`)
    for (const [name, found] of ids) if (found.size > 1) note(`${name} was answered with ${found.size} events`)
    for (const [name, count] of await shop.countEvents()) if (count > 1) note(`${count} events ${name}`)
    console.log(`round ${round}: ${answered} requests answered so far, ${left} of ${orders} orders open at the SIGKILL`)
  }
  for (const finding of findings) console.log(`FOUND: ${finding}`)
  const figures: Figure[] = [
    ['rounds, each ended by SIGKILL under load', rounds],
    ['tills at once', tills],
    ['requests answered', answered],
    ['requests in progress at a SIGKILL', unanswered],
    ['orders open at a SIGKILL', open],
    ['orders cancelled before it', cancelled],
    ['differences from arithmetic', findings.length],
  ]
  return { figures, findings, isWell: findings.length === 0 && answered > 0 && cancelled > 0 }
}
