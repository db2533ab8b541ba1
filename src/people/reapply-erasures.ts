import { eq, sql } from 'drizzle-orm'
import { type Database, lazy, param } from '../db/database.ts'
import { db, typed } from '../db/query.ts'
import { redemptionTable } from '../db/schema/checkout/redemptions.ts'
import { eventTable } from '../db/schema/events.ts'
import { customerTable } from '../db/schema/resources/customers.ts'
import { nowInSeconds } from '../lib/now.ts'
import { createErasure, findPerson } from './erase-customer.ts'
import { hashCustomer, listErasures } from './erasures.ts'
import { customerEvents } from './person-events.ts'

/** Most ids of customers that are read at once. */
const maxIds = 5_000

const fields = { id: sql<string>`person.id`, testMode: sql<number>`person.test_mode` }
/** Ids of the customers of a merchant that its rows contain, after `:after`. */
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
      where ${eq(eventTable.merchantId, param('merchantId'))} and ${eventTable.type} in (${types})
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

/**
 * Erases the customers of a merchant again that the directory lists as erased, in data of an earlier time. Returns their number. Raises no
 * events: receivers followed the first erasure.
 */
export async function reapplyErasures(directory: Database, database: Database, merchantId: string): Promise<number> {
  const hashes = await listErasures(directory, merchantId)
  let erased = 0
  for (let after: string | undefined = hashes.size > 0 ? '' : undefined; after !== undefined; ) {
    const [found]: { id: string; testMode: number }[][] = await database.run([findIds(), { merchantId, after }])
    for (const { id, testMode } of found ?? []) {
      if (!hashes.has(await hashCustomer(merchantId, id))) continue
      const { values } = await findPerson(database, { merchantId, testMode: testMode === 1 }, id)
      await database.run(...createErasure({ ...values, now: nowInSeconds() }))
      erased++
    }
    after = found && found.length === maxIds ? found.at(-1)?.id : undefined
  }
  return erased
}
