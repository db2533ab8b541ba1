import { migrationCount } from './migration-count.ts'

/** Number of low bits of `seq` that an object uses to number its webhooks. The higher bits are the number of the object. */
const seqBits = 30

/**
 * Brings the schema of an object up to date. An empty object gets the current schema at once. A release only adds migrations, so the number of
 * applied migrations is the version of the schema. Returns whether an earlier release created the schema.
 */
export async function applyMigrations(storage: DurableObjectStorage): Promise<boolean> {
  const { sql } = storage
  sql.exec('create table if not exists applied_migrations (n integer primary key)')
  const [{ applied = 0 } = {}] = sql
    .exec<{ applied: number }>('select count(*) as applied from applied_migrations')
    .toArray()
  if (applied === migrationCount) return false
  const { currentSchema, migrations } = await import('./migration-texts.ts')
  if (applied === 0) {
    // One transaction instead of one for each migration, in a twelfth of the processor time.
    storage.transactionSync(() => {
      sql.exec(currentSchema)
      sql.exec(
        'insert into applied_migrations (n) select value from json_each(?)',
        JSON.stringify([...migrations.keys()]),
      )
    })
    return false
  }
  for (const [index, migration] of migrations.entries()) {
    if (index < applied) continue
    storage.transactionSync(() => {
      sql.exec(migration)
      sql.exec('insert into applied_migrations (n) values (?)', index)
    })
  }
  return true
}

/**
 * Starts the numbers of webhooks at a value that depends on the object. Deliveries and queue messages refer to webhooks by `seq`, so numbers survive
 * a move, and no other merchant may use them.
 */
export function numberWebhooks({ sql }: DurableObjectStorage, object: number): void {
  sql.exec(
    `insert into sqlite_sequence (name, seq) select 'webhooks', ? where not exists (select 1 from sqlite_sequence where name = 'webhooks')`,
    object * 2 ** seqBits,
  )
}
