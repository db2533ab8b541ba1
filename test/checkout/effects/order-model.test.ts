import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createVenue } from '../../support/api.ts'
import { toRounds } from '../../support/rounds.ts'

// An independent account of stock and coupons, compared with the service after random sequences of orders, changes and cancellations.

const productCount = 3
const orders = ['A', 'B', 'C', 'D'] as const

type Change = { product: number } & ({ delta: number } | { set: number })
interface Take {
  kind: 'take'
  order: (typeof orders)[number]
  changes: Change[]
  coupon: boolean
}
/** All that the order takes from now on, instead of what it took before. */
interface Replace {
  kind: 'replace'
  order: (typeof orders)[number]
  revision: number
  changes: { product: number; delta: number }[]
  coupon: boolean
}
type Step =
  | Take
  | Replace
  | { kind: 'cancel'; order: (typeof orders)[number] }
  | { kind: 'deliver'; product: number; units: number }

const order = fc.constantFrom(...orders)
const product = fc.nat({ max: productCount - 1 })
const change = fc.oneof(
  fc.record({ product, delta: fc.integer({ min: -4, max: 2 }) }),
  fc.record({ product, set: fc.nat({ max: 9 }) }),
)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('take' as const),
      order,
      changes: fc.uniqueArray(change, { minLength: 1, maxLength: 3, selector: ({ product }) => product }),
      coupon: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('cancel' as const), order }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('replace' as const),
      order,
      revision: fc.integer({ min: 1, max: 4 }),
      changes: fc.uniqueArray(fc.record({ product, delta: fc.integer({ min: -6, max: 2 }) }), {
        minLength: 1,
        maxLength: 3,
        selector: ({ product }) => product,
      }),
      coupon: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('deliver' as const), product, units: fc.integer({ min: 1, max: 5 }) }),
  },
)

/** An account of the orders that is independent of the service: how much each order has moved, and whether it was cancelled. */
class Account {
  readonly stock = Array.from({ length: productCount }, () => 10)
  delivered = Array.from({ length: productCount }, () => 10)
  redeemed = 0
  readonly #taken = new Map<
    string,
    { moved: number[]; coupon: boolean; text: string; cancelled: boolean; revision: number; revised: string }
  >()

  take({ order, changes, coupon }: Take): string {
    const known = this.#taken.get(order)
    const text = JSON.stringify([[...changes].sort((a, b) => a.product - b.product), coupon])
    if (known?.cancelled) return 'order_cancelled'
    if (known) return known.text === text ? 'ok' : 'conflict'
    const moved = this.stock.map(() => 0)
    for (const each of changes) {
      const before = this.stock[each.product] ?? 0
      const after = 'set' in each ? each.set : before + each.delta
      if (after < 0 && after < before) return 'insufficient_stock'
      moved[each.product] = after - before
    }
    moved.forEach((units, index) => {
      this.stock[index] = (this.stock[index] ?? 0) + units
    })
    if (coupon) this.redeemed++
    this.#taken.set(order, { moved, coupon, text, cancelled: false, revision: 0, revised: '' })
    return 'ok'
  }

  replace({ order, revision, changes, coupon }: Replace): string {
    const known = this.#taken.get(order)
    if (!known) return 'unknown_order'
    if (known.cancelled) return 'order_cancelled'
    const text = JSON.stringify([[...changes].sort((a, b) => a.product - b.product), coupon])
    if (revision <= known.revision)
      return revision === known.revision && text === known.revised ? 'ok' : 'order_changed'
    const moved = this.stock.map((_, index) => changes.find(({ product }) => product === index)?.delta ?? 0)
    const after = this.stock.map((units, index) => units - (known.moved[index] ?? 0) + (moved[index] ?? 0))
    if (after.some((units, index) => units < 0 && units < (this.stock[index] ?? 0))) return 'insufficient_stock'
    after.forEach((units, index) => {
      this.stock[index] = units
    })
    this.redeemed += Number(coupon) - Number(known.coupon)
    Object.assign(known, { moved, coupon, revision, revised: text })
    return 'ok'
  }

  cancel(order: string): string {
    const known = this.#taken.get(order)
    if (!known) return 'unknown_order'
    if (known.cancelled) return 'ok'
    known.cancelled = true
    known.moved.forEach((units, index) => {
      this.stock[index] = (this.stock[index] ?? 0) - units
    })
    if (known.coupon) this.redeemed--
    return 'ok'
  }

  deliver(product: number, units: number): string {
    this.stock[product] = (this.stock[product] ?? 0) + units
    this.delivered[product] = (this.delivered[product] ?? 0) + units
    return 'ok'
  }
}

