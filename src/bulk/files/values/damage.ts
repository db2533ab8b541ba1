import { monthNames } from './month-names.ts'

/** A long number as a spreadsheet shows it: `1,23E+12`. The digits are lost. */
const scientific = /^[+-]?\d(?:[.,]\d+)?e\+?\d{1,3}$/i
/** A date as digits: `03.05.2026`, `2026-05-03`. */
const numericDate = /^(?:\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d{2})|\d{4}-\d{1,2}-\d{1,2})(?:[ T].*)?$/
/** A day or a year with the name of a month: `03. Mai`, `May-03`, `3-Mär-26`. */
const namedDate =
  /^(?:\d{1,4}[.\s/-]{1,2}(\p{L}[\p{L}\p{M}]*)|(\p{L}[\p{L}\p{M}]*)[.\s/-]{1,2}\d{1,4})\.?(?:[.\s/-]{1,2}\d{1,4})?$/u

/** Whether a code or a phone number lost digits in a spreadsheet. */
export const isShortened = (text: string): boolean => scientific.test(text.trim())

/** Whether a spreadsheet has turned a number or a code into a date. */
export function isDate(text: string): boolean {
  const trimmed = text.trim()
  if (trimmed.length > 40) return false
  if (numericDate.test(trimmed)) return true
  const [, after, before] = namedDate.exec(trimmed) ?? []
  const name = (after ?? before)?.toLowerCase().replace(/\.$/, '')
  return name !== undefined && monthNames().has(name)
}

/** Advice about a damaged value. */
export const damageAdvice =
  'was changed by a spreadsheet; format the column as text there, enter the value again, and save the file'
