import type { OrderType } from '../../../catalogue/resources/details/order-types.ts'
import { getOwn } from '../../../platform/lib/schema-guard.ts'
import { exactHundred, min, sum, toExact, toMinor } from '../amounts.ts'
import { getTaxRate, type QuotedLine } from '../lines/line.ts'
import { listDishes } from '../lines/line-issues.ts'
import type { QuotedProduct } from '../lines/quoted-dishes.ts'
import type { QuoteData } from '../load-quote.ts'
import type { QuoteIssue } from '../quote-issues.ts'
import type { QuoteRequest } from '../quote-request.ts'
import { getTax, type RateTax, type TaxRules } from '../taxes.ts'

type QuoteReturn = NonNullable<QuoteRequest['returns']>[number]

/** Deposits of one product and size that an order takes, or that it gives back. */
interface QuotedDeposit {
  product: string
  size: string | undefined
  title: string | undefined
  /** Negative for what is given back. */
  quantity: number
  /** In minor units, as priced; negative for what is given back. */
  amount: bigint
  /** In exact percent. */
  taxRate: bigint
}

const getDeposit = ({ details }: QuotedProduct, size: string | undefined) =>
  (size === undefined ? undefined : getOwn(details.sizes?.prices, size)?.deposit) ?? details.deposit

const applySigned = (amount: bigint, apply: (amount: bigint) => bigint) =>
  amount < 0n ? -apply(-amount) : apply(amount)

interface DepositUnits {
  product: QuotedProduct
  size: string | undefined
  quantity: number
}

/** The units that have a deposit: lines and parts of bundles. A line by weight is one unit. */
const listSold = (lines: readonly QuotedLine[]): DepositUnits[] =>
  lines.flatMap((line) =>
    listDishes(line).map(({ product, size }) => ({ product, size, quantity: line.isPooled ? line.item.quantity : 1 })),
  )

const listReturned = (returns: readonly QuoteReturn[], { products }: QuoteData): DepositUnits[] =>
  returns.flatMap(({ product: id, size, quantity }) => {
    const product = products.get(id)
    return product ? [{ product, size: size ?? undefined, quantity: -quantity }] : []
  })

/** Deposits by product and size: first those that the order takes, then those that it gives back. Each is rounded once. */
export function toDeposits(
  lines: readonly QuotedLine[],
  returns: readonly QuoteReturn[],
  data: QuoteData,
  { orderType, decimals }: { orderType: OrderType; decimals: number },
): QuotedDeposit[] {
  return [listSold(lines), listReturned(returns, data)].flatMap((all) => {
    const groups = Map.groupBy(all, ({ product, size }) => JSON.stringify([product.id, size ?? null]))
    return [...groups.values()].flatMap(([first, ...others]) => {
      const deposit = first && getDeposit(first.product, first.size)
      if (!deposit) return []
      const quantity = others.reduce((total, each) => total + each.quantity, first.quantity)
      const { taxRate } = deposit
      return {
        product: first.product.id,
        size: first.size,
        title: deposit.title,
        quantity,
        amount: applySigned(BigInt(quantity) * toExact(deposit.amount), (exact) => toMinor(exact, decimals)),
        taxRate:
          taxRate === undefined
            ? getTaxRate(first.product, data.venue, orderType)
            : min(toExact(taxRate), exactHundred),
      }
    })
  })
}

/** Taxes of deposits by rate, lowest rate first. Half away from zero, so that a return mirrors a sale. */
export function computeDepositTaxes(deposits: readonly QuotedDeposit[], rules: TaxRules): RateTax[] {
  const rates = Map.groupBy(deposits, ({ taxRate }) => taxRate)
  return Array.from(rates, ([rate, members]) => {
    const bases = members.map(({ amount }) => amount)
    const toTax = (base: bigint) => applySigned(base, (amount) => getTax(amount, rate, rules))
    const base = sum(bases)
    return { rate, base, amount: rules.rounding === 'line' ? sum(bases.map(toTax)) : toTax(base) }
  }).sort((a, b) => (a.rate < b.rate ? -1 : 1))
}

/** Issues of what is given back. */
export function* findReturnIssues(returns: readonly QuoteReturn[], { products }: QuoteData): Iterable<QuoteIssue> {
  for (const [index, { product: id, size }] of returns.entries()) {
    const product = products.get(id)
    const path = `/returns/${index}`
    if (!product) {
      yield { pointer: `${path}/product`, code: 'unknown_product', message: 'The product does not exist.' }
    } else if (typeof size === 'string' && !Object.hasOwn(product.details.sizes?.prices ?? {}, size)) {
      yield { pointer: `${path}/size`, code: 'unknown_option', message: 'The product does not have this size.' }
    } else if (!getDeposit(product, size ?? undefined)) {
      yield { pointer: `${path}/product`, code: 'no_deposit', message: 'The product has no deposit.' }
    }
  }
}
