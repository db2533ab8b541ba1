import { findExact, isSignificant } from './contacts.ts'
import { type FoundName, fold } from './names.ts'
import { type Person, readContact } from './person.ts'

/** A value with the members that contain it: the member of its object, and the member that contains this object. */
export interface Labelled {
  text: string
  key: string
  outerKey: string
}

/** Values that customers other than the person have. */
export interface OtherPeople {
  contacts: ReadonlySet<string>
  externalIds: ReadonlySet<string>
}

/** The owner of an object: the person, somebody else, or unknown from its own values. */
export type Owner = 'person' | 'other' | 'nobody'

const personKey = /customer|client|guest|buyer|contact|person|people|member|user|payer|recipient|patron|diner|crm/i
const firstNameKey = /(first|given|fore)[\s_-]?name|vorname|pr[eé]nom/i
const lastNameKey = /(last|family|sur)[\s_-]?name|nachname|apellido/i
const nameKey = /^(full|customer|guest|contact|display)?[\s_-]?name$/i
/** Members with the contacts of the venue itself. */
const venueKey = /venue|merchant|store|shop|restaurant|support|staff|company/i
const customerId = /\bcus_[0-9a-z_]+/g

/** Whether the members that contain a value indicate a person. */
export const isPersonKey = ({ key, outerKey }: Labelled) => personKey.test(key) || personKey.test(outerKey)

/** Whether a value is an external id of the person: its member says so, or nothing else has this value. */
const isExternalId = (person: Person, value: Labelled) =>
  person.externalIds.has(value.text) &&
  (isPersonKey(value) || (isSignificant(value.text) && /\p{L}/u.test(value.text) && !person.ambiguous.has(value.text)))

/** Whether some texts contain both names of the person. */
function hasFullName({ names }: Person, values: readonly Labelled[]): boolean {
  const places: Record<'first' | 'last', Set<FoundName>> = { first: new Set(), last: new Set() }
  for (const { text } of values) {
    for (const found of names.find(text)) {
      if (found.kinds.has('full')) return true
      if (found.kinds.has('first')) places.first.add(found)
      if (found.kinds.has('last')) places.last.add(found)
    }
    // Names without letters are found only as whole texts.
    const whole: FoundName = { start: 0, end: text.length, kinds: new Set() }
    if (places.first.size === 0 && names.firsts.has(fold(text))) places.first.add(whole)
    else if (places.last.size === 0 && names.lasts.has(fold(text))) places.last.add(whole)
  }
  const { first, last } = places
  return first.size > 0 && last.size > 0 && first.union(last).size > 1
}

/** Whether the values contain both names of somebody else, or one text without a name of the person. */
function hasOtherName({ names }: Person, values: readonly Labelled[], isByPhone: boolean): boolean {
  const find = (form: RegExp) => values.find(({ key, text }) => form.test(key) && fold(text) !== '')
  const [first, last, whole] = [find(firstNameKey), find(lastNameKey), find(nameKey)]
  const isOther = (value: Labelled | undefined) => value !== undefined && names.find(value.text).length === 0
  if (first && last) return isOther(first) && isOther(last)
  return isByPhone && isOther(whole) && !names.isWhole(whole?.text ?? '')
}

/** Determines the owner of an object by its own values. `names` are the names of its members. */
export function judge(
  person: Person,
  others: OtherPeople,
  values: readonly Labelled[],
  names: readonly string[] = [],
): Owner {
  const unshared = new Set<'email' | 'phone'>()
  let [isShared, isOtherCustomer, isSomebodyElse] = [false, false, false]
  for (const value of [...values, ...names.map((text) => ({ text, key: '', outerKey: '' }))]) {
    if (findExact(value.text, person.id).length > 0) return 'person'
    if (isExternalId(person, value)) return 'person'
    if (value.text.match(customerId)) isOtherCustomer = true
    if (isPersonKey(value) && others.externalIds.has(value.text)) isSomebodyElse = true
    const contact = readContact(person, value.text)
    if (!contact) continue
    if (!contact.isPersons) {
      if (others.contacts.has(contact.value)) isOtherCustomer = true
      else if (contact.kind === 'email' && !venueKey.test(value.key)) isSomebodyElse = true
    } else if (person.shared.has(contact.value)) isShared = true
    else if (isSignificant(contact.value)) unshared.add(contact.kind)
  }
  isSomebodyElse ||= hasOtherName(person, values, !unshared.has('email'))
  if (isOtherCustomer) return 'other'
  const isNamed = (isShared || isSomebodyElse) && hasFullName(person, values)
  if (unshared.size === 2 || (unshared.size > 0 && (!isSomebodyElse || isNamed)) || (isShared && isNamed))
    return 'person'
  return isSomebodyElse && !isNamed ? 'other' : 'nobody'
}
