import { getCurrencyDecimals } from '../../catalogue/resources/currency.ts'
import { defaultOrderType, type OrderType } from '../../catalogue/resources/details/order-types.ts'
import type { VenueCharge } from '../../catalogue/resources/venue-charges.ts'
import { createClock, isOpen } from '../../platform/lib/opening-hours.ts'
import { Decimal, sum, toExact, toMinor, toMultiple } from './amounts.ts'
import { chooseCharges, findChargeIssues, type PricedCharge, toChargeRules } from './charges/charges.ts'
import { computeDepositTaxes, findReturnIssues, toDeposits } from './charges/deposits.ts'
import { toTip } from './charges/tip.ts'
import { type CheckedCoupon, checkAutomatic, checkCoupons, noEffect, notCombinable } from './check-coupons.ts'
import { toQuotedLines } from './lines/line.ts'
import { findLineIssues } from './lines/line-issues.ts'
import { createStockChanges, findAgeLimit, toItemView, toPercent } from './lines/line-view.ts'
import type { QuoteData } from './load-quote.ts'
import { type PricedOrder, priceOrder } from './price-order.ts'
import type { CouponReason, QuoteIssue } from './quote-issues.ts'
import type { QuoteRequest } from './quote-request.ts'
import { findServiceIssues } from './service/find-service-issues.ts'
import type { RateTax } from './taxes.ts'

/** Prices an order for a time in seconds. Pure: equal parameters return equal quotes. */
export function createQuote(request: QuoteRequest, data: QuoteData, at: number) {
  const { venue } = data
  const decimals = getCurrencyDecimals(venue.currency ?? undefined)
  const orderType = request.orderType ?? defaultOrderType
  const menuIssue = typeof request.menu === 'string' ? findMenuIssue(data, at, orderType) : undefined
  const listed = (menuIssue ? undefined : data.menu?.prices) ?? []
  const prices = new Map(listed.map((entry) => [entry.product, entry]))
  const lines = toQuotedLines(request.items, data, { prices, orderType }, decimals)
  const customer = request.customer ?? undefined
  const context = { lines, at, localTime: createClock(venue.timezone)(at), orderType, customer, decimals }
  const given = checkCoupons(request.coupons ?? [], data, context)
  const coupons = [...given, ...checkAutomatic(given, data, context)]
  const applicable = coupons.flatMap(({ discount }) => discount ?? [])
  const rules = { isIncluded: venue.pricesIncludeTax, rounding: venue.taxRounding }
  const charges = chooseCharges(request, lines, data.charges, { orderType })
  const order = priceOrder(lines, applicable, rules, toChargeRules(charges, lines, venue, { orderType, decimals }))
  const returns = request.returns ?? []
  const deposits = toDeposits(lines, returns, data, { orderType, decimals })
  const depositTaxes = computeDepositTaxes(deposits, rules)
  const depositTax = sum(depositTaxes.map(({ amount }) => amount))
  const depositTotal = sum(deposits.map(({ amount }) => amount)) + (rules.isIncluded ? 0n : depositTax)
  const tip = toTip(request.tip, order.total, decimals)
  const total = order.total + depositTotal + (tip ?? 0n)
  const cashStep = toMinor(toExact(venue.cashRounding ?? 0), decimals)
  const ignoresHours = request.ignoreHours === true
  const shownMenuIssue = ignoresHours && menuIssue?.code === 'outside_menu_hours' ? undefined : menuIssue
  const issues = [
    ...findLineIssues(lines, data, at),
    ...findReturnIssues(returns, data),
    ...findChargeIssues(request, data, orderType),
    ...findOrderIssues(request, data, shownMenuIssue),
    ...(ignoresHours ? [] : findServiceIssues(request, data, at)),
  ]
  const toAmount = (minor: bigint) => new Decimal(minor, decimals)
  const toTax = ({ rate, base, amount }: RateTax) => ({
    rate: toPercent(rate),
    base: toAmount(base),
    amount: toAmount(amount),
    included: venue.pricesIncludeTax,
  })
  const toChargeView = ({ id, title }: VenueCharge, priced: PricedCharge | undefined) => {
    const taxes = priced?.taxes ?? []
    return {
      id,
      title,
      amount: toAmount(priced?.amount ?? 0n),
      taxRate: taxes.length === 1 ? toPercent(taxes[0]?.rate ?? 0n) : undefined,
      taxes: taxes.length > 1 ? taxes.map(toTax) : undefined,
      tax: toAmount(priced?.tax ?? 0n),
    }
  }
  const couponOf = (discount: number) => coupons.filter((each) => each.discount)[discount]?.coupon?.id
  return {
    currency: venue.currency ?? undefined,
    orderable: issues.length === 0,
    at,
    items: lines.map((line, index) => ({
      ...toItemView(line),
      subtotal: toAmount(line.subtotal),
      discounts: (order.lines[index]?.discounts ?? []).flatMap((amount, discount) =>
        amount > 0n ? [{ coupon: couponOf(discount), amount: toAmount(amount) }] : [],
      ),
      taxRate: toPercent(line.taxRate),
      taxes: line.taxShares && (order.lines[index]?.taxes ?? []).map(toTax),
      tax: toAmount(order.lines[index]?.tax ?? 0n),
      total: toAmount(order.lines[index]?.total ?? 0n),
    })),
    coupons: coupons.flatMap((checked) => {
      const { amount, reasons } = getOutcome(checked, applicable, order)
      if (checked.isAutomatic && reasons.length > 0) return []
      return {
        code: checked.code,
        coupon: checked.coupon?.id,
        status: reasons.length === 0 ? ('applied' as const) : ('not_applied' as const),
        amount: toAmount(amount),
        automatic: checked.isAutomatic,
        reasons,
      }
    }),
    charges:
      charges.length > 0 ? charges.map((charge, index) => toChargeView(charge, order.charges[index])) : undefined,
    taxes: [...order.taxes.map(toTax), ...depositTaxes.map((each) => ({ ...toTax(each), deposit: true }))],
    deposits:
      deposits.length > 0
        ? deposits.map(({ taxRate: _, amount, ...deposit }) => ({ ...deposit, amount: toAmount(amount) }))
        : undefined,
    tip: tip === undefined ? undefined : toAmount(tip),
    subtotal: toAmount(order.subtotal),
    discountTotal: toAmount(order.discountTotal),
    taxTotal: toAmount(order.taxTotal + depositTax),
    total: toAmount(total),
    cashTotal: cashStep > 0n ? toAmount(toMultiple(total, cashStep)) : undefined,
    ageLimit: findAgeLimit(lines),
    stock: createStockChanges(lines),
    prepMinutes: data.service?.prepMinutes ?? undefined,
    issues,
  }
}

