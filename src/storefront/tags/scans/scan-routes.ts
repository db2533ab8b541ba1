import { and, between, eq, gte, isNotNull, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { requireScope } from '../../../platform/auth/authenticate.ts'
import { DamagedError, readRows } from '../../../platform/db/damaged-rows.ts'
import { compile, lazy, param } from '../../../platform/db/database.ts'
import { columnParam, db, selectList, typed } from '../../../platform/db/query.ts'
import type { Row } from '../../../platform/db/row.ts'
import { merchantTable } from '../../../platform/db/schema/merchants.ts'
import { tagTable } from '../../../platform/db/schema/resources/tags.ts'
import { scanCountTable as counts, scanHourTable as hours } from '../../../platform/db/schema/scan-counts.ts'
import { isInScope } from '../../../platform/db/scope.ts'
import { type Issue, invalid, notFound } from '../../../platform/errors.ts'
import type { Env } from '../../../platform/http/context.ts'
import { query } from '../../../platform/http/validation.ts'
import { daySeconds, toLocalDay } from '../../../platform/lib/day.ts'
import { channels } from '../../../platform/messages.ts'
import { requireIntactRows } from '../tag-rows.ts'

/** Maximum number of days in one response. */
export const maxDays = 366
/** Default number of days in a response. */
export const defaultDays = 30

const isDay = (text: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text

const day = z.optional(
  z.string({ error: 'must not be repeated' }).check(z.refine(isDay, { error: 'must be a day in the form YYYY-MM-DD' })),
)
export const countsQuery = z.strictObject({ from: day, to: day })
/** Query of the scans of all tags. */
export const allCountsQuery = z.extend(countsQuery, {
  by: z
    .optional(z.enum(['tag', 'hour'], { error: 'must be tag or hour' }))
    .check(
      z.describe(
        '`tag`: one sum for each tag with scans. `hour`: one sum for each hour of the day with scans. Absent: sums by day and channel.',
      ),
    ),
})
export const hourCountView = z.object({ hour: z.int(), count: z.int() })
export const tagCountView = z.object({ tag: z.string(), count: z.int(), lastDay: z.string() })
export const countView = z.object({ day: z.string(), channel: z.enum(channels), count: z.int() })
const dayMs = daySeconds * 1000
const shiftDay = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** Counts of the existing tags of the mode in the range. */
const isOfAnyTag = and(
  eq(tagTable.merchantId, param('merchantId')),
  eq(tagTable.testMode, columnParam(tagTable.testMode, 'testMode')),
  eq(counts.merchantId, param('merchantId')),
  eq(counts.tag, tagTable.id),
  between(counts.day, param('from'), param('to')),
)

const hourFields = { hour: sql<number>`hour.key`, count: sql<number>`sum(hour.value)` }
/** The lists of hours of the days: those of the last days by tag and channel. */
const hourLists = sql`
  select ${hours.counts} as list from ${hours} where ${isInScope(hours)} and ${between(hours.day, param('from'), param('to'))}
  union all
  select ${counts.hours} from ${counts}
  where ${isInScope(counts)} and ${between(counts.day, param('from'), param('to'))} and ${isNotNull(counts.testMode)}`

const statements = {
  /** The time zone of a tag's merchant. A live key also finds tags in test mode. */
  timezone: lazy(() =>
    requireIntactRows(
      typed({ timezone: merchantTable.timezone }, (select) =>
        db
          .select(select)
          .from(tagTable)
          .innerJoin(merchantTable, eq(merchantTable.id, tagTable.merchantId))
          .where(
            and(
              eq(tagTable.merchantId, param('merchantId')),
              eq(tagTable.id, param('id')),
              gte(tagTable.testMode, param('testMode')),
            ),
          ),
      ),
    ),
  ),
  /** The time zone of the merchant. */
  ownTimezone: lazy(() =>
    typed({ timezone: merchantTable.timezone }, (select) =>
      db
        .select(select)
        .from(merchantTable)
        .where(eq(merchantTable.id, param('merchantId'))),
    ),
  ),
  /** Sums of all tags of the mode. Reads the tags first, so that the key of the counts serves each tag. */
  sums: lazy(() =>
    compile(
      db
        .select({ day: counts.day, channel: counts.channel, count: sql`sum(${counts.count})`.as('count') })
        .from(tagTable)
        .crossJoin(counts)
        .where(isOfAnyTag)
        .groupBy(counts.day, counts.channel)
        .orderBy(counts.day, counts.channel),
    ),
  ),
  /** Sums of each tag of the mode that was scanned. */
  sumsOfTags: lazy(() =>
    typed(
      {
        tag: tagTable.id,
        count: sql<number>`sum(${counts.count})`,
        lastDay: sql<string>`max(${counts.day})`,
      },
      (select) => db.select(select).from(tagTable).crossJoin(counts).where(isOfAnyTag).groupBy(tagTable.id),
    ),
  ),
  /** Sums of each hour of the day. */
  sumsOfHours: lazy(() =>
    typed(
      hourFields,
      () => sql`
        select ${selectList(hourFields)} from (${hourLists}) as day cross join json_each(day.list) as hour
        where hour.value > 0 group by hour.key order by hour.key`,
    ),
  ),
  counts: lazy(() =>
    compile(
      db
        .select({ day: counts.day, channel: counts.channel, count: counts.count })
        .from(counts)
        .where(
          and(
            eq(counts.merchantId, param('merchantId')),
            eq(counts.tag, param('id')),
            between(counts.day, param('from'), param('to')),
          ),
        )
        .orderBy(counts.day, counts.channel),
    ),
  ),
}

function readCount(row: Row, merchantId: string, tagId = 'all'): z.output<typeof countView> {
  const { data, error } = countView.safeParse(row)
  if (data) return data
  const fields = [...new Set(error.issues.map(({ path: [column] }) => String(column)))]
  const id = `${tagId} ${String(row['day'])} ${String(row['channel'])}`
  throw new DamagedError({ table: 'scan_counts', id, merchantId, fields })
}

function readTagCount(row: Row, merchantId: string): z.output<typeof tagCountView> {
  const { data, error } = tagCountView.safeParse(row)
  if (data) return data
  const fields = [...new Set(error.issues.map(({ path: [column] }) => String(column)))]
  throw new DamagedError({ table: 'scan_counts', id: String(row['tag']), merchantId, fields })
}

/** The days of a response, by the clock of the venue. */
function toRange(range: z.output<typeof countsQuery>, timezone: string) {
  const to = range.to ?? toLocalDay(Date.now(), timezone)
  const from = range.from ?? shiftDay(to, 1 - defaultDays)
  const issue = (message: string): Issue => ({ parameter: 'from', code: 'invalid_value', message })
  if (from > to) throw invalid([issue('must not be after to')])
  if (from < shiftDay(to, 1 - maxDays)) throw invalid([issue(`must be within ${maxDays} days of to`)])
  return { from, to }
}

/** Scans of all tags: by day and channel, by tag, or by hour. */
export const allScanRoutes = new Hono<Env>().get('/', requireScope('tags:read'), query(allCountsQuery), async (c) => {
  const { database } = c.var
  const { merchantId, testMode } = c.var.scope
  const find = async () => (await database.run([statements.ownTimezone(), { merchantId }]))[0][0]
  const venue = await database.findNamed(find)
  if (!venue) throw notFound()
  const { by, ...days } = c.req.valid('query')
  const values = { merchantId, testMode, ...toRange(days, venue.timezone) }
  if (by === 'tag') {
    const [rows] = await database.run([statements.sumsOfTags(), values])
    return c.json(
      readRows(database, rows, (row) => readTagCount(row, merchantId)),
      200,
    )
  }
  if (by === 'hour') {
    const [rows] = await database.run([statements.sumsOfHours(), values])
    return c.json(rows, 200)
  }
  const [rows] = await database.run([statements.sums(), values])
  return c.json(
    readRows(database, rows, (row) => readCount(row, merchantId)),
    200,
  )
})

/** Scans of a tag by day and channel. */
export const scanRoutes = new Hono<Env>().get('/:id/scans', query(countsQuery), async (c) => {
  const { database } = c.var
  const { merchantId, testMode } = c.var.scope
  const values = { merchantId, id: c.req.param('id'), testMode: testMode ? 1 : 0 }
  const venue = await database.findNamed(async () => (await database.run([statements.timezone(), values]))[0][0])
  if (!venue) throw notFound()
  const range = toRange(c.req.valid('query'), venue.timezone)
  const [rows] = await database.run([statements.counts(), { ...values, ...range }])
  return c.json(
    readRows(database, rows, (row) => readCount(row, merchantId, values.id)),
    200,
  )
})
