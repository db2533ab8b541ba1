import { type FoundText, findEmails, findExact, findPhones, isSignificant, toEmail, toPhone } from './contacts.ts'
import { NameIndex, type PersonName } from './names.ts'

/** Current and earlier stored values of a customer. */
interface PersonValues {
  id: string
  externalIds: readonly string[]
  emails: readonly string[]
  phones: readonly string[]
  names: readonly PersonName[]
}

/** A person, prepared for searching texts. */
export interface Person {
  id: string
  externalIds: ReadonlySet<string>
  /** Normalized emails and phone numbers, including those that are too short to identify a person. */
  emails: ReadonlySet<string>
  phones: ReadonlySet<string>
  names: NameIndex
  /** Emails and phone numbers that other customers also have. They do not identify a person alone. */
  shared: ReadonlySet<string>
  /** External ids that objects of other resources also have. */
  ambiguous: ReadonlySet<string>
}

const toSet = (values: readonly (string | undefined)[]): ReadonlySet<string> =>
  new Set(values.filter((value) => value !== undefined).filter((value) => value !== ''))

/** A person by whom texts are searched: contacts and names in one spelling. */
export function createPerson({ id, externalIds, emails, phones, names }: PersonValues): Person {
  return {
    id,
    externalIds: toSet(externalIds),
    emails: toSet(emails.map((email) => toEmail(email) ?? email.trim().toLowerCase())),
    // A `(0)` may have lost its parentheses.
    phones: toSet(phones.flatMap((phone) => [toPhone(phone), toPhone(phone.replace(/[()]/g, ''))])),
    names: new NameIndex(names),
    shared: new Set(),
    ambiguous: new Set(),
  }
}

/** The emails and phone numbers that may identify the person. */
export const listContacts = ({ emails, phones }: Person): string[] => [...emails, ...phones].filter(isSignificant)

/** Characters that SQL removes from a text before the search; they must match `stripped` in `person-search.ts`. */
const separators = /[\s().+/\u00a0\u200b\u2010-\u2015-]/gu
const maxNeedleDigits = 9

/** The longest part of a value that every encoding of JSON leaves unchanged. */
function toNeedle(value: string): string {
  const plain = value.normalize('NFKC').toLowerCase().replace(separators, '')
  const parts = plain.split(/[^a-z0-9@_]+/).sort((a, b) => b.length - a.length)
  return parts[0] || '@'
}

/** Search texts in lower case and without separators. Each stored text that contains the person contains at least one of them. */
export function listNeedles(person: Person): string[] {
  const phones = [...person.phones].filter(isSignificant).map((digits) => digits.slice(-maxNeedleDigits))
  const others = [person.id, ...person.externalIds, ...[...person.emails].filter(isSignificant)]
  return [...new Set([...others.map(toNeedle), ...phones])]
}

/** A text that is only an email or a phone number, and whether it belongs to the person. */
type Contact = { kind: 'email' | 'phone'; value: string; isPersons: boolean }
/** Reads a text that is only an email or a phone number. Undefined if the text is something else. */
export function readContact(person: Person, text: string): Contact | undefined {
  const email = toEmail(text)
  if (email !== undefined) return { kind: 'email', value: email, isPersons: person.emails.has(email) }
  const phone = toPhone(text)
  if (phone === undefined || !isSignificant(phone)) return undefined
  return { kind: 'phone', value: phone, isPersons: person.phones.has(phone) }
}

/** Extent of the removal of a person: all values, or only those that cannot belong to anybody else. */
export type Extent = 'all' | 'own'

const letterOrDigit = /[\p{L}\p{N}]/u

/** A text without some parts. Empty if no letter or digit is left. */
function cut(text: string, parts: readonly Pick<FoundText, 'start' | 'end'>[]): string {
  let [rest, at] = ['', 0]
  for (const { start, end } of parts.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start > at) rest += text.slice(at, start)
    at = Math.max(at, end)
  }
  rest += text.slice(at)
  return letterOrDigit.test(rest) ? rest.toWellFormed() : ''
}

/** A text without the person. The text itself if it does not contain it. */
export function redactText(person: Person, text: string, extent: Extent): string {
  const { id, emails, phones, names, externalIds, shared } = person
  const isAll = extent === 'all'
  const isRemoved = (value: string) => isAll || (isSignificant(value) && !shared.has(value))
  if (isAll) {
    const email = toEmail(text)
    const phone = toPhone(text)
    const isContact = (email !== undefined && emails.has(email)) || (phone !== undefined && phones.has(phone))
    if (isContact || externalIds.has(text) || names.isWhole(text)) return ''
  }
  const ids = [id, ...(isAll ? externalIds : [])].filter(isSignificant)
  const significant = new Set([...phones].filter((phone) => isSignificant(phone) && isRemoved(phone)))
  const parts = [
    ...ids.flatMap((each) => findExact(text, each)),
    ...(text.includes('@') || text.includes('＠') ? findEmails(text) : []).filter(
      ({ value }) => emails.has(value) && isRemoved(value),
    ),
    ...findPhones(text, significant),
    ...names.find(text).filter(({ kinds }) => isAll || kinds.has('full')),
  ]
  return parts.length === 0 ? text : cut(text, parts)
}
