import { monthNames } from './month-names.ts'

export const dateFormats = ['day_first', 'month_first'] as const
/** Order of day and month in dates such as `03/04/2026`. */
export type DateFormat = (typeof dateFormats)[number]

/** A day, as milliseconds of its midnight in UTC, with its time of day. */
export interface FileDate {
  dayMs: number
  /** Milliseconds after midnight. Undefined: the whole day. */
  timeMs?: number | undefined
  /** Offset from UTC in milliseconds. Undefined: the time is that of the venue. */
  offsetMs?: number | undefined
}

/** Meaning of a text as a date. `either`: it depends on the order of day and month in the file. */
type DateReading =
  | { kind: 'one'; date: FileDate; format?: DateFormat | undefined }
  | { kind: 'either'; dates: Readonly<Record<DateFormat, FileDate>> }

/** Maximum number of characters of a date. */
const maxLength = 60

const time =
  /(?<=\d)[T\s,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?\s*([ap]\.?m\.?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i
const [minuteMs, hourMs] = [60_000, 3_600_000]

function readOffset(zone: string | undefined): number | undefined {
  if (zone === undefined) return undefined
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? []
  const ms = Number(hours) * hourMs + Number(minutes) * minuteMs
  return sign === '-' ? -ms : ms
}

/** Splits a text into its date and its time. Undefined if the time does not exist. */
function splitTime(text: string): { day: string; time: Omit<FileDate, 'dayMs'> } | undefined {
  const found = time.exec(text)
  if (!found) return { day: text, time: {} }
  const [, hourText = '', minutes = '', seconds = '0', half = '', zone] = found
  const isAfternoon = /^p/i.test(half)
  const hours = half === '' ? Number(hourText) : (Number(hourText) % 12) + (isAfternoon ? 12 : 0)
  if (hours > 24 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  const timeMs = hours * hourMs + Number(minutes) * minuteMs + Number(seconds) * 1_000
  return { day: text.slice(0, found.index).trim(), time: { timeMs, offsetMs: readOffset(zone) } }
}

/** Midnight of a day in UTC. Undefined if the day does not exist. */
function toDay(year: string, month: number, day: string): number | undefined {
  const fullYear = year.length === 2 ? 2000 + Number(year) : Number(year)
  const ms = Date.UTC(fullYear, month - 1, Number(day))
  const date = new Date(ms)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === Number(day) ? ms : undefined
}

/** The day of digits that begin with a year, of points between them, or of the name of a month. */
function readPlainDay(text: string): number | undefined {
  const [, year, month, day] = /^(\d{4})[-/.年]\s?(\d{1,2})[-/.月]\s?(\d{1,2})日?$/.exec(text) ?? []
  if (year !== undefined) return toDay(year, Number(month), day ?? '')
  const [, first, second, last] = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})\.?$/.exec(text) ?? []
  if (first !== undefined) return toDay(last ?? '', Number(second), first)
  const named =
    /^(\d{1,2})[.\s-]{1,2}(?:de |d')?(\p{L}[\p{L}\p{M}]*)[.\s,-]{0,2}(?:de )?(\d{4}|\d{2})$/u.exec(text) ??
    /^(?<month>\p{L}[\p{L}\p{M}]*)[.\s-]{1,2}(\d{1,2})(?:st|nd|rd|th)?[.,\s-]{1,2}(\d{4})$/u.exec(text)
  if (!named) return undefined
  const [, one = '', two = '', end = ''] = named
  const isMonthFirst = named.groups?.['month'] !== undefined
  const number = monthNames().get((isMonthFirst ? one : two).toLowerCase())
  return number === undefined ? undefined : toDay(end, number, isMonthFirst ? two : one)
}

/** Reads a date, or a time as seconds or milliseconds since 1970. Undefined if the text is not a date. */
export function readDate(text: string): DateReading | undefined {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.length > maxLength) return undefined
  if (/^\d{9,10}$|^\d{13}$/.test(trimmed)) {
    const ms = trimmed.length === 13 ? Number(trimmed) : Number(trimmed) * 1_000
    return { kind: 'one', date: { dayMs: ms, timeMs: 0, offsetMs: 0 } }
  }
  const split = splitTime(trimmed)
  if (!split) return undefined
  const plain = readPlainDay(split.day)
  if (plain !== undefined) return { kind: 'one', date: { dayMs: plain, ...split.time } }
  const [, first = '', second = '', year = ''] = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})$/.exec(split.day) ?? []
  if (first === '') return undefined
  const [dayFirst, monthFirst] = [toDay(year, Number(second), first), toDay(year, Number(first), second)]
  const toDate = (dayMs: number): FileDate => ({ dayMs, ...split.time })
  if (dayFirst !== undefined && monthFirst !== undefined) {
    if (dayFirst === monthFirst) return { kind: 'one', date: toDate(dayFirst) }
    return { kind: 'either', dates: { day_first: toDate(dayFirst), month_first: toDate(monthFirst) } }
  }
  if (dayFirst !== undefined) return { kind: 'one', date: toDate(dayFirst), format: 'day_first' }
  return monthFirst === undefined ? undefined : { kind: 'one', date: toDate(monthFirst), format: 'month_first' }
}
