import { eq, sql } from 'drizzle-orm'
import { type Database, lazy, param } from '../../platform/db/database.ts'
import { db, typed } from '../../platform/db/query.ts'
import { redemptionTable } from '../../platform/db/schema/checkout/redemptions.ts'
import { eventTable } from '../../platform/db/schema/events.ts'
import { customerTable } from '../../platform/db/schema/resources/customers.ts'
import { removePerson } from './erase-customer.ts'
import { hashCustomer, listErasures } from './erasures.ts'
import { findPerson } from './find-person.ts'
import { customerEvents, maxEventsRead } from './person-events.ts'

/** Maximum number of ids of customers that are read at once. */
const maxIds = 5_000

const fields = { id: sql<string>`person.id`, testMode: sql<number>`person.test_mode` }
/** Ids of the customers in the rows of a merchant, after `:after`. Leaves out erased customers. */
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

/** Number of queries for the erasure of one person, without two in each window of events: one for its events, and one for orders. */
const queriesPerPerson = 20

/** Erases a customer in data of an earlier time. Returns the approximate number of queries. */
async function eraseAgain(database: Database, merchantId: string, { id, testMode }: { id: string; testMode: number }) {
  let queries = 0
  const find = async () => {
    const found = await findPerson(database, { merchantId, testMode: testMode === 1 }, id)
    queries += queriesPerPerson + 2 * Math.ceil((found.last - found.first) / maxEventsRead)
    return found
  }
  await removePerson(database, find, async (writes) => {
    await database.run(...writes)
  })
  return queries
}

/**
 * Erases again, in data of an earlier time, the customers of a merchant that the directory lists as erased. Makes about `maxQueries` queries. A
 * repeated call continues with the remaining customers. Raises no events, because receivers have already processed the first erasure.
 */
export async function reapplyErasures(
  directory: Database,
  database: Database,
  merchantId: string,
  maxQueries = Number.POSITIVE_INFINITY,
): Promise<{ erased: number; isComplete: boolean }> {
  const hashes = await listErasures(directory, merchantId)
  let [erased, queries] = [0, 0]
  for (let after: string | undefined = hashes.size > 0 ? '' : undefined; after !== undefined; ) {
    const [found]: { id: string; testMode: number }[][] = await database.run([findIds(), { merchantId, after }])
    const people = found ?? []
    const isListed = await Promise.all(people.map(async ({ id }) => hashes.has(await hashCustomer(merchantId, id))))
    const left = people.filter((_, index) => isListed[index])
    for (const person of left) {
      if (queries >= maxQueries) return { erased, isComplete: false }
      queries += await eraseAgain(database, merchantId, person)
      erased++
    }
    after = people.length === maxIds ? people.at(-1)?.id : undefined
  }
  return { erased, isComplete: true }
}
