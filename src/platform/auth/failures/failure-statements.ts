import { and, desc, eq, gt, or, sql } from 'drizzle-orm'
import { byIndex, byKey } from '../../by-index.ts'
import { compile, databaseNow, lazy, param } from '../../db/database.ts'
import { db, insertSelect, selectList, typed } from '../../db/query.ts'
import { failedRequestTable as table } from '../../db/schema/directory/failed-requests.ts'
import { keyTable } from '../../db/schema/keys.ts'
import { bareColumn, excluded } from '../../db/sql-name.ts'
import { daySeconds } from '../../lib/day.ts'

/** Limits of the failed requests of a key: groups of a day, pointers of a group and their length, days, and the time between two writes. */
export const failedRequestLimits = { groups: 100, pointers: 10, pointerLength: 200, days: 7, windowMs: 10_000 } as const

/** Seconds from the start of a day until its rows are deleted. */
export const failureSeconds = (failedRequestLimits.days + 1) * daySeconds

const today = sql`${databaseNow} - ${databaseNow} % ${sql.raw(String(daySeconds))}`
const ofKey = and(eq(table.merchantId, param('merchantId')), eq(table.keyId, param('keyId')))
const shown = {
  key: table.keyId,
  request: table.request,
  count: sql<number>`sum(${table.count})`,
  lastAt: sql<number>`max(${table.lastAt})`,
}

export const failureStatements = {
  /** Adds the failures of `:counts`, a JSON list of `[request, count]`, to those of a key that is not revoked. New groups only up to the limit of a day. */
  add: lazy(() => {
    const request = sql`failure.value ->> 0`
    const ofDay = sql`from ${table} where ${ofKey} and ${table.day} = ${today}`
    const isKnown = sql`exists (select 1 ${ofDay} and ${table.request} = ${request})`
    const hasRoom = sql`(select count(*) ${ofDay}) + failure.key < ${sql.raw(String(failedRequestLimits.groups))}`
    const hasKey = sql`exists (select 1 from ${keyTable} where ${and(eq(keyTable.id, param('keyId')), eq(keyTable.merchantId, param('merchantId')))})`
    return compile(
      insertSelect(
        table,
        {
          merchantId: param('merchantId'),
          keyId: param('keyId'),
          day: today,
          request,
          testMode: sql`${sql.param(param('testMode'), table.testMode)}`,
          count: sql`failure.value ->> 1`,
          lastAt: databaseNow,
        },
        sql`from json_each(${param('counts')}) as failure where ${hasKey} and (${isKnown} or ${hasRoom})
          on conflict do update set ${bareColumn(table.count)} = ${table.count} + ${excluded(table.count)}, ${bareColumn(table.lastAt)} = ${excluded(table.lastAt)}`,
      ),
    )
  }),
  /** Groups of a key, the latest first. Live mode also shows keys of test mode. `:low` and `:high` are the range of the status. */
  list: lazy(() => {
    const isVisible = or(
      eq(table.testMode, sql`${sql.param(param('testMode'), table.testMode)}`),
      sql`not ${param('testMode')}`,
    )
    const isRecent = gt(table.lastAt, sql`${databaseNow} - ${sql.raw(String(failedRequestLimits.days * daySeconds))}`)
    const hasStatus = sql`${table.request} ->> 2 between ${param('low')} and ${param('high')}`
    return typed(shown, (select) =>
      db
        .select(select)
        .from(table)
        .where(and(ofKey, isVisible, isRecent, hasStatus))
        .groupBy(table.request)
        .orderBy(desc(sql`max(${table.lastAt})`), table.request)
        .limit(param('limit')),
    )
  }),
  removeOfMerchant: lazy(() => compile(db.delete(table).where(eq(table.merchantId, param('merchantId'))))),
}

const gone = { gone: sql<number>`1` }
const key = sql`${table.merchantId}, ${table.keyId}, ${table.day}, ${table.request}`
export const failureRetention = {
  purge: lazy(() =>
    typed(
      gone,
      () => sql`
        delete from ${byKey(table)} where (${key}) in (
          select ${key} from ${byIndex(table, 'failed_requests_day')} where ${table.day} < ${param('before')} limit ${param('limit')})
        returning ${selectList(gone)}`,
    ),
  ),
  oldest: lazy(() =>
    typed({ oldest: sql<number | null>`min(${table.day})` }, (select) => db.select(select).from(table)),
  ),
}
