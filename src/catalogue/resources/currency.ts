/** Maximum decimal places of an amount. */
const maxDecimals = 4

/** Decimal places by code of a currency. A code has three letters, and Intl knows fewer than 400. */
const decimalsOf = new Map<string, number>()

/** Decimal places of a currency as ISO 4217 says, at most 4; 2 without a currency. */
export function getCurrencyDecimals(currency: string | undefined): number {
  if (currency === undefined) return 2
  const known = decimalsOf.get(currency)
  if (known !== undefined) return known
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  const decimals = Math.min(maximumFractionDigits, maxDecimals)
  decimalsOf.set(currency, decimals)
  return decimals
}
