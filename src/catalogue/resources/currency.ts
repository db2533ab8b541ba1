/** Maximum decimal places of an amount. */
const maxDecimals = 4

/** Decimal places of a currency as ISO 4217 says, at most 4; 2 without a currency. */
export function getCurrencyDecimals(currency: string | undefined): number {
  if (currency === undefined) return 2
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  return Math.min(maximumFractionDigits, maxDecimals)
}
