/** Formats prices in a venue's locale. */
export interface Prices {
  format(amount: number): string
  /** Formats an additional cost with its sign; empty for 0. */
  formatExtra(amount: number): string
}

/** Formats amounts in a currency, or as plain numbers without one. Amounts have up to four decimal places. */
export function createPrices(locale: string, currency: string | undefined): Prices {
  const options: Intl.NumberFormatOptions = currency === undefined ? {} : { style: 'currency', currency }
  const minDigits = new Intl.NumberFormat(locale, options).resolvedOptions().minimumFractionDigits ?? 0
  const maxDigits = currency !== undefined && minDigits === 0 ? 0 : 4
  const exact = { ...options, minimumFractionDigits: minDigits, maximumFractionDigits: Math.max(minDigits, maxDigits) }
  const [plain, signed] = [
    new Intl.NumberFormat(locale, exact),
    new Intl.NumberFormat(locale, { ...exact, signDisplay: 'exceptZero' }),
  ]
  return {
    format: (amount) => plain.format(amount),
    formatExtra: (amount) => (amount === 0 ? '' : signed.format(amount)),
  }
}
