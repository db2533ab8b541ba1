export const numberFormats = ['point', 'comma'] as const
/** The decimal separator: `1,234.56` or `1.234,56`. */
export type DecimalSeparator = (typeof numberFormats)[number]

/** Meaning of a text as a number. `either`: it depends on the decimal separator of the file. */
export type NumberReading =
  | { kind: 'one'; value: number; format?: DecimalSeparator | undefined }
  | { kind: 'either'; point: number; comma: number }

const formatOf = (separator: string): DecimalSeparator => (separator === '.' ? 'point' : 'comma')
const otherThan = (format: DecimalSeparator): DecimalSeparator => (format === 'point' ? 'comma' : 'point')

/** Rounds the noise of binary fractions, such as 19.990000000000002, to four decimals. */
export function removeNoise(value: number): number {
  const rounded = Math.round(value * 10_000) / 10_000
  return Math.abs(value - rounded) < 1e-9 * Math.max(1, Math.abs(value)) ? rounded : value
}

const one = (text: string, format?: DecimalSeparator): NumberReading => ({
  kind: 'one',
  value: removeNoise(Number(text)),
  format,
})

const spaces = /[\s\u00a0\u202f\u2009'’]/
const groupedBySpace = /^(\d{1,3}(?:[\s\u00a0\u202f\u2009'’]\d{3})+)(?:([.,])(\d*))?$/
const isGrouped = (text: string, separator: string) => {
  const [first = '', ...groups] = text.split(separator)
  return /^[1-9]\d{0,2}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group))
}
/** Lakhs and crores: `12,34,567`. */
const indian = /^[1-9]\d?(?:,\d{2})+,\d{3}$/

function readUnsigned(text: string): NumberReading | undefined {
  if (/^\d+$/.test(text)) return one(text)
  if (/^\d*\.?\d+e[+-]?\d{1,3}$/i.test(text)) return one(text)
  const [, spaced, mark, decimals = ''] = groupedBySpace.exec(text) ?? []
  if (spaced !== undefined) {
    const whole = spaced.split(spaces).join('')
    return mark === undefined ? one(whole) : one(`${whole}.${decimals || '0'}`, formatOf(mark))
  }
  if (!/^[\d.,]+$/.test(text) || !/\d/.test(text)) return undefined
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  const separator = text[last] ?? ''
  const format = formatOf(separator)
  const other = separator === '.' ? ',' : '.'
  const [before, after] = [text.slice(0, last), text.slice(last + 1)]
  if (before.includes(other)) {
    // Both separators: the last one stands before the decimals.
    if (before.includes(separator)) return undefined
    const isThousands = isGrouped(before, other) || (other === ',' && indian.test(before))
    return isThousands ? one(`${before.split(other).join('')}.${after || '0'}`, format) : undefined
  }
  if (before.includes(separator)) {
    const isThousands = isGrouped(text, separator) || (separator === ',' && indian.test(text))
    return isThousands ? one(text.split(separator).join(''), otherThan(format)) : undefined
  }
  const decimal = one(`${before || '0'}.${after || '0'}`, format)
  if (!isGrouped(text, separator) || decimal.kind !== 'one') return decimal
  const thousands = Number(`${before}${after}`)
  return format === 'point'
    ? { kind: 'either', point: decimal.value, comma: thousands }
    : { kind: 'either', point: thousands, comma: decimal.value }
}

function negate(reading: NumberReading): NumberReading {
  if (reading.kind === 'one') return { ...reading, value: -reading.value }
  return { kind: 'either', point: -reading.point, comma: -reading.comma }
}

/** The first of ten digits of Arabic, Persian, Devanagari, Thai, and full width. */
const zeros = [0x660, 0x6f0, 0x966, 0xe50, 0xff10] as const
const otherDigit = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u0e50-\u0e59\uff10-\uff19]/g
/** A text with ASCII digits and separators in place of those of other scripts. */
export function toAsciiDigits(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text
  const digits = text.replace(otherDigit, (digit) => {
    const code = digit.charCodeAt(0)
    return String(code - (zeros.findLast((zero) => zero <= code) ?? code))
  })
  // The Arabic separator of thousands has no other meaning.
  return digits
    .replace(/(?<=\d)\u066c(?=\d{3})/g, '')
    .replace(/[\u066b\uff0e]/g, '.')
    .replaceAll('\uff0c', ',')
}

/** A number without the percent sign behind it. */
export function withoutPercent(text: string): string {
  const trimmed = text.trimEnd()
  return trimmed.endsWith('%') ? trimmed.slice(0, -1).trimEnd() : trimmed
}

/** Maximum number of characters of a number. */
const maxLength = 40

/** Reads a number without currency. A group of three digits is thousands only after one to three digits that do not start with zero. */
export function readNumber(text: string): NumberReading | undefined {
  // A dash in place of the decimals, or of what is before them: `4,-`, `4.–`, `-,60`.
  const trimmed = toAsciiDigits(text.trim())
    .replace(/(?<=\d)[.,][-–—]{1,2}$/, '')
    .replace(/^[-–—](?=,\d{2}$)/, '0')
  if (trimmed === '' || trimmed.length > maxLength) return undefined
  const [, sign = '', digits = ''] = /^([+\-−–])?\s*(.*)$/s.exec(trimmed) ?? []
  const [, inBrackets] = /^\((.+)\)$/.exec(digits) ?? []
  const reading = readUnsigned(inBrackets ?? digits)
  if (!reading) return undefined
  return (sign !== '' && sign !== '+') !== (inBrackets !== undefined) ? negate(reading) : reading
}
