import { lte, type SQL, sql } from 'drizzle-orm'
import { byKey } from '../by-index.ts'
import { compile, lazy, param } from './database.ts'
import { db, selectList, setColumns, typed } from './query.ts'
import { deliveryTable } from './schema/events.ts'
import { goneWebhookTable, purgeTable } from './schema/purges.ts'
import { webhookTable } from './schema/resources/webhooks.ts'

/** SQL for the merchants of the JSON list `:merchants`. */
export const listedMerchants = sql`json_each(${param('merchants')}) as merchant`

/** SQL for the id of a merchant of the list. */
export const listedMerchant = sql`merchant.value`

/** SQL for the merchants of the list in both modes, each as `mode`. */
export const listedScopes = sql`${listedMerchants} cross join (select 0 as mode union all select 1)`

/** A statement that returns the lowest id of each merchant in `:merchants`, of those that `first` selects; null without rows. */
export function createNext(first: SQL, source: SQL = listedScopes) {
  const fields = { name: sql<string>`merchant.value`, id: sql<string | null>`min((${first}))` }
  return lazy(() => typed(fields, () => sql`select ${selectList(fields)} from ${source} group by 1`))
}

const givenTimes = sql`json_each(${param('times')}) as time`

export const purgeTimes = {
  /** Merchants and tables of which rows can have expired at `:now`, at most `:limit`. */
  findDue: lazy(() =>
    typed({ name: purgeTable.name }, (select) =>
      db
        .select(select)
        .from(purgeTable)
        .where(lte(purgeTable.dueAt, param('now')))
        .orderBy(purgeTable.dueAt)
        .limit(param('limit')),
    ),
  ),
  /** Sets the times of `:times`, a JSON object: time in seconds by name. */
  postpone: lazy(() =>
    compile(sql`
      update ${byKey(purgeTable)} set ${setColumns(purgeTable, {
        dueAt: sql`(select time.value from ${givenTimes} where time.key = ${purgeTable.name})`,
      })} where ${purgeTable.name} in (select time.key from ${givenTimes})`),
  ),
  /** After rows of `:merchantId` came that may be older than those before: from a backup, or from another home. */
  reset: lazy(() =>
    compile(sql`
      update ${purgeTable} set ${setColumns(purgeTable, { dueAt: sql`0` })}
      where ${purgeTable.name} = ${param('merchantId')} or ${purgeTable.name} not glob 'mer_*'`),
  ),
  /** Returns a row if deliveries of a deleted webhook can be left. */
  findGone: lazy(() =>
    typed({ webhook: goneWebhookTable.webhook }, (select) => db.select(select).from(goneWebhookTable).limit(1)),
  ),
  /** Forgets deleted webhooks that have no deliveries left, and those that exist again: a backup was restored. */
  forgetWebhooks: lazy(() =>
    compile(sql`
      delete from ${goneWebhookTable} where not exists (
        select 1 from ${deliveryTable} where ${deliveryTable.webhook} = ${goneWebhookTable.webhook})
      or exists (select 1 from ${webhookTable} where ${webhookTable.seq} = ${goneWebhookTable.webhook})`),
  ),
  /** The next `:limit` rows after that of `:dueAt` and `:row`, the next due first. */
  list: lazy(() =>
    typed({ name: purgeTable.name, dueAt: purgeTable.dueAt, row: sql<number>`rowid` }, (select) =>
      db
        .select(select)
        .from(purgeTable)
        .where(sql`(${purgeTable.dueAt}, rowid) > (${param('dueAt')}, ${param('row')})`)
        .orderBy(purgeTable.dueAt, sql`rowid`)
        .limit(param('limit')),
    ),
  ),
}
