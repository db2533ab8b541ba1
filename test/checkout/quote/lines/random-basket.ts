import type { QuoteItem } from '../../../../src/checkout/quote/quote-request.ts'

/** A random number generator with a seed: equal seeds give equal baskets. */
export function createRandom(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  const chance = (share: number) => next() < share
  const pick = <Value>(values: readonly Value[]): Value[] => {
    const value = values[integer(0, values.length - 1)]
    return value === undefined ? [] : [value]
  }
  const some = <Value>(values: readonly Value[], share: number) => values.filter(() => chance(share))
  /** An amount with up to four decimals, more often with two. */
  const amount = (min: number, max: number) => {
    const unit = chance(0.8) ? 100 : 10_000
    return integer(min * unit, max * unit) / unit
  }
  return { integer, chance, pick, some, amount }
}
type Random = ReturnType<typeof createRandom>

export interface TestModifier {
  id: string
  isHighest: boolean
  options: readonly {
    id: string
    cost: number | undefined
    /** Costs by size. */
    sized: Readonly<Record<string, number>>
    modifiers: readonly string[]
  }[]
}
export interface TestProduct {
  id: string
  price: number
  /** Tax rate of its own. Undefined: that of the venue. */
  rate: number | undefined
  isTaxable: boolean
  typeRates: TypeRates
  deposit: TestDeposit | undefined
  /** Deposits of sizes, in place of that of the product. */
  sizeDeposits: Readonly<Record<string, TestDeposit>>
  modifiers: readonly string[]
  sizes: Readonly<Record<string, number>> | undefined
  isByWeight: boolean
  groups:
    | readonly { id: string; items: readonly { product: string; size?: string; surcharge?: number }[] }[]
    | undefined
  isSplit: boolean
}
export interface TestDeposit {
  amount: number
  taxRate?: number
}
/** Tax rates of takeaway and delivery. */
interface TypeRates {
  takeaway?: number
  delivery?: number
}
export interface TestVenue {
  rate: number
  typeRates: TypeRates
  orderType: 'dine_in' | 'takeaway' | 'delivery'
  isIncluded: boolean
  rounding: 'rate' | 'line'
  decimals: 0 | 2 | 3
  modifiers: readonly TestModifier[]
  products: readonly TestProduct[]
  menu: readonly { product: string; price?: number; sizes?: Readonly<Record<string, number>> }[]
}

const sizeIds = ['s', 'm', 'l']
/** Name of the modifier of sizes. */
export const sizeModifier = 'size'

function createModifier(random: Random, id: string, modifiers: readonly string[]): TestModifier {
  const { chance, integer, amount, some } = random
  return {
    id,
    isHighest: chance(0.4),
    options: Array.from({ length: integer(1, 4) }, (_, n) => ({
      id: `${id}-${n}`,
      cost: chance(0.8) ? amount(chance(0.2) ? -3 : 0, 4) : undefined,
      sized: Object.fromEntries(some(sizeIds, 0.3).map((size) => [size, amount(-1, 5)])),
      modifiers: some(modifiers, 0.5),
    })),
  }
}

