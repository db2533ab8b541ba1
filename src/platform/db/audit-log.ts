import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { compile, lazy, param, type Statement } from './database.ts'
import { isSettled } from './home/home.ts'
import { createNext, listedMerchant, listedScopes } from './purge-times.ts'
import { insertSelect, selectList, typed } from './query.ts'
import { auditTable } from './schema/audit.ts'
import { merchantTable } from './schema/merchants.ts'

/** Retention of audit entries, in days. */
export const auditRetentionDays = 90

type Entry = Partial<Record<'merchantId' | 'id' | 'key' | 'operation' | 'object' | 'title', SQL | SQLiteColumn>>

/**
 * A statement that writes an entry for each row of `tail`. Takes `:entry`, `:merchantId`, `:actor`, `:operation` and `:object` unless
 * the arguments set them. An entry has no title unless they set it.
 */
export const createAuditStatement = (tail: SQL, entry: Entry = {}): Statement =>
  compile(
    insertSelect(
      auditTable,
      {
        merchantId: entry.merchantId ?? param('merchantId'),
        testMode: param('testMode'),
        id: entry.id ?? param('entry'),
        at: param('now'),
        key: entry.key ?? param('actor'),
        requestId: param('requestId'),
        operation: entry.operation ?? param('operation'),
        object: entry.object ?? param('object'),
        title: entry.title ?? sql`null`,
      },
      tail,
    ),
  )

export const auditStatements = {
  /** Writes an entry with the title `:title` if the previous statement of the transaction wrote a row. */
  record: lazy(() => createAuditStatement(sql`where changes() > 0`, { title: sql`${param('title')}` })),
}

/** Both modes of a merchant, so that each range of ids is read by the primary key. */
const modes = sql`(select 0 as mode union all select 1)`
const isInMode = (merchantId: SQLWrapper) =>
  sql`${auditTable.merchantId} = ${merchantId} and ${auditTable.testMode} = mode`
const deleted = { gone: sql<number>`1` }
const oldest = { oldest: sql<string | null>`min(oldest)` }

export const auditRetention = {
  /**
   * Deletes at most `:limit` entries with ids before `:before`, of the merchants in `:merchants`. Entries that a move has copied, or a restore
   * has loaded, stay until these are compared. Returns a row for each.
   */
  purge: lazy(() =>
    typed(
      deleted,
      () => sql`
        delete from ${auditTable} where (${auditTable.merchantId}, ${auditTable.testMode}, ${auditTable.id}) in (
          select ${auditTable.merchantId}, ${auditTable.testMode}, ${auditTable.id} from ${listedScopes} cross join ${auditTable}
          where ${isSettled(listedMerchant)} and ${isInMode(listedMerchant)} and ${auditTable.id} < ${param('before')} limit ${param('limit')}
        ) returning ${selectList(deleted)}`,
    ),
  ),
  /** Returns the oldest id of each merchant in `:merchants`. */
  next: createNext(sql`select min(${auditTable.id}) from ${auditTable} where ${isInMode(listedMerchant)}`),
  /** Returns the oldest id, or null. */
  oldest: lazy(() =>
    typed(
      oldest,
      () => sql`
        select ${selectList(oldest)} from (
          select (select min(${auditTable.id}) from ${auditTable} where ${isInMode(merchantTable.id)}) as oldest
          from ${merchantTable} cross join ${modes} where ${isSettled(merchantTable.id)})`,
    ),
  ),
}
