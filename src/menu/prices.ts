/** How a venue writes what things cost. */
export interface Prices {
  of(amount: number): string
  /** What an option adds or takes off; empty where it changes nothing. */
  extra(amount: number): string
}

/** Formats amounts in a currency, or as plain numbers where the venue has named none. Amounts may have four decimals. */
export function createPrices(locale: string, currency: string | undefined): Prices {
  const options: Intl.NumberFormatOptions = currency === undefined ? {} : { style: 'currency', currency }
  const usual = new Intl.NumberFormat(locale, options).resolvedOptions().minimumFractionDigits ?? 0
  const digits = currency !== undefined && usual === 0 ? 0 : 4
  const exact = { ...options, minimumFractionDigits: usual, maximumFractionDigits: Math.max(usual, digits) }
  const [plain, signed] = [
    new Intl.NumberFormat(locale, exact),
    new Intl.NumberFormat(locale, { ...exact, signDisplay: 'exceptZero' }),
  ]
  return { of: (amount) => plain.format(amount), extra: (amount) => (amount === 0 ? '' : signed.format(amount)) }
}
