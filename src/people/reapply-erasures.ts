import { eq, sql } from 'drizzle-orm'
import { type Database, lazy, param } from '../db/database.ts'
import { ConstraintError } from '../db/database-errors.ts'
import { db, typed } from '../db/query.ts'
import { redemptionTable } from '../db/schema/checkout/redemptions.ts'
import { eventTable } from '../db/schema/events.ts'
import { customerTable } from '../db/schema/resources/customers.ts'
import { nowInSeconds } from '../lib/now.ts'
import { busy, maxWriteAttempts, pauseAfter } from '../resource/object-lock.ts'
import { createErasure, findPerson } from './erase-customer.ts'
import { hashCustomer, listErasures } from './erasures.ts'
import { customerEvents } from './person-events.ts'

/** Most ids of customers that are read at once. */
const maxIds = 5_000

const fields = { id: sql<string>`person.id`, testMode: sql<number>`person.test_mode` }
/** Ids of the customers of a merchant whose data is in its rows, after `:after`. An erased customer is left out. */
const findIds = lazy(() => {
  const types = sql.join(
    customerEvents.map((type) => sql.raw(`'${type}'`)),
    sql`, `,
  )
  const ids = sql`(
    select ${customerTable.id} as id, ${customerTable.testMode} as test_mode from ${customerTable}
      where ${eq(customerTable.merchantId, param('merchantId'))}
    union select ${redemptionTable.customer}, ${redemptionTable.testMode} from ${redemptionTable}
      where ${eq(redemptionTable.merchantId, param('merchantId'))}
    union select case when json_valid(${eventTable.row}) then ${eventTable.row} ->> '$.id' end, ${eventTable.testMode} from ${eventTable}
      where ${eq(eventTable.merchantId, param('merchantId'))} and ${eventTable.type} in (${types}) and ${eventTable.erasedAt} is null
  ) as person`
  return typed(fields, (select) =>
    db
      .select(select)
      .from(ids)
      .where(sql`person.id > ${param('after')}`)
      .orderBy(sql`person.id, person.test_mode`)
      .limit(maxIds),
  )
})

/** Customers that are read and erased together: one transaction for all. */
const maxTogether = 10

/** Erases customers in one transaction. A customer that is changed meanwhile is read again. */
async function eraseTogether(
  database: Database,
  merchantId: string,
  people: readonly { id: string; testMode: number }[],
): Promise<void> {
  for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
    const found = await Promise.all(
      people.map(({ id, testMode }) => findPerson(database, { merchantId, testMode: testMode === 1 }, id)),
    )
    try {
      await database.run(...found.flatMap(({ values }) => createErasure({ ...values, now: nowInSeconds() })))
      return
    } catch (error) {
      if (!(error instanceof ConstraintError && error.kind === 'not_null')) throw error
      await pauseAfter(attempt)
    }
  }
  throw busy()
}

/**
 * Erases the customers of a merchant again that the directory lists as erased, in data of an earlier time: at most `max`. A repetition
 * goes on with those that are left. Raises no events: receivers followed the first erasure.
 */
export async function reapplyErasures(
  directory: Database,
  database: Database,
  merchantId: string,
  max = Number.POSITIVE_INFINITY,
): Promise<{ erased: number; isComplete: boolean }> {
  const hashes = await listErasures(directory, merchantId)
  let erased = 0
  for (let after: string | undefined = hashes.size > 0 ? '' : undefined; after !== undefined; ) {
    const [found]: { id: string; testMode: number }[][] = await database.run([findIds(), { merchantId, after }])
    const people = found ?? []
    const isListed = await Promise.all(people.map(async ({ id }) => hashes.has(await hashCustomer(merchantId, id))))
    const left = people.filter((_, index) => isListed[index])
    for (let start = 0; start < left.length; start += maxTogether) {
      const next = left.slice(start, Math.min(start + maxTogether, start + max - erased))
      await eraseTogether(database, merchantId, next)
      erased += next.length
      if (erased >= max) return { erased, isComplete: false }
    }
    after = people.length === maxIds ? people.at(-1)?.id : undefined
  }
  return { erased, isComplete: true }
}
