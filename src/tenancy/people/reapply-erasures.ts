import { and, eq, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { type Database, lazy, param, type Statement } from '../../platform/db/database.ts'
import { db, typed } from '../../platform/db/query.ts'
import { redemptionTable } from '../../platform/db/schema/checkout/redemptions.ts'
import { eventTable } from '../../platform/db/schema/events.ts'
import { customerTable } from '../../platform/db/schema/resources/customers.ts'
import { removePerson } from './erase-customer.ts'
import { hashCustomer, listErasures } from './erasures.ts'
import { findPerson } from './find-person.ts'
import { customerEvents, maxEventsRead } from './person-events.ts'

/** Maximum number of rows that are read at once. */
const maxRows = 5_000

/** A row after `:mode` and `:after`, in the order of modes and keys. `person` is null if the row names no customer. */
interface NamingRow {
  person: string | null
  testMode: number
  key: string
}

const isBehind = (testMode: SQLiteColumn, key: SQLiteColumn) =>
  sql`(${testMode}, ${key}) > (${param('mode')}, ${param('after')})`

const types = sql.join(
  customerEvents.map((type) => sql.raw(`'${type}'`)),
  sql`, `,
)
const namesCustomer = sql`${eventTable.type} in (${types}) and ${eventTable.erasedAt} is null and json_valid(${eventTable.row})`

/** Statements that read the rows of a merchant that name customers, each in the order of an index. Leave out erased customers. */
const sources: readonly (() => Statement<NamingRow>)[] = [
  {
    table: customerTable,
    key: customerTable.id,
    person: sql<string | null>`${customerTable.id}`,
  },
  {
    table: redemptionTable,
    key: redemptionTable.id,
    person: sql<string | null>`${redemptionTable.customer}`,
  },
  {
    table: eventTable,
    key: eventTable.id,
    person: sql<string | null>`case when ${namesCustomer} then ${eventTable.row} ->> '$.id' end`,
  },
].map(({ table, key, person }) =>
  lazy(() =>
    typed({ person, testMode: sql<number>`${table.testMode}`, key }, (select) =>
      db
        .select(select)
        .from(table)
        .where(and(eq(table.merchantId, param('merchantId')), isBehind(table.testMode, key)))
        .orderBy(table.testMode, key)
        .limit(maxRows),
    ),
  ),
)

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

/** The customers of rows that the directory lists as erased, each once. */
async function pickListed(merchantId: string, hashes: ReadonlySet<string>, rows: readonly NamingRow[]) {
  const named = rows.flatMap(({ person, testMode }) => (person === null ? [] : [{ id: person, testMode }]))
  const people = [...new Map(named.map((person) => [`${person.testMode}${person.id}`, person])).values()]
  const isListed = await Promise.all(people.map(async ({ id }) => hashes.has(await hashCustomer(merchantId, id))))
  return people.filter((_, index) => isListed[index])
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
  for (const source of hashes.size > 0 ? sources : []) {
    let last: { mode: number; after: string } | undefined = { mode: 0, after: '' }
    while (last) {
      const [rows]: NamingRow[][] = await database.run([source(), { merchantId, ...last }])
      for (const person of await pickListed(merchantId, hashes, rows ?? [])) {
        if (queries >= maxQueries) return { erased, isComplete: false }
        queries += await eraseAgain(database, merchantId, person)
        erased++
      }
      const end = rows?.at(-1)
      last = end && rows?.length === maxRows ? { mode: end.testMode, after: end.key } : undefined
    }
  }
  return { erased, isComplete: true }
}
