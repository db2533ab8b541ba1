import { type Caller, createEventValues } from '../../catalogue/resource/caller.ts'
import { busy, maxWriteAttempts, pauseAfter } from '../../catalogue/resource/object-lock.ts'
import type { Database, Values } from '../../platform/db/database.ts'
import { ConstraintError } from '../../platform/db/database-errors.ts'
import { directoryDatabase } from '../../platform/db/home/d1-connection.ts'
import type { Row } from '../../platform/db/row.ts'
import { commit, type Write } from '../../platform/db/transaction.ts'
import type { Bindings } from '../../platform/env.ts'
import { notFound } from '../../platform/errors.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { fanOut, toPendingDeliveries } from '../../platform/outbox/fan-out.ts'
import { redactImports } from './erase-imports.ts'
import { redactOrders } from './erase-orders.ts'
import { isErased, listErasure } from './erasures.ts'
import { findPerson, type StoredPerson } from './find-person.ts'
import { importPersonStatements } from './import-person-statements.ts'
import { personStatements as statements } from './person-statements.ts'

/** Statements that remove the remaining data of a person in one transaction. It is undone if the person was changed, or new data names the person. */
const createErasure = (values: Values): Write => [
  [statements.guard(), values],
  [statements.guardOrders(), values],
  [importPersonStatements.guardChunks(), values],
  [statements.redactEvents(), values],
  [statements.redactNewEvents(), values],
  [statements.redactResponses(), values],
  [statements.redactRedemptions(), values],
  [statements.redactAudit(), values],
  [importPersonStatements.removeObjectIds(), values],
  [statements.redactStoredResponses(), values],
  [statements.remove(), values],
]

/** Maximum number of seconds by which the clock of an isolate that stores an upload may be behind. */
const maxClockSkew = 60

/** Whether a customer, its orders or its imports were changed while it was being erased. */
const isChangedMeanwhile = (error: unknown) => error instanceof ConstraintError && error.kind === 'not_null'

/**
 * Removes a person from orders and imports, page by page, and calls `finish` with the statements that remove the rest in one transaction. The
 * customer stays until then, so that an interrupted erasure can be repeated. Returns false if there is nothing to erase.
 */
export async function removePerson(
  database: Database,
  find: () => Promise<StoredPerson>,
  finish: (writes: Write, values: Values) => Promise<void>,
): Promise<boolean> {
  for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
    const [found, now] = [await find(), nowInSeconds()]
    if (!found.exists) return false
    await redactOrders(database, found, now)
    const chunks = await redactImports(database, found)
    const values = { ...found.values, now, chunks: JSON.stringify(chunks), since: now - maxClockSkew }
    try {
      await finish(createErasure(values), values)
      return true
    } catch (error) {
      if (!isChangedMeanwhile(error)) throw error
      await pauseAfter(attempt)
    }
  }
  throw busy()
}
/**
 * Erases a customer, and raises `customer.erased`. Lists it in the directory first, for restores of old data. Repeating it changes
 * nothing.
 */
export async function eraseCustomer(env: Bindings, caller: Caller, id: string, response: Response): Promise<void> {
  const { database, scope } = caller
  const directory = directoryDatabase(env)
  database.usePrimary()
  const find = async () => {
    const found = await findPerson(database, scope, id)
    if (found.exists) await listErasure(directory, scope.merchantId, id, nowInSeconds())
    return found
  }
  const isDone = await removePerson(database, find, async (erasure, values) => {
    const change = { ...values, ...createEventValues(caller) }
    const operation = { operation: 'customers.erase', object: id, response }
    const writes = [...erasure, [statements.insertEvent(), change] as const]
    const results: Row[][] = await commit(caller, operation, writes, [[fanOut(), change]])
    const pending = toPendingDeliveries(results.at(-1) ?? [])
    if (pending.length > 0) caller.enqueue(pending)
    // A move may have ended while the transaction waited. The previous home then still has the person.
    await listErasure(directory, scope.merchantId, id, change.now)
  })
  if (!isDone && !(await isErased(directory, scope.merchantId, id))) throw notFound()
}
