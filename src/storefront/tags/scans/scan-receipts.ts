import { inArray, lt, sql } from 'drizzle-orm'
import { compile, lazy, param } from '../../../platform/db/database.ts'
import { isHere } from '../../../platform/db/home/home.ts'
import { db, selectList, setColumns, typed } from '../../../platform/db/query.ts'
import {
  scanCountTable as counts,
  scanHourTable as hours,
  scanReceiptTable as receipts,
} from '../../../platform/db/schema/scan-counts.ts'
import { bareColumn } from '../../../platform/db/sql-name.ts'
import { addToDay, listHours, ofHour } from './count-statements.ts'

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

/** Time from the start of a date in UTC to its end in the last time zone, in seconds. */
const dateSeconds = 36 * 3_600
const dateLength = sql.raw(String(dateSeconds))

const emptied = { gone: sql<number>`1` }
const key = sql`${counts.merchantId}, ${counts.tag}, ${counts.day}, ${counts.channel}`
/** The rows with receipts, except those of merchants whose data is elsewhere. */
const withReceipts = sql`${counts} indexed by scan_counts_receipts where ${counts.keepsReceipts} and ${isHere(counts.merchantId)}`
/** The keys of at most `:limit` counts with receipts whose date ended before `:before`, in seconds. The same ones within a transaction. */
const expired = sql`
  select ${key} from ${withReceipts} and ${counts.day} <= date(${param('before')} - 1 - ${dateLength}, 'unixepoch')
  order by ${counts.day}, ${counts.merchantId}, ${counts.tag}, ${counts.channel} limit ${param('limit')}`

/** Retention of receipts in the rows of counts. Times are those at which a date has ended in every time zone. */
export const keptReceiptRetention = {
  /** Adds the hours of the rows that `purge` changes to those of their days. Before `purge`, in its transaction. */
  prepare: lazy(() => {
    const target = [hours.merchantId, hours.testMode, hours.day, hours.counts].map(bareColumn)
    return compile(sql`
      insert into ${hours} (${sql.join(target, sql`, `)})
      select ${counts.merchantId}, ${counts.testMode}, ${counts.day}, ${listHours((hour) => sql`sum(${ofHour(counts.hours, hour)})`)} from ${counts}
      where (${key}) in (${expired}) and ${counts.testMode} is not null and ${counts.hours} is not null group by 1, 2, 3
      on conflict do update set ${addToDay}`)
  }),
  /** Removes the receipts and hours from at most `:limit` counts whose date ended before `:before`, in seconds. Returns a row for each. */
  purge: lazy(() =>
    typed(
      emptied,
      () => sql`
        update ${counts} set ${setColumns(counts, { receipts: sql`''`, keepsReceipts: sql`0`, hours: sql`null` })}
        where (${key}) in (${expired}) returning ${selectList(emptied)}`,
    ),
  ),
  oldest: lazy(() =>
    typed(
      { oldest: sql<number>`oldest` },
      () => sql`
        select unixepoch(${counts.day}) + ${dateLength} as oldest from ${withReceipts} order by ${counts.day} limit 1`,
    ),
  ),
}
