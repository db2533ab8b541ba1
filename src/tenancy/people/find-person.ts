import type { Database, Values } from '../../platform/db/database.ts'
import type { Row } from '../../platform/db/row.ts'
import type { Scope } from '../../platform/db/scope.ts'
import { sqlName } from '../../platform/db/sql-name.ts'
import { isObject } from '../../platform/lib/schema-guard.ts'
import { findOthers } from './other-customers.ts'
import { createMentioned } from './person/order.ts'
import { createPerson, listContacts, listNeedles, type Person } from './person/person.ts'
import { maxEventsRead } from './person-events.ts'
import { maxPersonEvents, personStatements as statements } from './person-statements.ts'

/** Stored data of a customer. */
export interface StoredPerson {
  customer: Row | undefined
  /** Whether any data is left to export or to erase. */
  exists: boolean
  person: Person
  /** The events of the customer and its redemptions, and the numbers of all events that were read. */
  events: readonly string[]
  first: number
  last: number
  /** Parameters of the statements that find the person. */
  values: Values
}

function parseRow(text: string | null): Row {
  try {
    const parsed: unknown = JSON.parse(text ?? '{}')
    return isObject(parsed) ? parsed : {}
  } catch {
    return {}
  }
}

const textOf = (row: Row, key: string): string[] => {
  const value = row[sqlName(key)] ?? row[key]
  return typeof value === 'string' && value !== '' ? [value] : []
}

/** Calls `read` for each window of events, from the first on. `read` returns the number of the last event that it read. */
export async function forEachWindow(
  { first, last }: Pick<StoredPerson, 'first' | 'last'>,
  read: (window: { after: number; until: number }) => Promise<number>,
): Promise<void> {
  for (let after = first - 1; after < last; ) {
    after = await read({ after, until: Math.min(last, after + maxEventsRead) })
  }
}

/**
 * Reads a customer and its current and earlier values: its id, its external ids, and its fields in stored events. Statements read a bounded number of
 * events each.
 */
export async function findPerson(database: Database, scope: Scope, id: string): Promise<StoredPerson> {
  const found = { ...scope, id }
  const read = () =>
    database.run([statements.customer(), found], [statements.bounds(), found], [statements.audited(), found])
  const [[customer], [bounds = { first: 0, last: 0 }], [audit]] = await database.findNamed(
    read,
    ([[row]]) => row !== undefined,
  )
  const rows = customer ? [customer] : []
  const externalIds = customer ? textOf(customer, 'externalId') : []
  const events: string[] = []
  let isLeft = false
  await forEachWindow(bounds, async (window) => {
    const [page] = await database.run([statements.events(), { ...found, ...window }])
    for (const event of page) {
      events.push(event.id)
      isLeft ||= event.erasedAt === null
      const row = parseRow(event.row)
      if (event.externalId !== null && row['id'] === id) externalIds.push(event.externalId)
      // The old values of an update are also in the row of the previous event.
      if (row['id'] === id) rows.push({ ...row, ...parseRow(event.previous) }, row)
    }
    return page.length === maxPersonEvents ? (page.at(-1)?.seq ?? window.until) : window.until
  })
  const person = createPerson({
    id,
    externalIds,
    emails: rows.flatMap((row) => textOf(row, 'email')),
    phones: rows.flatMap((row) => textOf(row, 'phone')),
    names: rows.map((row) => ({ first: textOf(row, 'firstName')[0] ?? '', last: textOf(row, 'lastName')[0] ?? '' })),
  })
  const mentioned = createMentioned()
  for (const contact of listContacts(person)) mentioned.contacts.add(contact)
  for (const externalId of person.externalIds) mentioned.externalIds.add(externalId)
  const exists = customer !== undefined || isLeft || audit?.titled === 1
  const others = exists ? await findOthers(database, found, mentioned) : undefined
  return {
    customer,
    exists,
    person: { ...person, shared: others?.contacts ?? new Set(), ambiguous: others?.ambiguous ?? new Set() },
    events,
    ...bounds,
    values: {
      ...found,
      version: Number(customer?.['version'] ?? 0),
      needles: JSON.stringify(listNeedles(person)),
      events: JSON.stringify(events),
      seen: bounds.last,
    },
  }
}
