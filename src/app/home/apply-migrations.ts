import { migrationCount } from './migration-count.ts'

/** Number of low bits of `seq` that an object uses to number its webhooks. The higher bits are the number of the object. */
const seqBits = 30

/**
 * Brings the schema of an object up to date. A release only adds migrations, so the number of applied migrations is the version of the schema.
 * Returns whether an earlier release created the schema.
 */
export async function applyMigrations(storage: DurableObjectStorage): Promise<boolean> {
  const { sql } = storage
  sql.exec('create table if not exists applied_migrations (n integer primary key)')
  const [{ applied = 0 } = {}] = sql
    .exec<{ applied: number }>('select count(*) as applied from applied_migrations')
    .toArray()
  if (applied === migrationCount) return false
  const { migrations } = await import('./migration-texts.ts')
  for (const [index, migration] of migrations.entries()) {
    if (index < applied) continue
    storage.transactionSync(() => {
      sql.exec(migration)
      sql.exec('insert into applied_migrations (n) values (?)', index)
    })
  }
  return applied > 0
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
