import type { Issue } from '../../../platform/errors.ts'
import { takePercent, toExact, toMinor } from '../amounts.ts'
import type { QuoteRequest } from '../quote-request.ts'

type QuoteTip = QuoteRequest['tip']

/** The tip in minor units; a percentage is of `base`, which is not negative. Undefined without a tip. */
export function toTip(tip: QuoteTip, base: bigint, decimals: number): bigint | undefined {
  if (typeof tip?.percent === 'number') return takePercent(base, toExact(tip.percent))
  return typeof tip?.amount === 'number' ? toMinor(toExact(tip.amount), decimals) : undefined
}

/** The issue of an amount that is finer than the currency. */
export function findTipIssues(tip: QuoteTip, decimals: number): Issue[] {
  const amount = tip?.amount
  if (typeof amount !== 'number' || Number(amount.toFixed(decimals)) === amount) return []
  return [{ pointer: '/tip/amount', code: 'too_precise', message: `must have at most ${decimals} decimals` }]
}