export function createTestVenue(random: Random): TestVenue {
  const { chance, integer, amount, some } = random
  const nested = ['n0', 'n1']
  const offered = ['m0', 'm1', 'm2']
  const sized = (min: number) => Object.fromEntries(sizeIds.map((size) => [size, amount(min, 12)]))
  const rate = () => (chance(0.5) ? [0, 5, 7, 10, 19, 8.875][integer(0, 5)] : undefined)
  const typeRates = (): TypeRates => ({
    ...(chance(0.4) ? { takeaway: [0, 5, 7, 12.5][integer(0, 3)] ?? 0 } : {}),
    ...(chance(0.4) ? { delivery: [0, 6, 19, 100][integer(0, 3)] ?? 0 } : {}),
  })
  const deposit = (): TestDeposit => ({
    amount: amount(0, 2),
    ...(chance(0.4) ? { taxRate: [0, 7, 25.5][integer(0, 2)] ?? 0 } : {}),
  })
  const create = (id: string, more: Partial<TestProduct> = {}): TestProduct => ({
    id,
    price: amount(0, 15),
    rate: rate(),
    isTaxable: chance(0.85),
    deposit: chance(0.4) ? deposit() : undefined,
    sizeDeposits: Object.fromEntries(some(sizeIds, 0.3).map((size) => [size, deposit()])),
    typeRates: chance(0.5) ? typeRates() : {},
    modifiers: some(offered, 0.6),
    sizes: undefined,
    isByWeight: false,
    groups: undefined,
    isSplit: false,
    ...more,
  })
  const withSizes = (id: string) => create(id, { modifiers: [sizeModifier, ...some(offered, 0.6)], sizes: sized(0) })
  const parts = [create('a'), create('b'), withSizes('c'), withSizes('d')]
  const surcharge = () => (chance(0.4) ? { surcharge: amount(0, 3) } : {})
  const createGroup = (id: string) => ({
    id,
    items: parts.flatMap(({ id: product, sizes }) => {
      if (sizes && chance(0.5)) return some(sizeIds, 0.7).map((size) => ({ product, size, ...surcharge() }))
      return chance(0.8) ? [{ product, ...surcharge() }] : []
    }),
  })
  const bundles = ['x', 'y'].map((id) =>
    create(id, { groups: [createGroup('g'), createGroup('h')], isSplit: chance(0.7), price: amount(0, 30) }),
  )
  const products = [...parts, create('w', { isByWeight: true }), ...bundles]
  return {
    rate: [0, 7, 19, 25.5][integer(0, 3)] ?? 0,
    typeRates: typeRates(),
    orderType: chance(0.5) ? 'dine_in' : chance(0.5) ? 'takeaway' : 'delivery',
    isIncluded: chance(0.5),
    rounding: chance(0.5) ? 'rate' : 'line',
    decimals: chance(0.6) ? 2 : chance(0.5) ? 0 : 3,
    modifiers: [
      { id: sizeModifier, isHighest: false, options: sizeIds.map((id) => ({ id, cost: 1, sized: {}, modifiers: [] })) },
      ...nested.map((id) => createModifier(random, id, [])),
      ...offered.map((id) => createModifier(random, id, nested)),
    ],
    products,
    menu: some(products, 0.3).map(({ id, sizes }) => ({
      product: id,
      ...(chance(0.7) || !sizes ? { price: amount(0, 9) } : {}),
      ...(sizes ? { sizes: Object.fromEntries(some(Object.entries(sized(0)), 0.5)) } : {}),
    })),
  }
}

/** Random lines of products of a venue, some of which name what does not exist. */
export function createBasket(random: Random, { products, modifiers }: TestVenue): QuoteItem[] {
  const { chance, integer, pick, some } = random
  const quantity = () => (chance(0.3) ? { quantity: integer(1, 4) } : {})
  const chooseOf = (ids: readonly string[], depth: number): NonNullable<QuoteItem['options']> =>
    modifiers
      .filter(({ id }) => ids.includes(id))
      .flatMap(({ id, options }) =>
        some(options, id === sizeModifier ? 0 : 0.4).map((option) => ({
          modifier: id,
          option: chance(0.03) ? 'unknown' : option.id,
          ...quantity(),
          ...(depth > 0 && { options: chooseOf(chance(0.05) ? ['n0', 'n1'] : option.modifiers, depth - 1) }),
        })),
      )
  const unique = (options: NonNullable<QuoteItem['options']>) =>
    options.filter(
      (each, index) =>
        options.findIndex(({ option, modifier }) => option === each.option && modifier === each.modifier) === index,
    )
  const choose = ({ modifiers: offered, sizes }: TestProduct) =>
    unique([
      ...(sizes && chance(0.9) ? pick(sizeIds).map((option) => ({ modifier: sizeModifier, option })) : []),
      ...chooseOf(chance(0.03) ? ['m0', 'm1', 'm2'] : offered, 1),
    ])
  const toChoice = (group: string, product: TestProduct) => ({
    group: chance(0.02) ? 'none' : group,
    product: product.id,
    options: chance(0.6) ? choose(product) : [],
  })
  const toItem = (product: TestProduct): QuoteItem => ({
    product: chance(0.01) ? 'none' : product.id,
    quantity: product.isByWeight ? integer(1, 4_000) / 1_000 : integer(1, 5),
    options: choose(product),
    ...(product.groups && {
      choices: product.groups.flatMap(({ id, items }) =>
        Array.from({ length: integer(0, 3) }).flatMap(() =>
          pick(items).flatMap((item) =>
            products.filter((each) => each.id === item.product).map((part) => toChoice(id, part)),
          ),
        ),
      ),
    }),
  })
  const items = Array.from({ length: integer(1, 4) }).flatMap(() => pick(products).map(toItem))
  // Equal lines form pools.
  return [
    ...items,
    ...some(items, 0.2).map((item) => ({
      ...item,
      quantity: Number.isInteger(item.quantity) ? integer(1, 3) : item.quantity,
    })),
  ]
}
