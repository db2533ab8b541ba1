import { inArray, lt, sql } from 'drizzle-orm'
import { compile, lazy, param } from '../../../platform/db/database.ts'
import { db } from '../../../platform/db/query.ts'
import { scanReceiptTable as receipts } from '../../../platform/db/schema/scan-counts.ts'

/** Retention of the receipt of a counted scan, in days. A queue keeps a message for at most four days. */
export const receiptRetentionDays = 5

/** Deletes at most `:limit` receipts with an id before `:before`, and returns the oldest id. Ids sort by time. */
export const receiptRetention = {
  purge: lazy(() =>
    compile(
      db
        .delete(receipts)
        .where(
          inArray(
            receipts.id,
            db
              .select({ id: receipts.id })
              .from(receipts)
              .where(lt(receipts.id, param('before')))
              .orderBy(receipts.id)
              .limit(param('limit')),
          ),
        )
        .returning({ gone: sql`1`.as('gone') }),
    ),
  ),
  oldest: lazy(() => compile(db.select({ oldest: sql`min(${receipts.id})`.as('oldest') }).from(receipts))),
}
