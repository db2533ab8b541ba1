import { expect, test } from 'vitest'
import { countSteps } from '../../support/count-steps.ts'

const { priceOrder } = await import('../../../src/checkout/quote/price-order.ts')

const lines = 200
const count = <Item>(length: number, create: (index: number) => Item) => Array.from({ length }, (_, n) => create(n))

/** An order of the largest size, with ten coupons that can be combined. Small amounts: rounding decides about each combination. */
const createOrder = (rates: number, pools: number) =>
  count(lines, (n) => ({
    product: `p${n % pools}`,
    variant: '',
    isPooled: true,
    subtotal: 97n + BigInt(n),
    taxRate: 70_000n,
    ...(rates > 0 && {
      taxShares: count(rates, (rate) => ({ rate: BigInt(10_000 * (rate + 1)), weight: BigInt(3 + rate) })),
    }),
  }))
const coupons = count(10, (n) => ({
  type: 'PERCENTAGE' as const,
  value: BigInt(10_000 + 77 * n),
  maxAmount: undefined,
  isIndividual: false,
  matches: count(lines, () => true),
}))

const run = (order: ReturnType<typeof createOrder>, rounding: 'rate' | 'line') =>
  priceOrder(order, coupons, { isIncluded: false, rounding })
// Lines of one pool are compared as one, so that an order of one product takes few steps.
const plainOrder = createOrder(0, lines)
// The first run fills caches and tables.
run(plainOrder, 'rate')
const plainSteps = {
  rate: await countSteps(() => run(plainOrder, 'rate')),
  line: await countSteps(() => run(plainOrder, 'line')),
}

test.each([
  [3, 1],
  [3, 200],
  [20, 1],
  [20, 200],
])(
  'a quote whose taxes are split over %i rates in %i pools takes little more steps than another',
  async (rates, pools) => {
    for (const rounding of ['rate', 'line'] as const) {
      const order = createOrder(rates, pools)
      const split = await countSteps(() => run(order, rounding))
      const plain = plainSteps[rounding]
      expect(plain).toBeGreaterThan(10_000)
      expect(split).toBeLessThan(2 * plain)
    }
  },
)
