/** Part of a text, and its normalized form. */
export interface FoundText {
  start: number
  end: number
  value: string
}

/** Minimum length of an email, a phone number or an id. Shorter ones are too common to identify a person. */
const minSignificant = 6
/** Whether a value is long enough to identify a person. */
export const isSignificant = (value: string) => value.length >= minSignificant

const invisible = /[\s\p{Cf}]+/gu
const emailForm = /^[^\s@<>"]{1,255}@[^\s@<>"]{1,255}$/u
const phoneForm = /^[\d\s().+/x\u2010-\u2015-]*\d[\d\s().+/x\u2010-\u2015-]*$/iu

/** The email of a text that is only an email, in lower case and without spaces. Undefined if the text is not an email. */
export function toEmail(text: string): string | undefined {
  if (!text.includes('@') || text.length > 600) return undefined
  const plain = text.normalize('NFKC').replace(invisible, '').toLowerCase()
  const address = plain.replace(/^mailto:/, '').replace(/^[<"']|[>"']$/g, '')
  return emailForm.test(address) ? address : undefined
}

const toDigits = (text: string) => text.replace(/\(0\)/g, '').replace(/\D/g, '').replace(/^00/, '')

/** The digits of a text that is only a phone number. Undefined if the text is not a phone number. */
export function toPhone(text: string): string | undefined {
  if (text.length > 64) return undefined
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/^'|^tel:/, '')
  return phoneForm.test(plain) ? toDigits(plain) : undefined
}

const wordCharacter = /[\p{L}\p{N}\p{M}]/u
const isWordAt = (text: string, at: number) => wordCharacter.test(text.charAt(at))
const connectors = '.-_+%@'

/** Whether a part of a text is a separate word: not inside a longer word, and not connected to one like `a` in `a.b`. */
function hasBoundaries(text: string, start: number, end: number): boolean {
  const isConnected = (at: number, step: 1 | -1) =>
    isWordAt(text, at) || (connectors.includes(text.charAt(at) || ' ') && isWordAt(text, at + step))
  return !isConnected(start - 1, -1) && !isConnected(end, 1)
}

/** All positions of a value in a text, at word boundaries. */
export function findExact(text: string, value: string): FoundText[] {
  const found: FoundText[] = []
  for (let start = text.indexOf(value); start !== -1; start = text.indexOf(value, start + value.length)) {
    const end = start + value.length
    if (hasBoundaries(text, start, end)) found.push({ start, end, value })
  }
  return found
}

const addressEnd = /[\s<>()[\]{}"\\,;:|@＠]/u
const maxAddressPart = 255

/** The emails in a text. */
export function findEmails(text: string): FoundText[] {
  const found: FoundText[] = []
  for (let at = text.search(/[@＠]/u); at !== -1; ) {
    let [start, end] = [at, at + 1]
    while (start > 0 && at - start < maxAddressPart && !addressEnd.test(text.charAt(start - 1))) start--
    while (end < text.length && end - at < maxAddressPart && !addressEnd.test(text.charAt(end))) end++
    while (end > at && !isWordAt(text, end - 1)) end--
    // A quote, or the name of a parameter, is not part of the address.
    const local = /[^'=/?&]*$/u.exec(text.slice(start, at))?.[0].replace(/^[^\p{L}\p{N}]+/u, '') ?? ''
    start = at - local.length
    const value = toEmail(text.slice(start, end))
    if (value !== undefined) found.push({ start, end, value })
    const next = text.slice(at + 1).search(/[@＠]/u)
    at = next === -1 ? -1 : at + 1 + next
  }
  return found
}

const digitRuns = /[\d０-９](?:[\d０-９]|[\s().+/\u2010-\u2015-]{1,3}(?=[\d０-９(]))*/gu
const digitGroups = /[\d０-９]+/gu

/** The number of groups of digits in the longest phone number at the start of a list of groups. 0 if no phone number starts there. */
function countGroups(
  groups: readonly string[],
  first: number,
  phones: ReadonlySet<string>,
  lengths: ReadonlySet<number>,
) {
  const max = Math.max(...lengths)
  let [digits, count] = ['', 0]
  for (let at = first; at < groups.length && digits.length <= max + 2; at++) {
    digits += groups[at] ?? ''
    const value = digits.startsWith('00') ? digits.slice(2) : digits
    if (lengths.has(value.length) && phones.has(value)) count = at - first + 1
  }
  return count
}

/** The positions of phone numbers in a text. Their groups of digits may be separated by white space and punctuation. */
export function findPhones(text: string, phones: ReadonlySet<string>): FoundText[] {
  const found: FoundText[] = []
  const lengths = new Set([...phones].map((phone) => phone.length))
  if (lengths.size === 0) return found
  for (const run of text.matchAll(digitRuns)) {
    const places = [...run[0].matchAll(digitGroups)]
    // The digit in `(0)` is dialled only within the country.
    const isTrunkPrefix = (at: number) => run[0].slice(at - 1, at + 2) === '(0)'
    const groups = places.map(({ 0: digits, index }) => (isTrunkPrefix(index) ? '' : digits.normalize('NFKC')))
    for (let first = 0; first < groups.length; first++) {
      const count = countGroups(groups, first, phones, lengths)
      const last = places[first + count - 1]
      if (count === 0 || !last) continue
      let start = run.index + (places[first]?.index ?? 0)
      const end = run.index + last.index + last[0].length
      first += count - 1
      if (isWordAt(text, start - 1) || isWordAt(text, end)) continue
      while ('+('.includes(text.charAt(start - 1) || ' ')) start--
      found.push({ start, end, value: groups.slice(first - count + 1, first + 1).join('') })
    }
  }
  return found
}
