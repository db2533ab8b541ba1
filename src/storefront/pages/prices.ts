/** Formats prices in a venue's locale. */
export interface Prices {
  format(amount: number): string
  /** Formats an additional cost with its sign; empty for 0. */
  formatExtra(amount: number): string
  /** The smallest amount of a total, if a formatted amount was finer: totals are rounded to it. Otherwise undefined. */
  getRounding(): string | undefined
}

/** Maximum decimal places of an amount. */
const maxDigits = 4
/** Decimal places of totals without a currency. */
const plainDecimals = 2

/** Formats amounts in a currency, or as plain numbers without one, each with all its decimal places: a price is shown as it is charged. */
export function createPrices(locale: string, currency: string | undefined): Prices {
  const options: Intl.NumberFormatOptions = currency === undefined ? {} : { style: 'currency', currency }
  const minDigits = new Intl.NumberFormat(locale, options).resolvedOptions().minimumFractionDigits ?? 0
  const decimals = currency === undefined ? plainDecimals : Math.min(minDigits, maxDigits)
  const exact = { ...options, minimumFractionDigits: minDigits, maximumFractionDigits: Math.max(minDigits, maxDigits) }
  const [plain, signed] = [
    new Intl.NumberFormat(locale, exact),
    new Intl.NumberFormat(locale, { ...exact, signDisplay: 'exceptZero' }),
  ]
  let isAnyFiner = false
  const note = (amount: number) => {
    isAnyFiner ||= Number(amount.toFixed(decimals)) !== amount
    return amount
  }
  return {
    format: (amount) => plain.format(note(amount)),
    formatExtra: (amount) => (amount === 0 ? '' : signed.format(note(amount))),
    getRounding: () => (isAnyFiner ? plain.format(10 ** -decimals) : undefined),
  }
}
