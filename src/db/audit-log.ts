import { sql } from 'drizzle-orm'
import { compile, lazy, param } from './database.ts'

/** How long it is kept who changed what, in days. */
export const auditRetentionDays = 90

export const auditStatements = {
  /** Writes an entry if the statement before it, in the same transaction, has written a row. */
  record: lazy(() =>
    compile(sql`
      insert into audit (merchant_id, test_mode, id, at, key, request_id, operation, object)
      select ${param('merchantId')}, ${param('testMode')}, ${param('entry')}, ${param('now')}, ${param('actor')},
        ${param('requestId')}, ${param('operation')}, ${param('object')} where changes() > 0`),
  ),
}

/** Deletes at most `:most` entries with an id before `:before`, and tells the oldest id there is. */
export const auditRetention = {
  purge: lazy(() =>
    compile(sql`
      delete from audit where (merchant_id, test_mode, id) in (
        select a.merchant_id, a.test_mode, a.id
        from merchants as m cross join (select 0 as mode union all select 1) cross join audit as a
        where a.merchant_id = m.id and a.test_mode = mode and a.id < ${param('before')} limit ${param('most')}
      ) returning 1 as gone`),
  ),
  oldest: lazy(() =>
    compile(sql`
      select min(oldest) as oldest from (
        select (select min(a.id) from audit as a where a.merchant_id = m.id and a.test_mode = mode) as oldest
        from merchants as m cross join (select 0 as mode union all select 1))`),
  ),
}
