import { toAsciiDigits } from './numbers.ts'

/** Currencies that use a symbol. Symbols are compared in lower case and without a point at the end. */
const bySymbol: Readonly<Record<string, string>> = {
  $: 'USD CAD AUD NZD MXN ARS CLP COP SGD HKD TWD BRL UYU JMD TTD BBD BSD BZD FJD XCD',
  '¥': 'JPY CNY',
  '￥': 'JPY CNY',
  // The byte of this character in Japanese and Korean encodings is shown as the sign of the currency.
  '\\': 'JPY KRW',
  '€': 'EUR',
  '£': 'GBP EGP LBP GIP FKP',
  kr: 'SEK NOK DKK ISK',
  zł: 'PLN',
  kč: 'CZK',
  ft: 'HUF',
  '₺': 'TRY',
  tl: 'TRY',
  '₽': 'RUB',
  руб: 'RUB',
  '₴': 'UAH',
  грн: 'UAH',
  '₪': 'ILS',
  '฿': 'THB',
  '₩': 'KRW',
  '₹': 'INR',
  rs: 'INR PKR LKR NPR',
  '₫': 'VND',
  đ: 'VND',
  rp: 'IDR',
  rm: 'MYR',
  r$: 'BRL',
  '₱': 'PHP',
  '₦': 'NGN',
  '₵': 'GHS',
  '₸': 'KZT',
  '₲': 'PYG',
  '₡': 'CRC',
  '₾': 'GEL',
  lei: 'RON',
  лв: 'BGN',
  fr: 'CHF',
  sfr: 'CHF',
  r: 'ZAR',
  元: 'CNY TWD HKD',
  円: 'JPY',
  원: 'KRW',
  us$: 'USD',
  a$: 'AUD',
  c$: 'CAD',
  ca$: 'CAD',
  s$: 'SGD',
  hk$: 'HKD',
  nt$: 'TWD',
  mx$: 'MXN',
}

/** Maximum number of characters of an amount with its currency. */
const maxLength = 60

/** The number in a text, and the currencies that it may be in. Undefined currencies: the text names none. */
export function splitCurrency(text: string): {
  number: string
  currencies?: readonly string[] | undefined
  symbol?: string
} {
  const trimmed = toAsciiDigits(text.trim())
  const [, before = '', digits = '', after = ''] =
    /^([^\d]*?)([.,]?\d(?:.*\d)?[.,]?)([^\d]*)$/s.exec(trimmed.slice(0, maxLength)) ?? []
  const inBrackets = before.includes('(') && after.includes(')')
  const [head, tail] = [before, after].map((part) => part.replace(/[()+\-−–\s\u00a0\u202f]/g, '').replace(/\.$/, ''))
  const mark = head || tail
  if (trimmed.length > maxLength || !mark || (head && tail)) return { number: trimmed }
  const symbol = mark.toLowerCase()
  const known = Object.hasOwn(bySymbol, symbol) ? bySymbol[symbol]?.split(' ') : undefined
  const currencies = known ?? (/^[a-z]{3}$/.test(symbol) ? [symbol.toUpperCase()] : undefined)
  if (!currencies) return { number: trimmed }
  const sign = /[-−–]/.test(before) ? '-' : ''
  return { number: inBrackets ? `(${digits})` : `${sign}${digits}`, currencies, symbol }
}
