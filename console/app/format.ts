import { locale, t } from './language.ts'
import { session } from './session.ts'

const currency = () => session.value?.merchant.currency

/** Decimal places of the currency; two if the venue has no currency. */
const decimals = () =>
  currency() === undefined
    ? 2
    : (new Intl.NumberFormat('en', { style: 'currency', currency: currency() }).resolvedOptions()
        .maximumFractionDigits ?? 2)

/** Rounds a price to the decimal places of the currency. */
export const roundPrice = (price: number) => Math.round(price * 10 ** decimals()) / 10 ** decimals()

/** An amount in the minor unit of the currency, such as cents, as a price. */
export const fromCents = (amount: number) => amount / 10 ** decimals()

/** A name with a capital letter: `Loyverse`. */
export const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A price with its currency: `3,20 €`. */
export const formatPrice = (price: number) =>
  currency() === undefined
    ? formatAmount(price)
    : new Intl.NumberFormat(locale.value, {
        style: 'currency',
        currency: currency(),
        maximumFractionDigits: Math.max(4, decimals()),
        minimumFractionDigits: decimals(),
      }).format(price)

/** A price in a field, without currency and groups: `1200,50`. */
export const formatAmount = (price: number) =>
  new Intl.NumberFormat(locale.value, {
    useGrouping: false,
    // Four decimal places for a finer price, because `parsePrice` rejects three.
    minimumFractionDigits: roundPrice(price) === price ? decimals() : 4,
    maximumFractionDigits: Math.max(4, decimals()),
  }).format(price)

/** A number in a field. */
export const formatNumber = (value: number | undefined) =>
  value === undefined
    ? ''
    : new Intl.NumberFormat(locale.value, { useGrouping: false, maximumFractionDigits: 10 }).format(value)

/** The number that a person typed, with a point or a comma. Undefined if it is not a number. */
export function parseAmount(text: string): number | undefined {
  const plain = text.replace(/[\s\u00a0]/g, '').replace(',', '.')
  return /^[-+]?(?:\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : undefined
}

/** `1,200` and `1.200` are ambiguous: they mean about a thousand in some countries, and about one in others. */
const isAmbiguous = (text: string) => /^[-+]?[1-9]\d{0,2}[.,]\d{3}$/.test(text.trim())

/** The price that a person typed. Undefined also for `1,200`, unless the currency has three decimals. */
export const parsePrice = (text: string): number | undefined =>
  decimals() !== 3 && isAmbiguous(text) ? undefined : parseAmount(text)

/** A hint for the field of a price: a warning if the typed price is finer than the currency, else `hint`. */
export function priceHint(typed: string, hint?: string): string | undefined {
  const price = parsePrice(typed)
  return price === undefined || roundPrice(price) === price ? hint : t().dish.finePrice(formatPrice(10 ** -decimals()))
}

/** The text about a price that cannot be read: a cell of a price list may have those of several sizes, `7,50 / 9,50`. */
export const explainPrice = (typed: string): string =>
  /\d *[/|]/.test(typed) ? t().issue.severalPrices : t().issue.notAPrice

/** The quantity that a person typed. Undefined also for `1,200`. */
export const parseQuantity = (text: string): number | undefined => (isAmbiguous(text) ? undefined : parseAmount(text))

/** A quantity in a field, which `parseQuantity` reads. */
export function formatQuantity(quantity: number | undefined): string {
  const text = formatNumber(quantity)
  return isAmbiguous(text) ? `${text}0` : text
}

/** The whole number that a person typed. Undefined if it is not a whole number, and for `1,200`. */
export function parseWhole(text: string): number | undefined {
  const plain = text.replace(/[\s\u00a0]/g, '')
  return /^[-+]?\d+$/.test(plain) ? Number(plain) : undefined
}

/** The symbol of the currency: `€`. */
export const currencySymbol = () =>
  currency() === undefined
    ? ''
    : (new Intl.NumberFormat(locale.value, { style: 'currency', currency: currency() })
        .formatToParts(0)
        .find(({ type }) => type === 'currency')?.value ?? '')

/** A time in the venue's time zone, with the day unless it is today, and the year unless it is the current one. */
export function formatTime(seconds: number): string {
  const timeZone = session.value?.merchant.timezone
  const date = new Date(seconds * 1000)
  const day = (moment: Date) => new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(moment)
  const [wanted, today] = [day(date), day(new Date())]
  const isThisYear = wanted.slice(0, 4) === today.slice(0, 4)
  return new Intl.DateTimeFormat(locale.value, {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    ...(wanted !== today && {
      day: 'numeric',
      month: 'short',
      ...(isThisYear ? { weekday: 'short' } : { year: 'numeric' }),
    }),
  }).format(date)
}
