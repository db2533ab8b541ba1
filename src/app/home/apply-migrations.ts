import journal from '../../../migrations/meta/_journal.json' with { type: 'json' }

/** Number of bits of `seq` in which an object numbers its webhooks. The bits above are the number of the object. */
const seqBits = 30

/**
 * Brings the schema of an object up to date. A release adds migrations and changes none, so the number of applied ones is the version of
 * the schema. Returns whether an earlier release had made the schema.
 */
export async function applyMigrations(storage: DurableObjectStorage): Promise<boolean> {
  const { sql } = storage
  sql.exec('create table if not exists applied_migrations (n integer primary key)')
  const [{ applied = 0 } = {}] = sql
    .exec<{ applied: number }>('select count(*) as applied from applied_migrations')
    .toArray()
  if (applied === journal.entries.length) return false
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
 * Numbers webhooks from the number of the object on. Deliveries and queue messages name webhooks by `seq`, so a merchant that moves keeps
 * the numbers, and no other merchant may have them.
 */
export function numberWebhooks({ sql }: DurableObjectStorage, object: number): void {
  sql.exec(
    `insert into sqlite_sequence (name, seq) select 'webhooks', ? where not exists (select 1 from sqlite_sequence where name = 'webhooks')`,
    object * 2 ** seqBits,
  )
}
