import { asc, inArray, lte, sql } from 'drizzle-orm'
import { allOf, lazy, param } from '../../db/database.ts'
import { db, typed } from '../../db/query.ts'
import { stockAdjustmentTable as table } from '../../db/schema/stock-adjustments.ts'

/** How long a reference of a stock adjustment is kept, in days. */
export const adjustmentRetentionDays = 400

const oldestFirst = db.select({ seq: table.seq }).from(table).orderBy(asc(table.seq))

export const adjustmentRetention = {
  /** Deletes at most `:most` adjustments of `:before` or earlier, in seconds. Returns a row for each. */
  purge: lazy(() =>
    typed({ gone: sql<number>`1` }, (select) =>
      db
        .delete(table)
        .where(allOf(lte(table.at, param('before')), inArray(table.seq, oldestFirst.limit(param('most')))))
        .returning(select),
    ),
  ),
  /** Returns the time of the oldest adjustment. */
  oldest: lazy(() =>
    typed({ oldest: table.at }, (select) => db.select(select).from(table).orderBy(asc(table.seq)).limit(1)),
  ),
}