/** The discount of a coupon, or the reasons why it gives no discount. */
function getOutcome(
  { discount, reasons }: CheckedCoupon,
  applicable: readonly CheckedCoupon['discount'][],
  order: PricedOrder,
): { amount: bigint; reasons: readonly CouponReason[] } {
  if (!discount) return { amount: 0n, reasons }
  const index = applicable.indexOf(discount)
  const amount = order.discounts[index] ?? 0n
  if (amount > 0n) return { amount, reasons: [] }
  const isIndividual = [...order.chosen].some((chosen) => applicable[chosen]?.isIndividual)
  const isExcluded = !order.chosen.has(index) && (discount.isIndividual || isIndividual)
  return { amount, reasons: [isExcluded ? notCombinable : noEffect] }
}

/** Issues of the whole order: its menu or its customer. */
function* findOrderIssues(
  { customer }: QuoteRequest,
  data: QuoteData,
  menuIssue: Omit<QuoteIssue, 'pointer'> | undefined,
): Iterable<QuoteIssue> {
  if (menuIssue) yield { pointer: '/menu', ...menuIssue }
  if (typeof customer === 'string' && !data.isCustomerKnown) {
    yield { pointer: '/customer', code: 'unknown_customer', message: 'The customer does not exist.' }
  }
}

function findMenuIssue(
  { menu, venue }: QuoteData,
  at: number,
  orderType: OrderType,
): Omit<QuoteIssue, 'pointer'> | undefined {
  if (!menu) return { code: 'unknown_menu', message: 'The menu does not exist.' }
  if (!menu.visible) return { code: 'not_visible', message: 'The menu is not visible to customers.' }
  if (menu.orderTypes && !menu.orderTypes.includes(orderType)) {
    return { code: 'wrong_order_type', message: 'The menu is not served for this type of order.' }
  }
  if (isOpen(menu, createClock(venue.timezone)(at))) return undefined
  return { code: 'outside_menu_hours', message: 'The menu is not available at this time.' }
}
