import {
  and,
  eq,
  exists,
  inArray,
  isNull,
  not,
  notExists,
  notInArray,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import { compile, lazy, param } from '../../../platform/db/database.ts'
import { homeFields, isFenced } from '../../../platform/db/home/home.ts'
import { db, typed } from '../../../platform/db/query.ts'
import { homeTable } from '../../../platform/db/schema/directory/homes.ts'
import { merchantTable } from '../../../platform/db/schema/merchants.ts'
import { hiddenModes } from '../../../platform/db/schema/resource-columns.ts'
import { tagTable } from '../../../platform/db/schema/resources/tags.ts'
import {
  scanCountTable as counts,
  scanHourTable as hours,
  scanReceiptTable as receipts,
} from '../../../platform/db/schema/scan-counts.ts'
import { bareColumn, excluded } from '../../../platform/db/sql-name.ts'
import type { Scan } from '../../../platform/messages.ts'

/** A scan with its local date and hour. */
export type CountedScan = Omit<Scan, 'at' | 'timezone'> & { day: string; hour: number }

/** A field of a scan in the list `:scans`. */
const field = (key: keyof CountedScan) => sql<string>`value ->> ${sql.raw(`'${key}'`)}`
const scans = sql`json_each(${param('scans')})`
const isElsewhere = and(eq(homeTable.merchantId, field('merchant')), or(eq(homeTable.kind, 'object'), isFenced))
/** The data of the scan's merchant is in this database, and its writes do not wait for the end of a move. The merchant was not deleted. */
const isHere = and(
  notExists(db.select({ one: sql`1` }).from(homeTable).where(isElsewhere)),
  exists(
    db
      .select({ one: sql`1` })
      .from(merchantTable)
      .where(eq(merchantTable.id, field('merchant'))),
  ),
)
const elsewhereFields = { merchantId: homeTable.merchantId, ...homeFields }

/** Number of characters of an id, from its end, that its receipt has: 60 random bits. */
const receiptLength = 12
/**
 * Length of the receipts in a row, in characters, from which on further scans have rows of receipts: about 1,500 scans of a tag on a day. Each
 * count writes the row again.
 */
export const maxReceiptsLength = 20_000

const receipt = sql`substr(${field('id')}, ${sql.raw(String(-receiptLength))}) || ' '`
const countKey = [counts.merchantId, counts.tag, counts.day, counts.channel]
/** The row of the scan's count meets a condition. */
const hasCount = (condition: SQL) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(counts)
      .where(
        and(
          eq(counts.merchantId, field('merchant')),
          eq(counts.tag, field('tag')),
          eq(counts.day, field('day')),
          eq(counts.channel, field('channel')),
          condition,
        ),
      ),
  )
/** The row of the count has the scan's receipt. */
const isCounted = hasCount(sql`instr(${counts.receipts}, ' ' || ${receipt}) > 0`)

/** The scan has no receipt. */
const isUncounted = () => {
  const received = db
    .select({ id: receipts.id })
    .from(receipts)
    .where(inArray(receipts.id, sql`(select ${field('id')} from ${scans})`))
  return and(notInArray(field('id'), received), not(isCounted), isHere)
}

/** The mode of the scanned tag. A scan of a tag that no longer exists is a live one. */
const modeOfTag = sql`coalesce((
  select ${tagTable.testMode} % ${hiddenModes} from ${tagTable}
  where ${tagTable.merchantId} = ${field('merchant')} and ${tagTable.testMode} in (0, 1, ${hiddenModes}, 1 + ${hiddenModes}) and ${tagTable.id} = ${field('tag')}
), 0)`
/** SQL for a list of hours, with the number of each. */
export const listHours = (build: (hour: number) => SQL) =>
  sql`json_array(${sql.join(
    Array.from({ length: 24 }, (_, hour) => build(hour)),
    sql`, `,
  )})`
/** SQL for the number of an hour in a list. */
export const ofHour = (list: SQLWrapper, hour: number) => sql`coalesce(${list} ->> ${sql.raw(`'$[${hour}]'`)}, 0)`
const hoursOfScans = listHours((hour) => sql`count(*) filter (where ${field('hour')} = ${sql.raw(String(hour))})`)
/** SQL for the sum of two lists. Written out, because each row of a `json_each` counts as a row read. */
const addHours = (first: SQLWrapper, second: SQLWrapper) =>
  listHours((hour) => sql`${ofHour(first, hour)} + ${ofHour(second, hour)}`)

/** SQL that adds the hours of an inserted row to those of the day. */
export const addToDay = sql`${bareColumn(hours.counts)} = ${addHours(sql`${hours.counts}`, excluded(hours.counts))}`

/** Statements of the transaction that counts the scans `:scans`, a JSON list, in this order. */
export const scanCountStatements = {
  /** Adds the scans that have no receipt to the hours of their days, if an earlier release wrote the row of their count. Before `count`. */
  countHours: lazy(() => {
    const target = [hours.merchantId, hours.testMode, hours.day, hours.counts].map(bareColumn)
    return compile(sql`
      insert into ${hours} (${sql.join(target, sql`, `)})
      select ${field('merchant')}, ${modeOfTag}, ${field('day')}, ${hoursOfScans}
      from ${scans} where ${and(isUncounted(), hasCount(isNull(counts.testMode)))} group by 1, 2, 3
      on conflict do update set ${addToDay}`)
  }),

  /** Adds the scans that have no receipt to their counts and hours, with their receipts. */
  count: lazy(() => {
    const isNew = isUncounted()
    const hasRoom = sql`${counts.keepsReceipts} and length(${counts.receipts}) < ${sql.raw(String(maxReceiptsLength))}`
    return compile(
      db
        .insert(counts)
        .select(
          db
            .select({
              merchantId: field('merchant').as('merchantId'),
              tag: field('tag').as('tag'),
              day: field('day').as('day'),
              channel: field('channel').as('channel'),
              count: sql<number>`count(*)`.as('count'),
              receipts: sql<string>`' ' || group_concat(${receipt}, '')`.as('receipts'),
              keepsReceipts: sql<boolean>`1`.as('keepsReceipts'),
              hours: hoursOfScans.as('hours'),
              testMode: sql<boolean>`${modeOfTag}`.as('testMode'),
            })
            .from(scans)
            .where(isNew)
            .groupBy(field('merchant'), field('tag'), field('day'), field('channel')),
        )
        .onConflictDoUpdate({
          target: countKey,
          set: {
            count: sql`${counts.count} + ${excluded(counts.count)}`,
            // A row without a mode is in no index of hours.
            hours: sql`case when ${counts.testMode} is null then null when ${counts.hours} is null then ${excluded(counts.hours)} else ${addHours(counts.hours, excluded(counts.hours))} end`,
            receipts: sql`${counts.receipts} || iif(${hasRoom}, substr(${excluded(counts.receipts)}, 2), '')`,
          },
        }),
    )
  }),
  /** Homes of merchants whose data is not in the shared database. */
  findElsewhere: lazy(() =>
    typed(elsewhereFields, (select) =>
      db.select(select).from(scans).innerJoin(homeTable, isElsewhere).groupBy(homeTable.merchantId),
    ),
  ),
  /** Writes a row for each scan whose receipt is not in the row of the count. */
  insertReceipts: lazy(() =>
    compile(
      db
        .insert(receipts)
        .select(
          db
            .select({ id: field('id').as('id'), merchantId: field('merchant').as('merchantId') })
            .from(scans)
            .where(and(not(isCounted), isHere)),
        )
        .onConflictDoNothing(),
    ),
  ),
}