test.each(['d1', 'object'])(
  'a cancelled or changed order leaves stock and coupons as if it had never been, in home %s',
  async (home) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
        const venue = await createVenue({ home })
        const ids: string[] = []
        for (let n = 0; n < productCount; n++) {
          const made = await venue.post('/products', { title: `P${n}`, price: 1, manageStock: true, stockQuantity: 10 })
          ids.push(made.body.id)
        }
        const coupon = (await venue.post('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 })).body.id
        const account = new Account()
        const read = async () => [
          await Promise.all(ids.map(async (id) => (await venue.get(`/products/${id}`)).body.stockQuantity)),
          (await venue.get(`/coupons/${coupon}`)).body.timesRedeemed,
        ]
        const publish = async (type: string, effects: object) => {
          const { status, body } = await venue.post('/events', { type, data: {}, effects })
          return status === 202 ? 'ok' : String(body.code)
        }
        const run = async (each: Step) => {
          if (each.kind === 'cancel') return publish('order.cancelled', { undo: each.order })
          if (each.kind === 'deliver') {
            const changes = [{ product: ids[each.product], delta: each.units }]
            await venue.post('/stock', { reference: crypto.randomUUID(), reason: 'delivery', changes })
            return 'ok'
          }
          if (each.kind === 'replace') {
            const changes = each.changes.map(({ product, delta }) => ({ product: ids[product], delta }))
            const redemptions = each.coupon ? [{ code: 'TEN', order: each.order }] : []
            return publish('order.updated', {
              replace: each.order,
              revision: each.revision,
              stock: { changes },
              redemptions,
            })
          }
          const changes = each.changes.map(({ product, ...rest }) => ({ product: ids[product], ...rest }))
          const redemptions = each.coupon ? [{ code: 'TEN', order: each.order }] : undefined
          return publish('order.created', { stock: { reference: each.order, changes }, redemptions })
        }
        for (const each of steps) {
          const expected =
            each.kind === 'take'
              ? account.take(each)
              : each.kind === 'replace'
                ? account.replace(each)
                : each.kind === 'cancel'
                  ? account.cancel(each.order)
                  : account.deliver(each.product, each.units)
          expect(await run(each), JSON.stringify(each)).toBe(expected)
          expect(await read(), JSON.stringify(each)).toEqual([account.stock, account.redeemed])
        }
        for (const name of orders) await run({ kind: 'cancel', order: name })
        expect(await read()).toEqual([account.delivered, 0])
      }),
      { numRuns: toRounds(6) },
    )
  },
)

test.each(['d1', 'object'])('50 tills sell and cancel the same order at once in home %s', async (home) => {
  const venue = await createVenue({ home })
  const { id } = (await venue.post('/products', { title: 'Cake', price: 1, manageStock: true, stockQuantity: 100 }))
    .body
  const coupon = (await venue.post('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 })).body.id
  const read = async () => [
    (await venue.get(`/products/${id}`)).body.stockQuantity,
    (await venue.get(`/coupons/${coupon}`)).body.timesRedeemed,
  ]
  const sell = (order: string) =>
    venue.post('/events', {
      type: 'order.created',
      data: {},
      effects: {
        stock: { reference: order, changes: [{ product: id, delta: -3 }] },
        redemptions: [{ code: 'TEN', order }],
      },
    })
  const cancel = (order: string) =>
    venue.post('/events', { type: 'order.cancelled', data: {}, effects: { undo: order } })
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, till) => (till % 2 ? sell('same') : cancel('same'))).concat(
      Array.from({ length: 10 }, (_, till) => sell(`own-${till}`)),
    ),
  )
  const outcomes = responses.map(({ status, body }) => (status === 202 ? 'ok' : body.code))
  const isAllowed = (outcome: string, index: number) =>
    outcome === 'ok' || (index < 50 && outcome === (index % 2 ? 'order_cancelled' : 'unknown_order'))
  expect(outcomes.filter((outcome, index) => !isAllowed(outcome, index))).toEqual([])
  // All that succeeded name one event each.
  const idsOf = (parity: number) =>
    new Set(
      responses
        .slice(0, 50)
        .flatMap(({ status, body }, index) => (status === 202 && index % 2 === parity ? [body.id] : [])),
    )
  expect([idsOf(1).size, idsOf(0).size <= 1]).toEqual([1, true])
  expect((await cancel('same')).status).toBe(202)
  expect(await read()).toEqual([70, 10])
  await Promise.all(Array.from({ length: 50 }, (_, till) => cancel(`own-${till % 10}`)))
  expect(await read()).toEqual([100, 0])
})
