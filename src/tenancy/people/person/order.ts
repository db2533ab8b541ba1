import { isSignificant, toEmail, toPhone } from './contacts.ts'
import { type JsonValues, readJsonValues } from './json-values.ts'
import { isPersonKey, judge, type Labelled, type OtherPeople, type Owner } from './ownership.ts'
import { type Extent, type Person, redactText } from './person.ts'

const keyOf = (document: JsonValues, owner: number) => document.objects[owner]?.key ?? ''

/** The values of each object, without those of nested objects. */
function groupByObject(document: JsonValues): Labelled[][] {
  const groups: Labelled[][] = document.objects.map(() => [])
  for (const { owner, key, text } of document.values)
    groups[owner]?.push({ text, key, outerKey: keyOf(document, owner) })
  return groups
}

/** The owner of each object of a document, by its own values. */
function listOwners(person: Person, others: OtherPeople, document: JsonValues): Owner[] {
  const groups = groupByObject(document)
  const names = Map.groupBy(document.names, ({ owner }) => owner)
  return groups.map((values, index) =>
    judge(
      person,
      others,
      values,
      names.get(index)?.map(({ text }) => text),
    ),
  )
}

/** Whether an order belongs to the person, because at least one object in it does. */
export function isOrderOf(person: Person, others: OtherPeople, json: string): boolean {
  const document = readJsonValues(json)
  if (!document) return judge(person, others, splitUnreadable(json)) === 'person'
  return listOwners(person, others, document).includes('person')
}

/**
 * The extent of the removal from each object. An object without an owner belongs to the object that contains it. Values around objects of other
 * people are removed only if they cannot belong to anybody else.
 */
function listExtents(document: JsonValues, owners: readonly Owner[]): (Extent | undefined)[] {
  const outer: Extent = owners.includes('other') ? 'own' : 'all'
  const extents: (Extent | undefined)[] = []
  for (const [index, owner] of owners.entries()) {
    const { parent = -1 } = document.objects[index] ?? {}
    if (owner === 'nobody') extents.push(parent < 0 ? outer : extents[parent])
    else extents.push(owner === 'person' ? 'all' : undefined)
  }
  return extents
}

/** A JSON text without the person, to the extent of each object. All other bytes stay. Undefined if nothing changes. */
export function redactValues(
  person: Person,
  json: string,
  document: JsonValues,
  extents: readonly (Extent | undefined)[] = document.objects.map(() => 'own'),
): string | undefined {
  const parts: string[] = []
  let at = 0
  for (const { owner, start, end, text } of document.values) {
    const extent = extents[owner]
    if (extent === undefined) continue
    const isNumber = json.charAt(start) !== '"'
    // Short numbers are amounts and quantities.
    if (isNumber && text.length < 6) continue
    const redacted = redactText(person, text, extent)
    if (redacted === text) continue
    parts.push(json.slice(at, start), JSON.stringify(isNumber ? '' : redacted))
    at = end
  }
  return parts.length === 0 ? undefined : parts.join('') + json.slice(at)
}

const escapes = /\\u([0-9a-f]{4})/gi

/** The parts of a text that cannot be read as JSON or as a record, between its delimiters. */
export const splitUnreadable = (text: string): Labelled[] =>
  text
    .replace(escapes, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))
    .split(/[",;|\t{}[\]\r\n]+|: /)
    .map((part) => ({ text: part.trim(), key: '', outerKey: '' }))
    .filter((part) => part.text !== '')

/** An order without the person, if it belongs to the person. All other bytes stay. Undefined if nothing changes. */
export function redactOrder(person: Person, others: OtherPeople, json: string): string | undefined {
  const document = readJsonValues(json)
  if (!document) {
    if (judge(person, others, splitUnreadable(json)) !== 'person') return undefined
    const redacted = redactText(person, json, 'all')
    return redacted === json ? undefined : redacted
  }
  const owners = listOwners(person, others, document)
  return owners.includes('person') ? redactValues(person, json, document, listExtents(document, owners)) : undefined
}

/** Values of texts that may be those of other customers. */
export interface Mentioned {
  contacts: Set<string>
  externalIds: Set<string>
}
/** An empty collection, which `mention` fills. */
export const createMentioned = (): Mentioned => ({ contacts: new Set(), externalIds: new Set() })

const maxExternalId = 128

/** Adds the emails, phone numbers and possible external ids of customers in some values. */
export function mention(mentioned: Mentioned, values: Iterable<Labelled>): void {
  for (const value of values) {
    const contact = toEmail(value.text) ?? toPhone(value.text)
    if (contact !== undefined && isSignificant(contact)) mentioned.contacts.add(contact)
    if (isPersonKey(value) && value.text.length <= maxExternalId) mentioned.externalIds.add(value.text)
  }
}

/** Adds the emails, phone numbers and possible external ids of customers in an order. */
export function mentionOrder(mentioned: Mentioned, json: string): void {
  const document = readJsonValues(json)
  mention(mentioned, document ? groupByObject(document).flat() : splitUnreadable(json))
}
