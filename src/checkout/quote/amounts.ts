/** Decimal places of exact amounts, percentages and tax rates: an exact amount is an integer of 1/10,000 unit. */
export const exactDecimals = 4
/** 100 percent as an exact percentage. */
export const exactHundred = 1_000_000n

/** Converts an amount or a percentage to an integer of 1/10,000. Rounds values with more decimal places half up. */
export const toExact = (value: number): bigint => BigInt(Math.round(value * 10 ** exactDecimals))

/** Divides two integers that are not negative, and rounds half up. */
export const divideHalfUp = (dividend: bigint, divisor: bigint): bigint => (2n * dividend + divisor) / (2n * divisor)

/** Percentage of an integer, rounded half up. The percentage is exact. */
export const takePercent = (amount: bigint, percent: bigint): bigint => divideHalfUp(amount * percent, exactHundred)

/** The sum of exact amounts. */
export function sum(amounts: readonly bigint[]): bigint {
  let total = 0n
  for (const amount of amounts) total += amount
  return total
}

/** The smaller one of two exact amounts. */
export const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** Rounds to a multiple of a positive step, half away from zero. */
export function toMultiple(amount: bigint, step: bigint): bigint {
  return (amount < 0n ? -divideHalfUp(-amount, step) : divideHalfUp(amount, step)) * step
}

/** Rounds an exact amount that is not negative to minor units, half up. */
export const toMinor = (exact: bigint, decimals: number): bigint =>
  divideHalfUp(exact, 10n ** BigInt(exactDecimals - decimals))

/**
 * Splits an amount in proportion to weights by largest remainder. Shares are at most their weights if the amount is at most their sum. `order` lists
 * the indexes of the weights. Among equal remainders, the first in this order is rounded up.
 */
export function spread(
  amount: bigint,
  weights: readonly bigint[],
  order: readonly number[] = [...weights.keys()],
): bigint[] {
  if (weights.length === 1) return [amount]
  const total = sum(weights)
  if (amount === total) return [...weights]
  const shares: bigint[] = []
  const remainders: bigint[] = []
  for (const weight of weights) {
    const share = (amount * weight) / total
    shares.push(share)
    remainders.push(amount * weight - share * total)
  }
  const missing = Number(amount - sum(shares))
  if (missing === 0) return shares
  const getRemainder = (index: number) => remainders[index] ?? 0n
  const ranked = order.toSorted((a, b) => {
    const [first, second] = [getRemainder(a), getRemainder(b)]
    return first === second ? 0 : first > second ? -1 : 1
  })
  const roundedUp = new Set(ranked.slice(0, missing))
  return shares.map((share, index) => (roundedUp.has(index) ? share + 1n : share))
}

/** A decimal number in responses, exact at every size. */
export class Decimal {
  readonly text: string

  /** `units` are integers of 10 to the power of minus `decimals`. */
  constructor(units: bigint, decimals: number) {
    const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
    const split = digits.length - decimals
    const fraction = digits.slice(split).replace(/0+$/, '')
    this.text = `${units < 0n ? '-' : ''}${digits.slice(0, split)}${fraction === '' ? '' : `.${fraction}`}`
  }
}

/** JSON text of a value. Decimals are written as numbers with all digits, because a double is exact only up to 2^53. */
export function toExactJson(value: unknown): string {
  if (value instanceof Decimal) return value.text
  if (Array.isArray(value)) return `[${value.map(toExactJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${toExactJson(member)}`).join()}}`
}
