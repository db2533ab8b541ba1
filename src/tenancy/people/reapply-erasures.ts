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

/** Queries that the erasure of one person takes besides one in each window of events for its events, and one for orders. */
const queriesPerPerson = 20

/** Erases a customer in data of an earlier time. Returns about how many queries it made. */
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
 * Erases the customers of a merchant again that the directory lists as erased, in data of an earlier time, with about `maxQueries`
 * queries. A repetition goes on with those that are left. Raises no events: receivers followed the first erasure.
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
