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

test.each([
  [3, 1],
  [3, 200],
  [20, 1],
  [20, 200],
])(
  'a quote whose taxes are split over %i rates in %i pools takes little more steps than another',
  async (rates, pools) => {
    for (const rounding of ['rate', 'line'] as const) {
      const steps = async (isSplit: boolean) => {
        // Lines of one pool are compared as one, so that an order of one product takes few steps.
        const order = isSplit ? createOrder(rates, pools) : createOrder(0, lines)
        const run = () => priceOrder(order, coupons, { isIncluded: false, rounding })
        run()
        return countSteps(run)
      }
      const [split, plain] = [await steps(true), await steps(false)]
      expect(plain).toBeGreaterThan(10_000)
      expect(split).toBeLessThan(2 * plain)
    }
  },
)
