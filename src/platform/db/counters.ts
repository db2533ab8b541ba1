import { and, eq, inArray, sql } from 'drizzle-orm'
import { compile, type Database, lazy, param } from './database.ts'
import { columnParam, db, insertSelect, typed } from './query.ts'
import { counterTable as table } from './schema/directory/counters.ts'
import { homeTable } from './schema/directory/homes.ts'
import { isServed, merchantTable } from './schema/merchants.ts'
import { bareColumn, excluded } from './sql-name.ts'

const upsert = (value: ReturnType<typeof sql>) =>
  lazy(() =>
    compile(
      db
        .insert(table)
        .values({ name: columnParam(table.name, 'name'), value: columnParam(table.value, 'value') })
        .onConflictDoUpdate({ target: table.name, set: { value } }),
    ),
  )
/** Prefixes of the counters of objects, of the same length. The id of the merchant follows. */
const objectNames = { pending: 'object pending ', dueAt: 'object due at  ', expiredAt: 'object purge at' } as const
const prefixLength = objectNames.pending.length + 1
const isOfObject = sql`(${table.name} >= 'object ' and ${table.name} < 'object!')`
/** Two ranges: SQLite would scan the table for the negation of one. */
const isOfService = sql`(${table.name} < 'object ' or ${table.name} >= 'object!')`

const statements = {
  add: upsert(sql`${table.value} + excluded.value`),
  set: upsert(sql`excluded.value`),
  /** Sets a counter of a merchant that exists. */
  setOfMerchant: lazy(() =>
    compile(
      insertSelect(
        table,
        { name: param('name'), value: param('value') },
        sql`from ${merchantTable} where ${merchantTable.id} = ${param('merchantId')}
          on conflict do update set ${bareColumn(table.value)} = ${excluded(table.value)}`,
      ),
    ),
  ),
  all: lazy(() =>
    typed({ name: table.name, value: table.value }, (select) => db.select(select).from(table).where(isOfService)),
  ),
  one: lazy(() =>
    typed({ value: table.value }, (select) =>
      db
        .select(select)
        .from(table)
        .where(eq(table.name, param('name'))),
    ),
  ),
  remove: lazy(() =>
    compile(db.delete(table).where(inArray(table.name, [param('pending'), param('dueAt'), param('expiredAt')]))),
  ),
  /** Backlogs that objects reported, of merchants that are not suspended. */
  backlogs: lazy(() => {
    const isNamed = (prefix: string) => sql`${table.name} = ${sql.raw(`'${prefix}'`)} || ${homeTable.merchantId}`
    const { pending, dueAt, expiredAt } = objectNames
    return typed(
      {
        pending: sql<number>`coalesce(sum(${table.value}) filter (where ${isNamed(pending)}), 0)`,
        oldestDueAt: sql<
          number | null
        >`min(${table.value}) filter (where ${isNamed(dueAt)} and ${table.value} <= ${param('now')})`,
        oldestExpiredAt: sql<number | null>`min(${table.value}) filter (where ${isNamed(expiredAt)})`,
      },
      (select) =>
        db
          .select(select)
          .from(table)
          .innerJoin(
            homeTable,
            and(eq(homeTable.kind, 'object'), eq(homeTable.merchantId, sql`substr(${table.name}, ${prefixLength})`)),
          )
          .innerJoin(merchantTable, and(eq(merchantTable.id, homeTable.merchantId), isServed))
          .where(isOfObject),
    )
  }),
}

/** Maximum number of pending deliveries of a database that the metrics count. */
export const maxCountedPending = 10_000

/** An object reports purges that are overdue by more than this time. A purge starts every minute. */
export const reportedLagMinutes = 3

/** Names of the counters. Dead letters are counted for each queue. */
export const counterNames = {
  sweptAt: 'swept',
  deadLetters: 'dead letters ',
  /** Times at which a rehearsal of a restore was last due, and last done. */
  rehearsalAt: 'rehearsal',
  rehearsedAt: 'rehearsed',
} as const

/** Pending work of an object. Times are in seconds; 0 means that nothing is pending. */
interface Backlog {
  /** Pending deliveries, and when the first is due. */
  pending: number
  dueAt: number
  /** Expiry of the oldest row that should have been purged. */
  expiredAt: number
}

/** Replaces the backlog of an object in the directory. Removes it if the merchant was deleted. */
export async function writeBacklog(directory: Database, merchantId: string, backlog: Backlog): Promise<void> {
  const { pending, dueAt, expiredAt } = objectNames
  const names = { pending: pending + merchantId, dueAt: dueAt + merchantId, expiredAt: expiredAt + merchantId }
  const values: [string, number][] = [
    [names.pending, backlog.pending],
    [names.dueAt, backlog.dueAt],
    [names.expiredAt, backlog.expiredAt],
  ]
  const present = values.filter(([, value]) => value > 0)
  await directory.run(
    [statements.remove(), names],
    ...present.map(([name, value]) => [statements.setOfMerchant(), { merchantId, name, value }] as const),
  )
}

/** Statement that returns the total backlog of all objects. Takes `:now` in seconds. */
export const readBacklogs = statements.backlogs

/** Adds to a counter. */
export const addToCounter = (database: Database, name: string, value: number) =>
  database.run([statements.add(), { name, value }])

/** Sets a counter to a time. */
export const setCounter = (database: Database, name: string, value: number) =>
  database.run([statements.set(), { name, value }])

/** Reads a counter. Undefined if it was never set. */
export async function readCounter(database: Database, name: string): Promise<number | undefined> {
  const [[counter]] = await database.run([statements.one(), { name }])
  return counter?.value
}

/** The statement that reads all counters but those of objects. */
export const readCounters = () => [statements.all(), {}] as const
