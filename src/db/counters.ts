import { sql } from 'drizzle-orm'
import { compile, type Database, lazy } from './database.ts'
import { columnParam, db, typed } from './query.ts'
import { counterTable as table } from './schema/directory/counters.ts'

const upsert = (value: ReturnType<typeof sql>) =>
  lazy(() =>
    compile(
      db
        .insert(table)
        .values({ name: columnParam(table.name, 'name'), value: columnParam(table.value, 'value') })
        .onConflictDoUpdate({ target: table.name, set: { value } }),
    ),
  )
const statements = {
  add: upsert(sql`${table.value} + excluded.value`),
  set: upsert(sql`excluded.value`),
  all: lazy(() => typed({ name: table.name, value: table.value }, (select) => db.select(select).from(table))),
}

/** Names of the counters. Dead letters are counted for each queue. */
export const counterNames = { sweptAt: 'swept', deadLetters: 'dead letters ' } as const

/** Adds to a counter. */
export const addToCounter = (database: Database, name: string, value: number) =>
  database.run([statements.add(), { name, value }])

/** Sets a counter to a time. */
export const setCounter = (database: Database, name: string, value: number) =>
  database.run([statements.set(), { name, value }])

/** The statement that reads all counters. */
export const readCounters = () => [statements.all(), {}] as const
