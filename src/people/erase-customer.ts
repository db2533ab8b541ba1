import type { Database } from '../db/database.ts'
import { ConstraintError } from '../db/database-errors.ts'
import { directoryDatabase } from '../db/home/connect.ts'
import type { Row } from '../db/row.ts'
import type { Scope } from '../db/scope.ts'
import { sqlName } from '../db/sql-name.ts'
import { commit, type Write } from '../db/transaction.ts'
import type { Bindings } from '../env.ts'
import { notFound } from '../errors.ts'
import { isObject } from '../lib/schema-guard.ts'
import { fanOut, toPendingDeliveries } from '../outbox/fan-out.ts'
import { type Caller, createEventValues } from '../resource/caller.ts'
import { busy, maxWriteAttempts, pauseAfter } from '../resource/object-lock.ts'
import { isErased, listErasure } from './erasures.ts'
import { createReplaced, maxReplaced, personalFields } from './person-events.ts'
import { personStatements as statements } from './person-statements.ts'

/** The forms of a text in JSON: with and without escapes of characters beyond ASCII. */
function toJsonForms(text: string): string[] {
  const json = JSON.stringify(text)
  const escaped = json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [...new Set([json, escaped])]
}

function parseRow(text: string | null): Row {
  try {
    const parsed: unknown = JSON.parse(text ?? '{}')
    return isObject(parsed) ? parsed : {}
  } catch {
    return {}
  }
}

/** Fields that identify a person by themselves. Names do not. */
const identifying = ['email', 'phone']
const nameFields = personalFields.map(([key]) => key).filter((key) => !identifying.includes(key))

/** Stored data of a customer. */
export interface StoredPerson {
  customer: Row | undefined
  /** Anything is left to export or to erase. */
  exists: boolean
  /** Parameters of the statements that find the person. */
  values: Row
}

/** Reads a customer and the texts that identify it in orders and imports: its id, and recent values of its fields. */
export async function findPerson(database: Database, scope: Scope, id: string): Promise<StoredPerson> {
  const values = { ...scope, id }
  const [[customer], versions] = await database.run([statements.customer(), values], [statements.versions(), values])
  const rows = [customer ?? {}, ...versions.flatMap(({ row, previous }) => [parseRow(row), parseRow(previous)])]
  const collect = (keys: readonly string[]) => {
    const found = rows.flatMap((row) => keys.flatMap((key) => [row[sqlName(key)], row[key]]))
    return [...new Set(found.filter((value) => typeof value === 'string').filter((value) => value !== ''))]
  }
  const marks = [id, ...collect(identifying)]
  return {
    customer,
    exists: customer !== undefined || versions.some(({ erasedAt }) => erasedAt === null),
    values: {
      ...values,
      version: Number(customer?.['version'] ?? 0),
      needles: JSON.stringify(marks.flatMap(toJsonForms)),
      texts: JSON.stringify(marks),
      ...createReplaced([...marks, ...collect(nameFields)].flatMap(toJsonForms).slice(0, maxReplaced)),
    },
  }
}

/** Statements that remove a person from everything that is stored. Take the values of `findPerson`, and `:now` in seconds. */
export const createErasure = (values: Row): Write => [
  [statements.guard(), values],
  [statements.redactEvents(), values],
  [statements.redactResponses(), values],
  [statements.redactRedemptions(), values],
  [statements.redactIssues(), values],
  [statements.redactRows(), values],
  [statements.redactStoredResponses(), values],
  [statements.remove(), values],
]

/**
 * Erases a customer in one transaction, and raises `customer.erased`. Lists it in the directory first, for restores of old data.
 * Repeating it changes nothing.
 */
export async function eraseCustomer(env: Bindings, caller: Caller, id: string, response: Response): Promise<void> {
  const { database, scope } = caller
  const directory = directoryDatabase(env)
  for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
    database.usePrimary()
    const { exists, values } = await findPerson(database, scope, id)
    if (!exists) {
      if (await isErased(directory, scope.merchantId, id)) return
      throw notFound()
    }
    const change = { ...values, ...createEventValues(caller) }
    await listErasure(directory, scope.merchantId, id, change.now)
    try {
      const operation = { operation: 'customers.erase', object: id, response }
      const writes = [...createErasure(change), [statements.insertEvent(), change] as const]
      const results: Row[][] = await commit(caller, operation, writes, [[fanOut(), change]])
      const pending = toPendingDeliveries(results.at(-1) ?? [])
      if (pending.length > 0) caller.enqueue(pending)
      // A move may have ended while the transaction waited: the home before has the person.
      await listErasure(directory, scope.merchantId, id, change.now)
      return
    } catch (error) {
      // The customer was changed meanwhile.
      if (!(error instanceof ConstraintError && error.kind === 'not_null')) throw error
      await pauseAfter(attempt)
    }
  }
  throw busy()
}
